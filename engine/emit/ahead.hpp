#pragma once
// Walks that are made faster, as the flow says: positions that go on from fiber to fiber, entries to come, and rows
// that those choose. Nothing that is computed depends on it.
//
//   int64_t pA = A_pos[0];                               const int64_t j = A_crd[pA];
//   for (int64_t i = 0; i < n; i++) {                    const int64_t j_ahead = A_crd[ahead(pA, A_pos[n])];
//     stream(&A_crd[pA + 512], n, A_pos[n]);             fetch(&E[j_ahead * r]);
//     for (; pA < A_pos[i + 1]; pA++) …                  for (int64_t k = 0; k < r; k++) …                   E[j * r + k]

#include <functional>
#include <vector>

#include "engine/emit/cursor.hpp"

namespace trellis::emit {

/// `loop` adds a loop whose iterations come by all fibers below its own entries or coordinates, from `first` on.
void carrying(Context& out, const std::vector<flow::Carry>& carries, const c::Expr& first,
              const std::function<void()>& loop);
/// Before the walk.
void stream(Context& out, const flow::Coiterate& loop, const CCursor& walk);
/// In the walk's body, before anything else.
void fetch_ahead(Context& out, const flow::Ahead& ahead, const CCursor& walk);

}  // namespace trellis::emit
