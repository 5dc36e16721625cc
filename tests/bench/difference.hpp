#pragma once
// How far the results of two kernels are apart.

#include <optional>

#include "engine/run/kernel.hpp"

namespace trellis::bench {

/// Of the tensors that both write; none where one side is another library, or writes other ones.
std::optional<double> difference(const run::Bindings* ours, const run::Bindings* theirs);

}  // namespace trellis::bench
