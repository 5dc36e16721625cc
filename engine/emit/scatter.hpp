#pragma once
// Results whose entries come fiber by fiber in turn (flow::Scatter). The array of positions serves three times: it
// counts, it says where the next entry of a fiber goes, and in the end where fibers begin.
//
//   memset(T_pos, 0, (n + 1) * sizeof(int32_t));
//   … T_pos[j + 1] += 1; …                                                   counting
//   for (f = 0; f < n; f++) { pT += T_pos[f + 1]; T_pos[f + 1] = pT; }
//   … q = T_pos[j]; T_crd[q] = i; T[q] = v; T_pos[j] = q + 1; …               the body
//   for (f = n; f > 0; f--) T_pos[f] = T_pos[f - 1];  T_pos[0] = 0;

#include "engine/emit/context.hpp"
#include "engine/emit/count.hpp"
#include "engine/emit/result.hpp"

namespace trellis::emit {

void scatter(Context& out, Results& results, Counts& counts, const Body& body, const flow::Scatter& scatter);

/// Where the next entry of a fiber goes, or how many it has; `after` the fiber of that number.
c::Expr of_fiber(Context& out, const flow::Tensor& tensor, const c::Expr& fiber, int after = 0);

}  // namespace trellis::emit
