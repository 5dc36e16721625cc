#pragma once
// A factorisation's pattern to look at: what the operand stores, what fills in, and the elimination tree.
//
//   o              3
//   . o            └─ 2
//   o . o             ├─ 0
//   . o + o           └─ 1

#include <string>

#include "engine/symbolic/eliminate.hpp"

namespace trellis::session {

/// Of at most so many rows; of larger ones there is none.
constexpr std::int64_t largest_picture = 48;

/// `o` where the operand stores something or on the diagonal, `+` where it fills in, `.` where nothing is; below it, of
/// a symmetric one, the tree, each column below the first row that it has an entry in.
std::string mask_picture(const symbolic::Elimination& how, const symbolic::Factor& factor);

}  // namespace trellis::session
