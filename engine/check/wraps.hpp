#pragma once
// Results of narrow integers that did not hold their values: each equation once more in 64 bits, on what the kernel
// left.
//
//   tensor m: u8      m = sum(j)(I(j))      3200 became 128
//
// What the program converts itself, as in u8(…), it means. Kernels with timesteps or loops are left out: they leave
// their last step alone.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/check/reference.hpp"

namespace trellis::check {

struct Wrap {
  std::string tensor;
  tensor::Index index;
  format::Value got;
  std::int64_t value = 0;  ///< that it would have
  text::Span span;         ///< of the equation
};

/// The first that did, of all elements where `terms` operations are enough for them. Else those near the ends of the
/// type are tried, where recurrences leave it, and others evenly.
std::optional<Wrap> find_wrap(const lang::Program& program, const lang::Kernel& kernel, const State& before,
                              const std::map<std::string, tensor::Tensor>& after, double terms);

}  // namespace trellis::check
