// Sweeps of Gauss-Seidel in place: row by row beside the same loops by hand, as PolyBench has them, and eight sweeps at
// once on a wavefront, each two rows behind the one before.
#include "tests/bench/contest.hpp"
#include "tests/bench/recurrences_bench.hpp"

namespace trellis::bench {
namespace {

std::string sweeps_program(const std::string& schedule, int sweeps = 20) {
  return "tensor x(n, n)\n"
         "x[t](i,j) = (x[t-1](i,j) + x[t](i-1,j) + x[t](i,j-1) + x[t-1](i+1,j) + x[t-1](i,j+1)) / 5"
         " : 1 <= i < n-1, 1 <= j < n-1, 1 <= t <= " +
         std::to_string(sweeps) + "\norder t i j\ninplace x\n" + schedule;
}

emit::Module sweeps_in_c() {
  using Kind = emit::Argument::Kind;
  return by_hand(
      "static void hand(long n, double *restrict x) {\n"
      "  for (long t = 0; t < 20; t++) for (long i = 1; i < n - 1; i++) for (long j = 1; j < n - 1; j++)\n"
      "    x[i * n + j] = (x[i * n + j] + x[(i - 1) * n + j] + x[i * n + j - 1] + x[(i + 1) * n + j]\n"
      "                    + x[i * n + j + 1]) / 5;\n}\n",
      "hand", {{Kind::size, "n", format::ScalarType::i64, false}, {Kind::array, "x", format::ScalarType::f64, true}});
}

}  // namespace

void sweeps(Rows& rows) {
  for (const std::int64_t n : {sized(200, 20), sized(400, 30), sized(1000, 40)}) {
    run::Bindings data;
    data.sizes["n"] = n;
    data.arrays["x"] = random_matrix(n, n, 1);
    const std::string name = "Gauss-Seidel, 20 sweeps, n = " + std::to_string(n);
    const Entrant peer{"by hand", native(sweeps_in_c(), data)};
    const auto add = [&](const std::string& how, const std::string& schedule, double aim) {
      rows.push_back(contest(name + how, {"", native(module_of(sweeps_program(schedule)), data)}, peer, 9, aim));
    };
    add("", "", 0.95);
    add(", wavefront", "skew t i 2\nreorder i t\njam t 8\n", 3.5);
    add(", skewed", "skew t i 2\njam t 10\n", 3.5);
  }
  // Blocks of sweeps on threads, which pays for many of them.
  run::Bindings large;
  const std::int64_t n = sized(2000, 100);
  large.sizes["n"] = n;
  large.arrays["x"] = random_matrix(n, n, 1);
  const std::string wavefront = "skew t i 2\nreorder i t\n";
  const auto two = native(module_of(sweeps_program(wavefront + "split t 8\nparallel t_o\njam t_i 8\n", 64)), large, 2);
  const auto one = native(module_of(sweeps_program(wavefront + "jam t 8\n", 64)), large);
  const std::string name = "Gauss-Seidel, 64 sweeps, n = " + std::to_string(n) + ", wavefront, two threads";
  rows.push_back(contest(name, {"", two}, {"one thread", one}, 5, 1.3));
}

}  // namespace trellis::bench
