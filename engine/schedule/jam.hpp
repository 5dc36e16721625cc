#pragma once
// `jam t 4`: four iterations of the loop over t at once, inside the loops that it holds (unroll and jam). The mark
// stands at the loop; what comes of it is written out where storage is known (flow/unroll_and_jam.hpp). In a block,
// each statement runs for all of the block's iterations before the next one does, and so does the body of each loop
// inside.
//
//   for t in 0:n jam 4 { for j in 1:m { x(t,j) = x(t,j-1) } }      runs (0,1) (1,1) (2,1) (3,1) (0,2) (1,2) …
//
// Legal iff no dependence from an iteration to one of the next three ends in an inner iteration, or a statement, before
// the one that it begins in. Nothing else changes places: where the blocks begin does not matter.

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

/// Why the loops over the variable cannot be jammed, whatever they compute: they hold no loop, end early, or run in
/// vectors.
std::optional<Unfit> cannot_jam(const loop::Stmt& loops, const std::string& variable);

bool holds_loop(const loop::Stmt& body);

/// A dependence that the loop of this number in the text (mark.hpp) breaks where so many of its iterations run at once.
std::optional<Violation> jammed_too_early(const Nest& nest, int loop, int count, math::Solver& solver);
/// One that any jammed loop breaks. `nest` is the analysis of the loops.
std::optional<Violation> jammed_too_early(const loop::Stmt& loops, const Nest& nest, math::Solver& solver);
/// The sums of floating numbers that jammed loops add up in another order.
void note_jammed_sums(Certificate& certificate, const loop::Stmt& loops, const Nest& nest, math::Solver& solver);

}  // namespace trellis::schedule
