#pragma once
// Kernels of examples/ at sizes that take a while: what estimates and advice are compared with the clock on.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/session/state/options.hpp"

namespace trellis::bench {

struct ScaledExample {
  const char* example;
  const char* kernel;
  std::vector<std::pair<const char*, std::int64_t>> sizes;
  const char* density = "";  ///< of what is filled sparsely, instead of what the example says
};
const std::vector<ScaledExample>& scaled_examples();

/// Its program without its schedule and without what it shows.
std::string program_of(const ScaledExample& example);
/// Gives a session its sizes: small ones where results count and figures do not.
void set_sizes(session::Options& options, const ScaledExample& example);
/// "matmul, n = 200, m = 200, p = 200"
std::string name_of(const ScaledExample& example);

}  // namespace trellis::bench
