#pragma once
// Rows that an entry of a sparse operand chooses:
//
//   const int64_t j = A_crd[p];
//   for (int64_t k = 0; k < r; k++) { s += D[i * r + k] * E[j * r + k]; }        of j, the row &E[j * r]
//
// They lie anywhere in memory, so no processor sees them coming, but the entries to come are known.

#include <string>
#include <vector>

#include "engine/emit/c.hpp"

namespace trellis::emit::c {

/// Where the rows begin through which the loops in `body` run and that `coordinate` chooses, as expressions such as `E[j * r]`,
/// with `instead` for the coordinate: each once, in order. To compute their addresses reads no array and calls no function. Loops
/// under conditions do not count.
std::vector<Expr> rows_chosen(const Stmt& body, const std::string& coordinate, const std::string& instead);

}  // namespace trellis::emit::c
