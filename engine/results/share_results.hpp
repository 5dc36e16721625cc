#pragma once
// A sum that grows towards one element of a masked result needs no temporary of the result's rank: it grows in the
// element, which nobody reads before it is computed. So right-looking orders keep no n² beside the factor.
//
//   t(i,j) = 0 …  t(i,j) += L(i,k)*L(j,k) …  L(i,j) = (A(i,j) - t(i,j))/L(j,j)
//   →   L(i,j) += L(i,k)*L(j,k) …  L(i,j) = (A(i,j) - L(i,j))/L(j,j)

#include "engine/format/level.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::results {

/// Before masks are applied, so that what is added goes under them. `loops` is numbered, and so is what comes out.
loop::Stmt share_results(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                         math::Solver& solver);

/// Is it dense, or do coordinates of a fiber stand in order, once each, so that they can be sought?
bool keeps_order(const format::Facts& facts);

/// The mask that stores in the result's own layout what the loops write of it; null when there is none, or when they
/// reset it and so would have to find its entries anew.
const lang::TensorInfo* mask_in_its_layout(const lang::TensorInfo& result, const loop::Stmt& loops,
                                           const lang::Kernel& kernel, const lang::Program& program);

}  // namespace trellis::results
