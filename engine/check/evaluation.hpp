#pragma once
// What the reference evaluator begins with and what it leaves.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "engine/format/scalar.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::check {

/// Sizes, real parameters and tensors by name, as they were before the kernel ran.
struct State {
  std::map<std::string, format::Value> parameters;
  std::map<std::string, tensor::Tensor> tensors;
};

/// Asked now and then during long work: true ends it with the problem E0506.
using Interrupted = std::function<bool()>;

/// The kernel's results from `before`; elements that no equation defines, and those that a mask does not store, keep
/// their value. A problem stops it.
struct Evaluation {
  std::map<std::string, tensor::Tensor> results;
  std::optional<text::Diagnostic> problem;
  std::int64_t ended_after = 0;  ///< so many steps the condition of `until` held; 0: it never did
};

}  // namespace trellis::check
