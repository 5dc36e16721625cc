#pragma once
// What gives the entries of a column their values, once their sums are there, if that is the same for all of them: an
// operand's entry there, or 0, the sum, and what stays the same in the column.
//
//   coiterate i in j + 1:n, lead pM at M.2 below [j], follow pA at A.2 below [j]
//     if pA here { L[pM] = (A[pA] - L[pM]) / (pM >= 0 ? L[pM] : 0) } else { L[pM] = (0 - L[pM]) / (…) }
//   →   `value` given - sum over kept: `kept`, one expression, is (pM >= 0 ? L[pM] : 0)

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/flow/left_looking.hpp"

namespace trellis::flow {

struct ColumnEnd {
  std::optional<Cursor> operand;  ///< A, whose entries follow; none: there is no such operand
  std::vector<Expr> kept;         ///< the same for all entries of a column

  /// The value of an entry: from the operand's, if there is one, its sum, and what is kept.
  Expr value(const Expr& given, const Expr& sum, const std::function<Expr(std::size_t)>& kept_one) const;
  /// The body with something else in the place of the walk.
  Stmt with(const Stmt& body, const Stmt& instead) const;

  Stmt walk;
  std::string factor, entry;  ///< at what stands its sum
  Expr whole;
  bool on_diagonal = false;  ///< it begins there, rather than below
};

/// Of a body without sums (LeftLooking::finish), for one side. Empty where something else happens in it, too.
std::optional<ColumnEnd> column_end(const LeftLooking& of, const LeftLooking::Side& side, const Stmt& body,
                                    const Tensor& factor);

}  // namespace trellis::flow
