#pragma once
// Whole operands that are appended as they are, array by array (flow/copy_entries).
//
//   const int64_t pA_first = A_pos[0], pA_count = A_pos[n] - pA_first;
//   if (pA_count <= V_capacity - pV) {
//     for (int64_t k = 0; k < pA_count; k++) { const int64_t j = A_crd[pA_first + k]; V_crd[pV + k] = j; }
//     for (int64_t k = 0; k < pA_count; k++) V[pV + k] = A[pA_first + k];
//   } else no_room(fault, 0);
//   for (int64_t l = 0; l < n; l++) V_pos[l + 1] = pV + (A_pos[l + 1] - pA_first);
//   pV += pA_count;
//
// Of a fiber of which a slice leaves entries out; `else` as if it were no copy:
//
//   if (pA_count <= V_capacity - pV && pA_count <= 64) {
//     for (int64_t k = 0; k < pA_count; k++) {
//       const int64_t j = A_crd[pA_first + k] - 5;
//       V_crd[pV] = j;
//       V[pV] = A[pA_first + k];
//       pV += (A_crd[pA_first + k] >= 5) & (A_crd[pA_first + k] < 9);
//     }
//   } else …

#include <functional>

#include "engine/emit/context.hpp"
#include "engine/emit/loop.hpp"
#include "engine/emit/result.hpp"
#include "engine/flow/copy_entries.hpp"

namespace trellis::emit {

void copy_rows(Context& out, Results& results, const flow::Loop& loop, const Loops::Range& range,
               const flow::CopiedEntries& copied, const text::Origin& origin);
void copy_tuples(Context& out, Results& results, const flow::Coiterate& loop, const flow::CopiedEntries& copied,
                 const text::Origin& origin);
/// `one_by_one` emits the walk as any other.
void copy_fiber(Context& out, Results& results, const flow::Coiterate& loop, const flow::CopiedEntries& copied,
                const text::Origin& origin, const std::function<void()>& one_by_one);

}  // namespace trellis::emit
