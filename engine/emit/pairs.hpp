#pragma once
// Two entries in each round of a walk, with a test behind each:
//
//   for (; p < A_pos[i + 1]; p++) {          →       #pragma GCC unroll at_once
//     y[A_crd[p]] += A[p] * x[i];                    for (int64_t p_end = A_pos[i + 1]; p < p_end; p++, unsure(p_end)) { …
//
// Half as many jumps back, and addresses that one addition serves twice: where rows are of different length, and a processor
// cannot foresee their ends, a product takes 7 % less (2 % more where all are of one length; Intel Xeon). AMD's processors gain
// nothing by it, and `at_once` is 1 for them. Left to itself, a compiler divides each row by two and deals with an odd entry apart,
// which costs one more branch that cannot be foreseen; `unsure` keeps it from counting entries.

#include <functional>
#include <set>
#include <string>

#include "engine/emit/c.hpp"

namespace trellis::emit::c {

/// The same statements, with two entries a round in walks that carry their positions and choose elements by what the entries say;
/// loops over neighbours are left to the compiler, which has vectors for them. `positions` as for carrying_positions; `unsure`
/// names the macro, asked for where it is used.
Stmt pairing_entries(const Stmt& stmt, const std::set<std::string>& positions, const std::function<std::string()>& unsure);

}  // namespace trellis::emit::c
