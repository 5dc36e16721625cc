#pragma once
// What is only used where a mask has entries need only start there:
//
//   tensor t(n); for j { t(j) = 0 }; for k { if M(i,k) { … t(k) … } }
//   →   tensor t(n); for j { if M(i,j) { t(j) = 0 } }; …
//
// Other elements hold whatever was there, updates or not: nobody looks at them, whether or not the mask is closed.
// (docs/design/recurrences.md#masks)

#include <set>
#include <string>

#include "engine/loop/stmt.hpp"

namespace trellis::results {

/// Of temporaries with one dimension. `masks`: operands whose values decide.
loop::Stmt start_under_masks(const loop::Stmt& loops, const std::set<std::string>& masks);

}  // namespace trellis::results
