#pragma once
// A fiber of a result whose entries are known, or of their pattern, stays the same in a loop, inside of which it is met
// with other fibers again and again: as in a dot product of row i with rows j. It is spread out once, as a table of its
// entries by coordinate, so that the loop inside walks the other fiber alone.
//
//   for j in L(i,:) { coiterate k: L(i,:) and L(j,:) { tL += L[pL]*L[pL_2] } }
//   →   tabulate L_table of L.2 below [i] { for j … { walk L(j,:) { locate pL = L_table[k] … } } }
//
// The table has positions, not values, so that what is computed meanwhile counts, too. What is looked up across
// storage, at a coordinate that stays the same, is found the same way, in the fiber of the pattern that is stored
// across:
//
//   for j { for i { locate pL = find L.2 below [i] at k … } }     L: csr, with the entries of M_t, a csc
//   →   tabulate L_table of M_t.2 below [k] in map M_t_in_L { … locate pL = L_table[i] in L.2 below [i] at k }
//
// A table takes as many numbers as the level has coordinates. Operands are found as the schedule says
// (results/find_operands).

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow tabulate_fibers(const Flow& flow);

}  // namespace trellis::flow
