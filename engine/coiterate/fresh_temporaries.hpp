#pragma once
// Temporaries with a single assignment, which reaches each element once after a reset to the fill that is always
// carried out: its indices are the variables of the loops in between. No other reset undoes that.
//
//   w .= 0; for j { w(j) = A(i,j)*t }      what is stored in w is what was assigned: a fill need not be

#include <set>
#include <string>

#include "engine/loop/stmt.hpp"

namespace trellis::coiterate {

std::set<std::string> fresh_temporaries(const loop::Stmt& loops);

}  // namespace trellis::coiterate
