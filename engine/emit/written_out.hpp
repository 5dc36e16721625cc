#pragma once
// Loops whose iterations a C compiler must not run several of at once, in vectors, although by the rules it might:
//
//   for i { for j in 0:3 { u(i,j) = x(i,j); v(i,j) = u(i-1,j) } }
//
// Once the loop inside is written out, each iteration stores u[3*i], u[3*i+1] and u[3*i+2], and reads in between what
// the iteration before has stored. GCC 12 makes one group of the stores, behind the first of those reads, and so reads
// what is not there yet. (-O3; where the machine has wide vectors, more of them.) A statement that it knows nothing of
// keeps iterations apart.

#include "engine/flow/flow.hpp"

namespace trellis::emit {

/// Nothing but loops of few iterations is left inside, and it stores several elements of a tensor, of which it reads
/// others.
bool runs_in_turn(const flow::Loop& loop);

}  // namespace trellis::emit
