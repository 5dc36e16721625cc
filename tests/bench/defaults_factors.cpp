// Kernels of `trellis bench defaults` over sparse tensors of three dimensions, and sparse factors and solves.
#include "tests/bench/contest.hpp"
#include "tests/bench/defaults_cases.hpp"

namespace trellis::bench {
namespace {

/// The five-point stencil on a square grid: n × n in csr, symmetric and positive definite.
std::string grid() {
  const std::int64_t side = sized(40, 4);
  return param("s", 40, 4) + "param n = " + std::to_string(side * side) +
         "\ntensor A(n, n): csr\nkernel grid { loops { for i {\n"
         "  if i >= s { A(i, i-s) = -1 }\n  if i % s > 0 { A(i, i-1) = -1 }\n  A(i, i) = 4.1\n"
         "  if i % s < s-1 { if i + 1 < n { A(i, i+1) = -1 } }\n  if i + s < n { A(i, i+s) = -1 }\n} } }\n";
}

const char* const sparse_cholesky =
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))             : k < i\n";

}  // namespace

std::vector<DefaultsCase> sparse_factor_defaults() {
  const std::string tree = param("n", 400, 5) + param("m", 400, 6) + param("p", 400, 7) +
                           "param r = 16\ntensor X(n, m, p): csf\nrandom X seed 1 density " +
                           (only_small() ? "0.3" : "0.005") + "\n";
  const std::string mttkrp = "M(i,c) = X(i,k,l) * B(k,c) * C(l,c)\n";
  const std::string forward = "x(i) = (b(i) - sum(j)(L(i,j) * x(j))) / L(i,i) : j < i\n";
  return {
      {"MTTKRP",
       tree + "tensor B(m, r)\ntensor C(p, r)\nrandom B seed 2\nrandom C seed 3\n",
       mttkrp,
       {{"i k l c", "tensor M(n, r)\n" + mttkrp + "order i k l c\n"},
        {"over l first",
         "tensor W(n, m, r): {compressed, compressed, dense}\ntensor M(n, r)\n"
         "W(i,k,c) = X(i,k,l) * C(l,c)\nM(i,c) = W(i,k,c) * B(k,c)\norder i k l c\n"}},
       {"SciPy", "S @ (X_values[:, None] * B[X_1] * C[X_2])",
        "S = sp.csr_matrix((np.ones(len(X_0)), (X_0, np.arange(len(X_0)))))"}},
      {"TTM",
       tree + "tensor B(p, r)\nrandom B seed 2\n",
       "Y(i,j,k) = X(i,j,l) * B(l,k)\n",
       {{"i j l k, fibers dense",
         "tensor Y(n, m, r): {compressed, compressed, dense}\nY(i,j,k) = X(i,j,l) * B(l,k)\norder i j l k\n"}},
       {"SciPy", "U @ B", "U = sp.csr_matrix((X_values, (X_0 * 400 + X_1, X_2)))"}},
      {"sparse Cholesky, a grid",
       grid(),
       sparse_cholesky,
       {{"i j k, csr", std::string("tensor L(n, n): csr\n") + sparse_cholesky + "order i j k\n"},
        {"j k i, csc", std::string("tensor L(n, n): csc\n") + sparse_cholesky + "order j k i\n"},
        {"j k i, csc, its pattern first",
         std::string("tensor L(n, n): csc\n") + sparse_cholesky + "order j k i\nmask L auto\n"}},
       {}},
      {"sparse solve, a grid",
       grid() + "tensor L(n, n): csr\ntensor b(n)\nrandom b seed 2\nkernel factor {\n" + sparse_cholesky +
           "order i j k\n}\n",
       forward,
       {{"i j", "tensor x(n)\n" + forward + "order i j\n"}},
       {"SciPy", "la.spsolve_triangular(L, b)", "import scipy.sparse.linalg as la"}},
  };
}

}  // namespace trellis::bench
