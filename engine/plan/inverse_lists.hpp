#pragma once
// Elements that an index tensor chooses, walked to rather than searched for: a step from a kernel to a kernel, before
// it is placed. The inverse lists of an index tensor say for each value where the tensor holds it; by counting they
// take O(values + size). What is stored is walked then, and each entry goes wherever the lists have it:
//
//   Z(i,b) = X(i,q(b))          X: csr, q chooses columns         each (i,b) is a bisection of row i
//   Z(i,b) = sum(c)(q_lists(c,b) * X(i,c))                       each entry of X is met once
//
// Each b has one c, so that the sum has one term. An element among others becomes a tensor of its own:
// `y(i) = X(i,q(b))*w(b)` reads X_q(i,b), which the kernel computes before.

#include <optional>

#include "engine/compile.hpp"
#include "engine/plan/made.hpp"

namespace trellis::plan {

/// The kernel without the searches for elements that index tensors choose, as far as `compiled`, which is what it was
/// compiled to, searches for them. Empty: there is none.
std::optional<Made> with_inverse_lists(const lang::Program& program, const lang::Kernel& kernel,
                                       const Compilation& compiled);

}  // namespace trellis::plan
