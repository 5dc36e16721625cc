#pragma once
// Rows that the entries of a sparse operand choose are fetched from memory some entries ahead, while others are dealt
// with:
//
//   const int64_t j = A_crd[pA];
//   const int64_t j_ahead = A_crd[ahead(pA, A_pos[n])];
//   fetch(&E[j_ahead * r]);
//   for (int64_t k = 0; k < r; k++) …                   E[j * r + k]
//
// A row has no neighbour that a processor could guess it by. Nothing that is computed depends on it.

#include <string>

#include "engine/emit/cursor.hpp"

namespace trellis::emit {

/// Before the statements of the scope from `from` on, which deal with the walk's entry at coordinate `i`.
void fetch_ahead(Context& out, const Walk& walk, const std::string& i, std::size_t from);

}  // namespace trellis::emit
