#pragma once
// `show storage`: what was planned of a kernel before it was lowered (results/plan.hpp). For each loop what it goes
// along and what it looks up, for each result how it comes to be stored, and the copies with their reasons.
//
//   for i: every coordinate
//     for j: goes along A(i,j); looks up B(i,j)
//   y: dense, written where it stands

#include <string>

#include "engine/compile.hpp"

namespace trellis::session {

std::string storage_plan(const Compilation& compilation);

}  // namespace trellis::session
