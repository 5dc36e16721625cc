// A dense product sampled by a sparse matrix: C = A .* (D E'), in the pattern of A.
#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {
namespace {

using format::Array;

emit::Module sampled_in_c() {
  using Kind = emit::Argument::Kind;
  constexpr auto f64 = format::ScalarType::f64, i64 = format::ScalarType::i64;
  return by_hand(
      "static void hand(long n, long r, const int *restrict pos, const int *restrict crd, const double *restrict A,\n"
      "                 const double *restrict D, const double *restrict E,\n"
      "                 int *restrict Cpos, int *restrict Ccrd, double *restrict C) {\n"
      "  int q = 0;\n  Cpos[0] = 0;\n"
      "  for (long i = 0; i < n; i++) {\n"
      "    for (int p = pos[i]; p < pos[i + 1]; p++) {\n"
      "      const long j = crd[p];\n"
      "      double sum = 0;\n"
      "      for (long k = 0; k < r; k++) sum += D[i * r + k] * E[j * r + k];\n"
      "      Ccrd[q] = (int)j;\n      C[q++] = A[p] * sum;\n    }\n"
      "    Cpos[i + 1] = q;\n  }\n}\n",
      "hand",
      {{Kind::size, "n", i64, false},
       {Kind::size, "r", i64, false},
       level_array("A", 1, Array::positions),
       level_array("A", 1, Array::coordinates),
       level_array("A", -1, Array::values),
       {Kind::array, "D", f64, false},
       {Kind::array, "E", f64, false},
       level_array("C", 1, Array::positions, true),
       level_array("C", 1, Array::coordinates, true),
       level_array("C", -1, Array::values, true)});
}

}  // namespace

void sampled_products(Rows& rows, const SparseProblem& p) {
  const auto ours = module_of(
      "tensor A(n, n): csr\ntensor D(n, r)\ntensor E(n, r)\ntensor C(n, n): csr\n"
      "C(i,j) = A(i,j) * sum(k)(D(i,k) * E(j,k))\norder i j k\n");
  rows.push_back(contest("SDDMM csr, " + p.name, {"", native(ours, with_result(p))},
                         {"by hand", native(sampled_in_c(), with_result(p))}, 9, 0.95));
}

}  // namespace trellis::bench
