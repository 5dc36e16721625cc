#pragma once
// What `trellis bench defaults` runs: programs of equations alone, and the same by hand, several ways each.

#include <string>
#include <vector>

#include "tests/bench/bench.hpp"

namespace trellis::bench {

/// A text that takes the place of the equations: with formats of results, orders, loop steps.
struct ByHand {
  std::string name;  ///< "order i k j"
  std::string text;
};

/// Python, in which each tensor of the inputs has its name: csr and csc as SciPy's matrices, dense ones as NumPy's
/// arrays, what else is sparse as `X_0 X_1 … X_values`, the coordinates and values of its entries.
struct InPython {
  std::string name;  ///< "SciPy"; empty: it has no such function
  std::string expression;
  std::string setup = {};  ///< statements, once
};

struct DefaultsCase {
  std::string name;
  std::string inputs;     ///< declarations, and what fills tensors
  std::string equations;  ///< of the kernel that is measured; its results are declared nowhere
  std::vector<ByHand> by_hand;
  InPython peer;
};

/// Products with sparse matrices and tensors, selections. `matrix`: what fills A, n × n in csr; `name`: of that.
std::vector<DefaultsCase> sparse_defaults(const std::string& matrix, const std::string& name);
/// Over sparse tensors of three dimensions; factors and solves of sparse matrices.
std::vector<DefaultsCase> sparse_factor_defaults();
std::vector<DefaultsCase> dense_defaults();

/// "param n = 2000", or of a small problem.
std::string param(const std::string& name, std::int64_t usually, std::int64_t small);
/// So that a row has `per_row` entries where n is the usual size; on small problems a third of the elements.
std::string density(std::int64_t n, double per_row);

}  // namespace trellis::bench
