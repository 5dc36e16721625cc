// The matrix product beside the same loops by hand in each order, and tiled beside untiled.
#include "tests/bench/contest.hpp"
#include "tests/bench/dense_bench.hpp"

namespace trellis::bench {
namespace {

struct Case {
  const char* order;
  const char* loops;  ///< by hand, around `C[i * n + j] += A[i * n + k] * B[k * n + j];`
};

constexpr Case cases[] = {
    {"i k j", "for (INT i = 0; i < n; i++) for (INT k = 0; k < n; k++) for (INT j = 0; j < n; j++)"},
    {"j k i", "for (INT j = 0; j < n; j++) for (INT k = 0; k < n; k++) for (INT i = 0; i < n; i++)"},
    {"i j k", "for (INT i = 0; i < n; i++) for (INT j = 0; j < n; j++) for (INT k = 0; k < n; k++)"},
};

std::optional<emit::Module> ours(const std::string& schedule) {
  return module_of("tensor A(n, n)\ntensor B(n, n)\ntensor C(n, n)\nC(i,j) = sum(k)(A(i,k) * B(k,j))\n" + schedule +
                   "\n");
}

emit::Module product_in_c(const Case& c, const std::string& index_type) {
  using Kind = emit::Argument::Kind;
  constexpr auto f64 = format::ScalarType::f64;
  return by_hand(
      "#define INT " + index_type +
          "\n"
          "static void hand(INT n, const double *restrict A, const double *restrict B, double *restrict C) {\n"
          "  for (INT i = 0; i < n; i++) for (INT j = 0; j < n; j++) C[i * n + j] = 0;\n  " +
          c.loops +
          "\n"
          "    C[i * n + j] += A[i * n + k] * B[k * n + j];\n}\n",
      "hand",
      {{Kind::size, "n", format::ScalarType::i64, false},
       {Kind::array, "A", f64, false},
       {Kind::array, "B", f64, false},
       {Kind::array, "C", f64, true}});
}

run::Bindings square(std::int64_t n) {
  run::Bindings b;
  b.sizes["n"] = n;
  std::uint64_t seed = 1;
  for (const char* name : {"A", "B", "C"}) b.arrays[name] = random_matrix(n, n, seed++);
  return b;
}

}  // namespace

void matrix_products(std::vector<std::optional<Row>>& rows) {
  const std::int64_t n = sized(500, 40), more = sized(1000, 64);
  const run::Bindings small = square(n);
  for (const Case& c : cases) {
    const Entrant mine{"", native(ours(std::string("order ") + c.order), small)};
    for (const std::string index : {"long", "int"})
      rows.push_back(contest(std::string("matrix product ") + c.order + ", n = " + std::to_string(n), mine,
                             {"by hand, " + index + " indices", native(product_in_c(c, index), small)}, 15, 0.95));
  }
  const run::Bindings large = square(more);
  const std::string tiled = "order i j k\ntile i j k 32 256 64\nreorder k_i j_i\nvectorize j_i";
  rows.push_back(contest("matrix product tiled, n = " + std::to_string(more), {"", native(ours(tiled), large)},
                         {"untiled, i j k", native(ours("order i j k"), large)}, 3, 2));
}

}  // namespace trellis::bench
