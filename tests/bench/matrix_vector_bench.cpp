// A sparse matrix times a vector, by rows and by columns.
#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {
namespace {

using format::Array;

emit::Module vector_product_in_c(const std::string& matrix, const std::string& body) {
  using Kind = emit::Argument::Kind;
  constexpr auto f64 = format::ScalarType::f64;
  return by_hand(
      "static void hand(long n, const int *restrict pos, const int *restrict crd, const double *restrict A,\n"
      "                 const double *restrict x, double *restrict y) {\n" +
          body + "}\n",
      "hand",
      {{Kind::size, "n", format::ScalarType::i64, false},
       level_array(matrix, 1, Array::positions),
       level_array(matrix, 1, Array::coordinates),
       level_array(matrix, -1, Array::values),
       {Kind::array, "x", f64, false},
       {Kind::array, "y", f64, true}});
}

const char* const by_rows =
    "  for (long i = 0; i < n; i++) {\n"
    "    double sum = 0;\n"
    "    for (int p = pos[i]; p < pos[i + 1]; p++) sum += A[p] * x[crd[p]];\n"
    "    y[i] = sum;\n  }\n";

const char* const by_columns =
    "  for (long i = 0; i < n; i++) y[i] = 0;\n"
    "  for (long j = 0; j < n; j++)\n"
    "    for (int p = pos[j]; p < pos[j + 1]; p++) y[crd[p]] += A[p] * x[j];\n";

std::optional<emit::Module> ours(const std::string& name, const std::string& format, const std::string& order) {
  return module_of("tensor " + name + "(n, n): " + format + "\ntensor x(n)\ntensor y(n)\ny(i) = sum(j)(" + name +
                   "(i,j) * x(j))\norder " + order + "\n");
}

std::optional<Measured> eigen(const SparseProblem& p, const std::string& matrix) {
  const auto multiply =
      eigen_matrix_vector(compressed(p, matrix), static_cast<const double*>(p.data.arrays.at("x").data()),
                          static_cast<double*>(p.data.arrays.at("y").data()));
  if (!multiply) return std::nullopt;
  return called([] {}, *multiply);
}

}  // namespace

void matrix_vector_products(Rows& rows, const SparseProblem& p) {
  struct Case {
    const char *matrix, *format, *order, *loops;
  };
  for (const Case& c : {Case{"A", "csr", "i j", by_rows}, Case{"Ac", "csc", "j i", by_columns}}) {
    const std::string name = std::string("SpMV ") + c.format + ", " + p.name;
    const Entrant mine{"", native(ours(c.matrix, c.format, c.order), p.data)};
    rows.push_back(contest(name, mine, {"by hand", native(vector_product_in_c(c.matrix, c.loops), p.data)}, 15, 0.95));
    rows.push_back(contest(name, mine, {"Eigen", eigen(p, c.matrix)}, 15, 1));
    rows.push_back(contest(name, mine, {"SciPy", scipy(p, std::string(c.matrix) + " @ x")}, 15, 1));
  }
}

}  // namespace trellis::bench
