#pragma once
// A loop that ends early walks what its operands store if only that can bring it to an end. flow/leave_guarded leaves
// the walk.
//
// Either its condition says where nothing is stored what it said before:
//
//   for j until p >= 0 { if A(i,j) { p = j } }
//   →   if p >= 0 { for j in 0:min(1, n) { if A(i,j) { p = j } } }    what holds from the start ends it at its first end
//       else { for j { if !(p >= 0) { if A(i,j) { p = j } } } }
//
// or it does not hold there, as it reads what is stored:
//
//   for j until A(i,j) > 1 { s += A(i,j) }
//   →   stop = false; for j { if !stop { s += A(i,j); if A(i,j) > 1 { stop = true } } }

#include <optional>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// Where the condition can be asked at any time. Empty: the loop visits all coordinates, one by one.
std::optional<loop::Stmt> walked_until(Context& in, const loop::Stmt& s, const loop::For& f);

/// Where the condition reads what the loop walks, and `stop`, a scalar that the program does not have, keeps its value.
/// Empty: the loop visits all coordinates.
std::optional<loop::Stmt> walked_to_entry(Context& in, const loop::Stmt& s, const loop::For& f,
                                          const lang::TensorInfo& stop);

}  // namespace trellis::coiterate
