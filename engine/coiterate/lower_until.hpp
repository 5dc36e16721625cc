#pragma once
// A loop that ends early walks what its operands store if only that can bring it to an end: at a coordinate where
// nothing is stored, its condition says what it said before. flow/leave_guarded leaves the walk.
//
//   for j until p >= 0 { if A(i,j) { p = j } }
//   →   if p >= 0 { for j in 0:min(1, n) { if A(i,j) { p = j } } }         what holds from the start ends it at its
//   first end
//       else { for j { if !(p >= 0) { if A(i,j) { p = j } } } }

#include <optional>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// Empty: it visits all coordinates, one by one.
std::optional<loop::Stmt> walked_until(Context& in, const loop::Stmt& s, const loop::For& f);

}  // namespace trellis::coiterate
