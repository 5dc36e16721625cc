#pragma once
// What each loop is offered to walk, for people: `show access`. A line for each access whose index varies with the
// loop's variable at a sparse level, with the sequence that the level offers there, and what becomes of it.
//
//   for k
//     A(k/8,k%8)    8*A.1 + A.2    leads, A.2 below A.1
//     c(k - 3)      c.1 | shift 3  follows
//     D(i,k)        none           is stored by i first

#include "engine/coiterate/print_lattice.hpp"

namespace trellis::coiterate {

text::Text print_access(const std::vector<NumberedLattice>& all);

}  // namespace trellis::coiterate
