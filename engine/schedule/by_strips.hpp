#pragma once
// Loops over a tensor in strips (schedule/strips.hpp) that set or copy its elements go strip by strip, so that none
// asks in which strip it is:
//
//   for j in i:n { B(j/24,i,j%24) = 0 }   →   for s in i/24:(n + 23)/24 { for j in max(i,24*s):min(n,24*s + 24) { … } }

#include <functional>

#include "engine/schedule/strips.hpp"

namespace trellis::schedule {

/// `fresh`: a name that nothing has. Loops that add to elements stay as they are.
loop::Stmt by_strips(const loop::Stmt& loops, const std::string& tensor, const Strips& strips,
                     const std::function<std::string(const std::string&)>& fresh);

}  // namespace trellis::schedule
