#pragma once
// How far down its levels an access is known where lowering stands, and what must hold there.
//
//   A(i,j), csr, in a loop over A's row      A.1 below [i], then at the cursor: both levels
//   A(i-1,k), before a loop that may run nowhere      its row is there if 0 <= i - 1

#include <limits>
#include <optional>
#include <string>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// Is an index a value of an operand that is promised to lie within the dimension, and is the operand read in range
/// wherever the loops around are?
bool is_promised(Context& in, const lang::Access& access, const lang::Expr& index);
/// What is asked about an index when the kernel runs: none, if it is affine, and so proven to be in range, or promised.
std::optional<Site> index_check(Context& in, const lang::Access& access, const lang::Expr& index);
/// Is an index checked when it runs, so that going down to it could be a fault where the access is not read?
bool is_checked(Context& in, const lang::Access& access);

/// What the position of an entry is called: `pA` at the last level, `pA1`, `pA2` before.
std::string position_name(const Tensor& tensor, int level);

/// Are indices checked where they are used, or has something been asked before that makes up for it?
enum class Checks { kept, left_out };

/// Of how many levels of the access, at most so many, nothing is left to be found: the last of them has an entry.
int found_levels(Context& in, const lang::Access& access, int most_levels = std::numeric_limits<int>::max());

struct Descent {
  Position position;
  int levels = 0;
  std::string missing;  ///< a variable that is -1 when there is no such entry; "": there is one
};
/// Down to the first level that is neither dense nor among the entries, at most so many.
Descent descend(Context& in, const lang::Access& access, int most_levels = std::numeric_limits<int>::max(),
                Checks checks = Checks::kept);

/// Where the entries of the level begin: below its parent, or in a segment of it that a loop around stands at. Whether
/// they are there is what `missing` says of either.
Descent fiber_of(Context& in, const lang::Access& access, int level, Checks checks = Checks::kept);

/// Below a parent, of a dense level: its position is computed.
Position computed(Context& in, const lang::Access& access, int level, const Position& parent,
                  Checks checks = Checks::kept);

/// The coordinates of the dense levels above `level` are in range, as far as the loops around do not say so; those that
/// are checked where they are used are left to that, unless the checks are left out.
std::optional<Expr> in_range(Context& in, const lang::Access& access, int level, Checks checks = Checks::kept);

/// Are all values at hand that it needs?
bool is_known(Context& in, const lang::Expr& e);
bool is_known(Context& in, const lang::Access& access);

}  // namespace trellis::coiterate
