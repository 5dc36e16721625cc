#pragma once
// Which reductions get queries of their own (docs/design/arrays.md#queries).
//
//   y(i) = sum(j)(A(i,j) * sum(k)(B(j,k) * x(k)))        t1(j) = sum(k)(B(j,k) * x(k))
//                                                        y(i) = sum(j)(A(i,j) * t1(j))
//
//   s(i,j) = A(i,j) * sum(k)(B(i,k) * C(k,j))            nested: the sum is over where A stores something

#include <string>
#include <vector>

#include "engine/lazy/logic.hpp"

namespace trellis::lazy {

/// What `query` produces, read at these fields.
Expr read(const Query& query, std::vector<Field> at);

/// A plan for these queries that keeps what nested reductions would compute again in loops that they do not depend on.
/// Equal ones are kept once. `worth`: reductions that are kept as well, wherever they are nested.
Plan with_kept(const std::vector<Query>& queries, text::FunctionRef<bool(const Expr&)> worth);
Plan with_kept(const std::vector<Query>& queries);

/// Equal for expressions that are equal but for what their fields are called. `order`: the free fields in the order in
/// which that counts them.
std::string canonical(const Expr& expr, std::vector<Field>& order);

}  // namespace trellis::lazy
