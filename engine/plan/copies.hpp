#pragma once
// Operands that loops come to in another order than they are stored in, read from copies in that order: a step from a
// kernel to a kernel, before it is placed. Laid out by counting a copy takes O(entries + sizes), where each search
// against the storage takes a bisection (docs/design/overview.md#plans).
//
//   S(i,j) = A(i,j) + A(j,i)      A: csr, order i j      S(i,j) = A(i,j) + A_csc(j,i)      A_csc: csc

#include <optional>

#include "engine/compile.hpp"
#include "engine/plan/made.hpp"

namespace trellis::plan {

/// The kernel with a copy of each operand that `compiled`, which is what it was compiled to, searches against its
/// storage, in the order in which its loops come to the elements. Empty: there is none.
std::optional<Made> with_copies(const lang::Program& program, const lang::Kernel& kernel, const Compilation& compiled);

/// Cycles that laying a copy out takes: counting, prefix sums and scattering.
double cycles_to_lay_out(double entries, double fibers);

}  // namespace trellis::plan
