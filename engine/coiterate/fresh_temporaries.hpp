#pragma once
// Assignments to temporaries that reach each element once, and first of all, after a reset to the fill that is always
// carried out: their indices are the variables of the loops in between. What they store is what was assigned, and a
// fill need not be.
//
//   w .= 0; for j { w(j) = A(i,j)*t }; w(3) += 1

#include <set>
#include <string>

#include "engine/loop/stmt.hpp"

namespace trellis::coiterate {

struct FreshTemporaries {
  std::set<int> starts;            ///< such statements, by number
  std::set<std::string> assigned;  ///< temporaries to which one of them is all that writes
};

/// `loops` is numbered.
FreshTemporaries fresh_temporaries(const loop::Stmt& loops);

}  // namespace trellis::coiterate
