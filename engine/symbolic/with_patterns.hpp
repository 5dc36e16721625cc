#pragma once
// `mask X auto`: where the entries of a result will be, before any value is known. The Boolean twin of the equations
// says it: each result true wherever it may differ from its fill, computed by a kernel of its own, which is placed,
// certified, compiled, shown and checked like any other.
//
//   kernel factor                                    kernel factor_pattern
//     L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))        L_mask(i,j) = A_entries(i,j) || any(k)(L_mask(i,k) &&
//     L_mask(j,k))
//              / L(j,j)             : k < j < i                                                       : k < j < i
//     L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))         L_mask(i,i) = A_entries(i,i) || any(k)(L_mask(i,k)) : k < i
//
// The twin reads a subset of what the equations read, so each order that is legal for them is legal for it. Source:
// RECUMA, section 8; docs/design/recurrences.md#patterns.

#include "engine/lang/program.hpp"

namespace trellis::symbolic {

/// The program with a kernel before each one that asks for patterns, and tensors for them:
///   X_mask      of each such result: in its layout, true where it has entries, and the kernel's mask for it
///   X_mask_t    of a matrix, in the other layout: another mask for it, for loops that meet it that way
///   A_entries   what an operand stores (TensorInfo::entries_of)
/// Names that are taken get an underscore. E0326: a result that can have no such mask. N0205: what was made.
lang::Program with_patterns(lang::Program program, text::Diagnostics& diagnostics);

}  // namespace trellis::symbolic
