#pragma once
// Several iterations of dense loops at once, in the loops inside (`jam k 8`): what they share is loaded once, and what
// they add to is stored once. Which is legal the certificate of the step says, as it does of a step that somebody
// wrote.
//
//   for k { for i { for j { C(i,j) += A(i,k)*B(k,j) } } }      jam k 8: C(i,j) comes and goes once for eight of k

#include <vector>

#include "engine/compile.hpp"

namespace trellis::plan {

/// Steps worth trying: of each serial loop that holds others, by name. None where loops go from entry to entry, or
/// where the innermost ones are marked already.
std::vector<lang::ScheduleStep> jams(const Compilation& compiled);

}  // namespace trellis::plan
