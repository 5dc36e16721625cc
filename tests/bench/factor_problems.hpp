#pragma once
// Matrices to factor and factors to solve with, as kernels and CXSparse take them: of grids and of the data, in the
// order that they have and in AMD's.

#include "tests/bench/bench.hpp"
#include "tests/bench/peers.hpp"
#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {

/// What matrices of factorisations have where they have no entry.
inline const format::Value no_entry = format::Value::of(format::ScalarType::f64, 0);

struct FactorProblem {
  std::string name;  ///< "100x100 grid, AMD"
  Factored factored;
};

/// Of points of a square or a cube, each joined to its neighbours by -1; 2 * dimensions + 0.01 on the diagonal.
tensor::Coordinates grid_matrix(std::int64_t side, int dimensions);

/// Empty where CXSparse is missing, which orders and factors.
std::vector<FactorProblem> factor_problems(const Options& options);
/// Those whose factors have supernodes of many columns: a grid, cubes and a file, in AMD's order.
std::vector<FactorProblem> supernodal_problems(const Options& options);
/// Of a square grid with `side` points a side, each joined to its neighbours, in AMD's order.
std::vector<FactorProblem> grid_problem(std::int64_t side);

tensor::Tensor from_columns(const Columns& columns, const format::Format& format);
/// Where it has entries: true there, in levels such as "{dense, compressed, pattern}".
tensor::Tensor pattern_of(const Columns& columns, const std::string& levels);

/// How far two computations of the same thing are apart: the largest difference of two elements, as part of the
/// largest element. Infinite when one has entries that the other lacks.
double difference(const tensor::Tensor& ours, const Columns& theirs);
/// The same of the entries of the other alone: ours may have zeros besides.
double difference_at(const tensor::Tensor& ours, const Columns& theirs);
double difference(const double* ours, const double* theirs, std::size_t count);

// The parts of `trellis bench recurrences` over one problem.
void triangular_solves(Rows& rows, const FactorProblem& problem);
void cholesky_factors(Rows& rows, const FactorProblem& problem);
void supernodal_factors(Rows& rows, const FactorProblem& problem);
void lu_factors(Rows& rows, const FactorProblem& problem);
void factor_patterns(Rows& rows, const FactorProblem& problem);

}  // namespace trellis::bench
