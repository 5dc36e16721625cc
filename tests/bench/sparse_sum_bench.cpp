// Sums of sparse matrices: C = A + B, all csr.
#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {
namespace {

using format::Array;

emit::Module sum_in_c() {
  using Kind = emit::Argument::Kind;
  return by_hand(
      "static void hand(long n, const int *restrict Apos, const int *restrict Acrd, const double *restrict A,\n"
      "                 const int *restrict Bpos, const int *restrict Bcrd, const double *restrict B,\n"
      "                 int *restrict Cpos, int *restrict Ccrd, double *restrict C) {\n"
      "  int q = 0;\n  Cpos[0] = 0;\n"
      "  for (long i = 0; i < n; i++) {\n"
      "    int a = Apos[i], b = Bpos[i];\n"
      "    while (a < Apos[i + 1] && b < Bpos[i + 1]) {\n"
      "      const int ja = Acrd[a], jb = Bcrd[b];\n"
      "      const int j = ja < jb ? ja : jb;\n"
      "      if (ja == j && jb == j) C[q] = A[a] + B[b];\n"
      "      else if (ja == j) C[q] = A[a];\n"
      "      else C[q] = B[b];\n"
      "      Ccrd[q++] = j;\n"
      "      a += ja == j;\n      b += jb == j;\n    }\n"
      "    for (; a < Apos[i + 1]; a++) Ccrd[q] = Acrd[a], C[q++] = A[a];\n"
      "    for (; b < Bpos[i + 1]; b++) Ccrd[q] = Bcrd[b], C[q++] = B[b];\n"
      "    Cpos[i + 1] = q;\n  }\n}\n",
      "hand",
      {{Kind::size, "n", format::ScalarType::i64, false},
       level_array("A", 1, Array::positions),
       level_array("A", 1, Array::coordinates),
       level_array("A", -1, Array::values),
       level_array("B", 1, Array::positions),
       level_array("B", 1, Array::coordinates),
       level_array("B", -1, Array::values),
       level_array("C", 1, Array::positions, true),
       level_array("C", 1, Array::coordinates, true),
       level_array("C", -1, Array::values, true)});
}

}  // namespace

void sparse_sums(Rows& rows, const SparseProblem& p) {
  const auto module =
      module_of("tensor A(n, n): csr\ntensor B(n, n): csr\ntensor C(n, n): csr\nC(i,j) = A(i,j) + B(i,j)\norder i j\n");
  const std::string name = "A + B csr, " + p.name;
  const Entrant ours{"", native(module, with_result(p))};
  rows.push_back(contest(name, ours, {"by hand", native(sum_in_c(), with_result(p))}, 9, 0.95));
  rows.push_back(contest(name, ours, {"Eigen", counted(eigen_sum(compressed(p, "A"), compressed(p, "B")))}, 9, 1));
  rows.push_back(contest(name, ours, {"SciPy", scipy(p, "A + B")}, 9, 1));
}

}  // namespace trellis::bench
