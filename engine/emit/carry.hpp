#pragma once
// Where one fiber ends the next begins, so a loop over all fibers need not look up where each begins:
//
//   for (int64_t i = 0; i < n; i++) {                        int64_t p = A_pos[0];
//     for (int64_t p = A_pos[i]; p < A_pos[i + 1]; p++) {    for (int64_t i = 0; i < n; i++) {
//       …                                               →      for (; p < A_pos[i + 1]; p++) {
//
// The first entry of a row then waits for no load, which pays where rows are short.

#include <set>
#include <string>

#include "engine/emit/c.hpp"

namespace trellis::emit::c {

/// The same statements, with such positions carried from fiber to fiber: in loops that begin at 0, or at the first entry of a
/// level, and in each round walk the next fiber, to its end, without loops inside. `positions` names arrays that never fall
/// and that nothing in the statements writes.
Stmt carrying_positions(const Stmt& stmt, const std::set<std::string>& positions);

/// Where a walk that carries its position ends, `positions[…]`; null for any other statement.
const Index* carried_until(const Stmt& stmt, const std::set<std::string>& positions);

}  // namespace trellis::emit::c
