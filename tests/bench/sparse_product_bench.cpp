// The product of two sparse matrices, row by row through a workspace (Gustavson).
#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {

void sparse_products(Rows& rows, const SparseProblem& p) {
  const auto module = module_of(
      "tensor A(n, n): csr\ntensor B(n, n): csr\ntensor C(n, n): csr\nC(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\n");
  const std::string name = "A B csr, " + p.name;
  const Entrant ours{"", native(module, with_result(p))};
  rows.push_back(
      contest(name, ours, {"Eigen", counted(eigen_product(compressed(p, "A"), compressed(p, "B")))}, 5, 0.8));
  rows.push_back(contest(name, ours, {"SciPy", scipy(p, "A @ B")}, 5, 0));
}

}  // namespace trellis::bench
