#pragma once
// A plan as numbers, for whoever runs its ranks: engine/run/ranks/sections.h says how they are read. They are the same
// for all sizes, numbers of ranks and cuts, which a run brings.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/distribute/plan.hpp"

namespace trellis::distribute {

struct Words {
  std::vector<std::int64_t> plan;
  std::vector<std::string> sizes;               ///< by symbol, of which a run brings the values
  std::map<std::string, std::int64_t> symbols;  ///< of sizes and ends of parts
  std::map<Tensor, std::int64_t> tensors;       ///< numbers of the flat arrays
};

/// Of a plan that is compiled (spmd.hpp). `more`: sizes that the kernel takes besides.
Words words_of(const Plan& plan, const std::vector<std::string>& more);

}  // namespace trellis::distribute
