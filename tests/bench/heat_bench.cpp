// Heat in two and three dimensions as a session runs it, again and again in children, beside the same loops by hand in
// this process, with a second buffer that is kept: what a run takes besides its kernel shows.
#include <memory>

#include "tests/bench/contest.hpp"
#include "tests/bench/in_session.hpp"
#include "tests/bench/recurrences_bench.hpp"

namespace trellis::bench {
namespace {

struct Heat {
  int dimensions;
  std::int64_t n;
  int steps;  ///< even: the last one writes the array itself
};

std::string equation(const Heat& h) {
  if (h.dimensions == 2)
    return "u[t](i,j) = u[t-1](i,j) + 0.1 * (u[t-1](i-1,j) + u[t-1](i+1,j) + u[t-1](i,j-1) + u[t-1](i,j+1)"
           " - 4*u[t-1](i,j)) : 1 <= i < n-1, 1 <= j < n-1, t < steps\n";
  return "u[t](i,j,k) = u[t-1](i,j,k) + 0.1 * (u[t-1](i-1,j,k) + u[t-1](i+1,j,k) + u[t-1](i,j-1,k) + u[t-1](i,j+1,k)"
         " + u[t-1](i,j,k-1) + u[t-1](i,j,k+1) - 6*u[t-1](i,j,k))"
         " : 1 <= i < n-1, 1 <= j < n-1, 1 <= k < n-1, t < steps\n";
}

std::string declarations(const Heat& h) {
  return "param n = " + std::to_string(h.n) + "\nparam steps = " + std::to_string(h.steps) + "\ntensor u(n, n" +
         (h.dimensions == 3 ? ", n" : "") + ")\n";
}

emit::Module heat_in_c(const Heat& h) {
  using Kind = emit::Argument::Kind;
  const std::string step2 =
      "  for (long i = 1; i < n - 1; i++) for (long j = 1; j < n - 1; j++) { long p = i * n + j;\n"
      "    b[p] = a[p] + 0.1 * (a[p-n] + a[p+n] + a[p-1] + a[p+1] - 4 * a[p]); }\n";
  const std::string step3 =
      "  for (long i = 1; i < n - 1; i++) for (long j = 1; j < n - 1; j++) for (long k = 1; k < n - 1; k++) {\n"
      "    long p = (i * n + j) * n + k;\n"
      "    b[p] = a[p] + 0.1 * (a[p-n*n] + a[p+n*n] + a[p-n] + a[p+n] + a[p-1] + a[p+1] - 6 * a[p]); }\n";
  const std::string size = h.dimensions == 2 ? "n * n" : "n * n * n";
  return by_hand(
      "void *malloc(unsigned long);\nvoid *memcpy(void *, const void *, unsigned long);\n"
      "static void step(long n, const double *restrict a, double *restrict b) {\n" +
          (h.dimensions == 2 ? step2 : step3) +
          "}\nstatic void heat(long n, double *u) {\n  static double *v;\n"
          "  if (!v) { v = malloc(8 * " +
          size + "); memcpy(v, u, 8 * " + size +
          "); }\n"
          "  for (long t = 0; t < " +
          std::to_string(h.steps) + "; t += 2) { step(n, u, v); step(n, v, u); }\n}\n",
      "heat", {{Kind::size, "n", format::ScalarType::i64, false}, {Kind::array, "u", format::ScalarType::f64, true}});
}

/// The kernels alone, whatever the session does around them.
std::optional<Measured> in_session(const Heat& h) {
  const auto program = std::make_shared<InSession>(declarations(h) + "random u seed 1\n", equation(h), nullptr);
  const auto written = std::make_shared<run::Bindings>();
  const auto run = [program, written] {
    const double ms = program->run().value_or(0);
    if (only_once()) written->arrays = program->results().arrays;
    return ms;
  };
  return program->problem().empty() ? std::optional(Measured(run, written)) : std::nullopt;
}

}  // namespace

void heat(Rows& rows) {
  for (const Heat& h : {Heat{2, sized(2000, 12), 10}, {2, sized(2000, 10), 100}, {3, sized(200, 8), 10}}) {
    std::string shape = std::to_string(h.n);
    for (int d = 1; d < h.dimensions; ++d) shape += " x " + std::to_string(h.n);
    const std::string name = "heat, " + shape + ", " + std::to_string(h.steps) + " steps, in a session";
    run::Bindings data;
    data.sizes["n"] = h.n;
    const InSession filled(declarations(h) + "random u seed 1\n", "", nullptr);
    data.arrays["u"] = *filled.data().held("u");
    rows.push_back(contest(name, {"", in_session(h)}, {"by hand", native(heat_in_c(h), data)}, 9, 0.95));
  }
}

}  // namespace trellis::bench
