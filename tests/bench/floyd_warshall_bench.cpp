// Shortest paths between all pairs, beside the textbook's loops and Boost.Graph.
#include <memory>

#include "tests/bench/contest.hpp"
#include "tests/bench/dense_bench.hpp"
#include "tests/bench/peers.hpp"

namespace trellis::bench {
namespace {

constexpr const char* floyd_warshall =
    "tensor D(n, n)\nD[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))\norder k i j\n";

emit::Module floyd_warshall_in_c() {
  using Kind = emit::Argument::Kind;
  return by_hand(
      "static void hand(long n, double *restrict D) {\n"
      "  for (long k = 0; k < n; k++) for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) {\n"
      "    const double through = D[i * n + k] + D[k * n + j];\n"
      "    if (through < D[i * n + j]) D[i * n + j] = through;\n  }\n}\n",
      "hand", {{Kind::size, "n", format::ScalarType::i64, false}, {Kind::array, "D", format::ScalarType::f64, true}});
}

std::optional<Measured> boost_on(const tensor::Tensor& distances) {
  const auto shortest_paths = boost_floyd_warshall();
  if (!shortest_paths) return std::nullopt;
  const std::int64_t n = distances.shape()[0];
  const auto matrix = std::make_shared<std::vector<std::vector<double>>>();
  const auto* values = static_cast<const double*>(distances.data());
  return called(
      [matrix, values, n] {
        matrix->clear();
        for (std::int64_t i = 0; i < n; ++i) matrix->emplace_back(values + i * n, values + (i + 1) * n);
      },
      [matrix, shortest_paths] { (*shortest_paths)(*matrix); });
}

}  // namespace

void shortest_paths(std::vector<std::optional<Row>>& rows) {
  run::Bindings data;
  const std::int64_t n = sized(500, 40);
  data.sizes["n"] = n;
  data.arrays["D"] = random_matrix(n, n, 1);
  const std::string name = "Floyd-Warshall k i j, n = " + std::to_string(n);
  const Entrant mine{"", native(module_of(floyd_warshall), data)};
  rows.push_back(contest(name, mine, {"by hand", native(floyd_warshall_in_c(), data)}, 9, 0.95));
  rows.push_back(contest(name, mine, {"Boost.Graph", boost_on(data.arrays["D"])}, 5, 5.5));
}

}  // namespace trellis::bench
