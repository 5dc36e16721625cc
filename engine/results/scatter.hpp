#pragma once
// A result whose entries come fiber by fiber in turn, each fiber's in rising order, needs no workspace: they are
// counted first, so that it is known where each fiber begins, and then put where they belong.
//
//   for i { for j { T(j,i) = A(i,j) } }        A, T: csr        a transposition, by counting
//
// (docs/design/coiteration.md#scattered-results.) Source: Gustavson, Two fast algorithms for sparse matrices:
// multiplication and permuted transposition (1978).

#include <optional>

#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::results {

/// The loops, numbered with a Block as their root, without what resets the tensor to its fill at the beginning. None:
/// they do other things as well, run on threads, or its entries come in another order; or its format is not dense
/// levels above a compressed one.
std::optional<loop::Stmt> scatter(const loop::Stmt& loops, const lang::TensorInfo& tensor, math::Solver& solver);

}  // namespace trellis::results
