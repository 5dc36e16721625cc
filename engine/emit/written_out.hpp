#pragma once
// Loops whose rounds a C compiler must not run several of at once, in vectors, although by the rules it might:
//
//   for i { for j in 0:3 { u(i,j) = x(i,j); v(i,j) = u(i-1,j) } }
//
// Once the loop inside is written out, each round stores u[3*i], u[3*i+1] and u[3*i+2], and reads in between what the round
// before has stored. GCC 12 makes one group of the stores, behind the first of those reads, and so reads what is not there
// yet. (-O3; where the machine has wide vectors, more of them.) A statement that it knows nothing of keeps rounds apart.

#include "engine/flow/flow.hpp"

namespace trellis::emit {

/// Nothing but loops of few rounds is left inside, and it stores several elements of a tensor, of which it reads others.
bool runs_in_turn(const flow::Loop& loop);

}  // namespace trellis::emit
