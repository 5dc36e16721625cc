#pragma once
// A factor by columns that is computed from the left: each column adds up products of the columns before it, and is
// finished then. What supernodes make panels of (by_supernodes.hpp).
//
//   loop j in 0:n
//     …                                                       the sums begin at 0
//     loop k in 0:j
//       locate pL = find L.2 below [k] at j                   where column k stores row j
//         if pL >= 0
//           coiterate i in j + 1:n, lead pL_2 at L.2 below [k]
//             tL[i] += L[pL_2] * L[pL]                        `sum`, `term`; below the diagonal
//           tD += L[pL]^2                                     `own`, if there is one: on the diagonal
//     …                                                       column j of L, from the sums

#include <optional>
#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

struct LeftLooking {
  std::string column, before;    ///< variables: j, k
  Expr size;                     ///< n
  std::string factor, pattern;   ///< L, and the operand that has its entries
  Stmt update;                   ///< the loop over k
  std::string row_entry, entry;  ///< pL, pL_2
  std::string sum;               ///< tL
  Expr term;
  std::string own;  ///< tD; empty: the diagonal's sum is none of k's
  Expr own_term;
  bool own_is_term = false;  ///< at i = j, they are the same
  bool diagonal = false;     ///< L stores it

  /// Nothing of it is left that adds up: what is read of the sums is where they are kept, the sum of a row in the
  /// factor's own entries, that on the diagonal in `sums`.
  Stmt finish(const Stmt& body, const std::string& sums) const;
};

/// Empty where the loop is none; `why` says so of one that nearly is.
std::optional<LeftLooking> left_looking(const Flow& flow, const Loop& loop, const Tensor& factor, std::string& why);

}  // namespace trellis::flow
