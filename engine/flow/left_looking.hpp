#pragma once
// A factor that is computed from the left: column j adds up products of the columns before it, and is finished then.
// What supernodes make panels of (by_supernodes.hpp). Of one that is symmetric there is one side, of L and U there are
// two, whose columns are the rows of U. An entry of one side is multiplied by the other's in the row of the column:
//
//   loop j in 0:n                                             perhaps in parallel
//     …                                                       the sums begin at 0
//     loop k in 0:j                                           where that is so, await j at k
//       locate pL = find L.2 below [k] at j                   `row_entry`: where column k stores row j
//         if pL >= 0
//           coiterate i in j + 1:n, lead pL_2 at L.2 below [k]
//             tL[i] += L[pL_2] * L[pL]                        `sum`, `entry`, `term`; below the diagonal
//           tD += L[pL]^2                                     `own`, if there is one: on the diagonal
//     …                                                       column j of L, from the sums

#include <optional>
#include <string>
#include <vector>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

struct LeftLooking {
  struct Side {
    std::string factor, pattern;        ///< L, and the operand that has its entries
    bool diagonal = false;              ///< L stores it
    std::string row_entry, entry = {};  ///< pL, pL_2
    std::string sum = {};               ///< tL
    Expr term = {};
    bool sums_diagonal = false;  ///< the sum has an element for row j, where the factor's own is
  };
  std::vector<Side> sides;
  std::string column, before;  ///< variables: j, k
  Expr size;                   ///< n
  Stmt update;                 ///< the loop over k
  std::string own;             ///< tD; empty: the diagonal's sum is none of k's, or that of a side
  std::size_t own_side = 0;    ///< whose term is what it adds up
  bool parallel = false;       ///< iterations wait for those before where the loop over k comes to need them

  /// The side that the factors in the row of the column are of.
  std::size_t partner(std::size_t side) const { return sides.size() - 1 - side; }

  /// Nothing of it is left that adds up: what is read of the sums is where they are kept, the sum of a row in the
  /// factor's own entries, that on the diagonal in `sums`.
  Stmt finish(const Stmt& body, const std::string& sums) const;
};

/// `sides`: with factor, pattern and diagonal. Empty where the loop is none; `why` says so of one that nearly is.
std::optional<LeftLooking> left_looking(const Flow& flow, const Loop& loop, std::vector<LeftLooking::Side> sides,
                                        std::string& why);

}  // namespace trellis::flow
