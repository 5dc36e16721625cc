#pragma once
// Leaves loops that can change nothing any more: a reduction with an annihilator is over once that is reached, since
// whatever comes then leaves it as it is.
//
//   coiterate j in 0:n { x ||= A[pA] && F[j] }        →        coiterate j in 0:n unless x { x ||= A[pA] && F[j] }
//
// The loop must do nothing else, and not read the scalar for other ends; of several such scalars all must be over.
// Loops around it are left too when they qualify, and skip it when they do not. What may fault is carried out to the
// end: the reference says so too. Iterations that run in parallel go on, but each thread leaves the serial loops inside
// them once the part of the scalar that it has itself is over. any, all and the same of Booleans by other operations
// come to an end, products of integers at 0, minima of unsigned numbers at 0 and maxima of u8 at 255, functions of the
// user on integers at an annihilator that they declare. Of floating-point numbers, 0 * inf has the last word. An
// element that stays the same one and is assigned once, as by choose(-1)=, is over when it is another value than that.
// docs/design/coiteration.md#early-exit.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After share_updates.
Flow leave_early(const Flow& flow);

/// Has some loop an `unless`? How much of its operands the flow reads then depends on what they hold.
bool leaves_early(const Flow& flow);

}  // namespace trellis::flow
