#pragma once
// Entries that a kernel walks once, row after row, come from memory before it needs them:
//
//   for (int64_t i = 0; i < n; i++) {                        for (int64_t i = 0; i < n; i++) {
//     for (; p < A_pos[i + 1]; p++) {                  →       stream(&A[p + 512], A_pos[n]);
//       y[i] += A[p] * x[A_crd[p]];                            stream(&A_crd[p + 512], A_pos[n]);
//                                                              for (; p < A_pos[i + 1]; p++) { …
//
// A processor would fetch them by itself, were it not for what is gathered between them: a product of a large matrix with a vector
// takes half of the time. Up to half a million entries, the check of how many there are is all that is done. Loops whose end has to
// be computed, such as n - 1, stay as they are.

#include <functional>
#include <set>
#include <string>

#include "engine/emit/c.hpp"

namespace trellis::emit::c {

/// The same statements, with calls of `stream` before the walks that carry their positions: one for each array that the walk
/// reads or writes at its position. `positions` names arrays that nothing in the statements writes, as for carrying_positions;
/// `stream` names the function, asked for where it is called.
Stmt streaming_entries(const Stmt& stmt, const std::set<std::string>& positions, const std::function<std::string()>& stream);

}  // namespace trellis::emit::c
