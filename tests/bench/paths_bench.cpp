// Viterbi: over a dense table of transitions, on one thread beside two; and over a table of which a part is stored, in
// csr and csc, beside the dense one that holds zeros for the rest.
#include "tests/bench/contest.hpp"
#include "tests/bench/recurrences_bench.hpp"

namespace trellis::bench {
namespace {

constexpr std::int64_t steps = 40;

std::string paths_program(const std::string& format, const std::string& schedule) {
  return "tensor A(n, n): " + format +
         "\ntensor B(n)\ntensor V(n, m)\nV(i,0) = B(i)\nV(i,j) = max(k)(V(k,j-1) * A(k,i)) * B(i) : 1 <= j\n" +
         schedule;
}

run::Bindings data_of(const tensor::Tensor& transitions) {
  const std::int64_t n = transitions.shape()[0];
  run::Bindings data;
  data.sizes = {{"n", n}, {"m", steps}};
  data.arrays["A"] = transitions;
  data.arrays["B"] = random_vector(n, 2);
  data.arrays["V"] = random_matrix(n, steps, 3);
  return data;
}

}  // namespace

void paths(Rows& rows) {
  const std::int64_t wide = sized(1600, 80);
  const run::Bindings large = data_of(random_matrix(wide, wide, 1));
  const std::string serial = "order j k i\n";
  const std::string halves =
      serial + "split i into half ii " + std::to_string(wide / 2) + "\nreorder half k\nparallel half\n";
  rows.push_back(contest("Viterbi, dense, n = " + std::to_string(wide) + ", two threads",
                         {"", native(module_of(paths_program("dense", halves)), large, 2)},
                         {"one thread", native(module_of(paths_program("dense", serial)), large)}, 9, 1.6));
  for (const std::int64_t percent : {10, 5, 1}) {
    const std::int64_t n = sized(1000, 100);
    const tensor::Coordinates entries = random_entries(Spread::uniform, n, n * percent / 100, 5);
    const auto stored = [&](const std::string& format) {
      return data_of(packed(entries, format_of(format, 2), format::Value::of(format::ScalarType::f64, 0)));
    };
    const auto time = [&](const std::string& format, const std::string& order) {
      return native(module_of(paths_program(format, "order " + order + "\n")), stored(format));
    };
    const std::string name = "Viterbi, n = " + std::to_string(n) + ", " + std::to_string(percent) + " %, ";
    for (const auto& [format, order] : {std::pair{"csr", "j k i"}, {"csr", "j i k"}, {"csc", "j i k"}})
      rows.push_back(contest(name + format + " " + order, {"", time(format, order)},
                             {"dense j k i", time("dense", "j k i")}, 9, 1));
  }
}

}  // namespace trellis::bench
