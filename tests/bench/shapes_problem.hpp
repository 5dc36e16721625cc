#pragma once
// Matrices that `trellis bench shapes` puts together and takes apart.

#include <string>
#include <vector>

#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {

/// Matrices A, B in csr and E, F of the same entries in coo, n x m each; c: the entries of A as a vector, if its
/// coordinates fit 32 bits; x: as many as there are columns.
struct ShapesProblem {
  std::string name;
  std::string declarations;
  run::Bindings data;
  bool flattens = true;  ///< has a c
  std::int64_t rows() const { return data.sizes.at("n"); }
  std::int64_t columns() const { return data.sizes.at("m"); }
};

/// Ten entries in each row.
ShapesProblem shapes_problem(Spread spread, std::int64_t entries);
/// Of each matrix in the folders `matrix` and `graph` of real data: its upper and its lower half.
std::vector<ShapesProblem> real_shapes_problems(const Options& options);

/// With an empty tensor of that name.
void add_result(run::Bindings& data, const std::string& name, std::vector<std::int64_t> shape,
                const std::string& format);
/// Of what is declared as `R(n+n, m)`.
std::vector<std::int64_t> shape_of(const ShapesProblem& problem, const std::string& declared);

}  // namespace trellis::bench
