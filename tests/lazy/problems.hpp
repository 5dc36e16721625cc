#pragma once
// Problems in which plans differ much: chains, triple products, triangles, masks, sums inside of products, with
// operands whose entries are spread evenly or as a power of their coordinate. For tests, and for `trellis bench plans`.

#include "engine/lazy/evaluate.hpp"

namespace trellis::lazy {

enum class Spread { even, skewed };

struct Problem {
  std::string name;
  Query query;
  Tensors tensors;
};

/// R(i) = sum(j,k)(A(i,j) * B(j,k) * v(k)), matrices of n rows and columns.
Problem chain_with_vector(std::int64_t n, std::int64_t entries, Spread spread);

/// Thirteen of them, with matrices of n rows and columns; of 2000 each takes some milliseconds. Values are whole
/// numbers, so that sums are the same in any order.
std::vector<Problem> plan_problems(std::int64_t n, Spread spread);

}  // namespace trellis::lazy
