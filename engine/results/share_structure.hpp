#pragma once
// A result that has an entry wherever an operand has, and nowhere else, takes the arrays of that operand: nothing is
// appended, each position is the operand's, and loops may write in any order, in parallel too.
//
//   for i, j { C(i,j) = 2*A(i,j) }                        A, C: csr                    C has pos and crd of A
//   for i, j, k, r { Y(i,j,r) += A(i,j,k)*B(k,r) }        A: csf, Y: {compressed, compressed, dense}    of i and j
//
// (docs/design/layouts.md#shared-structure.) Source: the shared sparsity of SPF, section 5.

#include <optional>

#include "engine/loop/stmt.hpp"

namespace trellis::results {

/// The operand whose outer levels are those of the result, which has but dense ones below; null: there is none, or an
/// element may be computed where it stores nothing, or not be where it does. The loops write each element from its fill
/// on.
const lang::TensorInfo* structure_for(const lang::TensorInfo& result, const loop::Stmt& loops,
                                      const lang::Program& program);

}  // namespace trellis::results
