#include <random>

#include "tests/bench/layouts_bench.hpp"
#include "tests/bench/peers.hpp"

namespace trellis::bench {
namespace {

/// A sparse vector with so many of n elements.
tensor::Tensor sparse_vector(std::int64_t n, double density) {
  std::mt19937_64 random(11);
  tensor::Coordinates c;
  c.shape = {n};
  for (std::int64_t i = 0; i < n; ++i)
    if (static_cast<double>(random() % 1000000) < density * 1e6) c.indices.push_back(i), c.reals.push_back(1.5);
  c.count = c.reals.size();
  return packed(c, format_of("{compressed}", 1), format::Value::of(format::ScalarType::f64, 0));
}

/// What TACO generates: y(i) is the sum over what row i and x both have, each of them looked at in turn.
emit::Module merge_by_hand() {
  using Kind = emit::Argument::Kind;
  std::vector<emit::Argument> arguments{{Kind::size, "n", format::ScalarType::i64, false}};
  for (const format::Array which : {format::Array::positions, format::Array::coordinates})
    arguments.push_back(level_array("A", 1, which));
  arguments.push_back(level_array("A", -1, format::Array::values));
  for (const format::Array which : {format::Array::positions, format::Array::coordinates})
    arguments.push_back(level_array("x", 0, which));
  arguments.push_back(level_array("x", -1, format::Array::values));
  arguments.push_back({Kind::array, "y", format::ScalarType::f64, true});
  return by_hand(
      R"(static void hand(long n, const int *restrict Apos, const int *restrict Acrd, const double *restrict A,
    const int *restrict xpos, const int *restrict xcrd, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double sum = 0;
    int p = Apos[i], q = xpos[0];
    const int end = Apos[i + 1], stop = xpos[1];
    while (p < end && q < stop) {
      const int a = Acrd[p], b = xcrd[q], j = a < b ? a : b;
      if (a == j && b == j) sum += A[p] * x[q];
      p += a == j;
      q += b == j;
    }
    y[i] = sum;
  }
})",
      "hand", std::move(arguments));
}

run::Bindings operands(const tensor::Coordinates& entries, double density) {
  run::Bindings data;
  data.sizes = {{"n", entries.shape[0]}, {"m", entries.shape[1]}};
  data.arrays["A"] = packed(entries, format_of("csr", 2), format::Value::of(format::ScalarType::f64, 0));
  data.arrays["x"] = sparse_vector(entries.shape[1], density);
  data.arrays["y"] = random_vector(entries.shape[0], 6);
  return data;
}

std::optional<Measured> graphblas(const run::Bindings& data) {
  tensor::Tensor x = data.arrays.at("x");
  const auto* coordinates = static_cast<const int*>(x.array(0, format::Array::coordinates));
  const auto* values = static_cast<const double*>(x.array(-1, format::Array::values));
  const auto peer = graphblas_product(compressed(data.arrays.at("A")), coordinates, values, x.entries());
  return measured(peer, "y", data.arrays.at("y"));
}

std::string program_with(const std::string& find) {
  return "tensor A(n, m): csr\ntensor x(m): {compressed}\ntensor y(n)\n"
         "y(i) = A(i,j) * x(j)\norder i j\n" +
         find + "\n";
}

void contests(Rows& rows, const std::string& group, const run::Bindings& data, const std::string& name) {
  const auto with = [&](const std::string& how) { return native(module_of(program_with("find x " + how)), data); };
  const auto add = [&](const std::string& what, const std::optional<Measured>& ours, Entrant peer, double target) {
    auto row = contest(what + ", " + name, {"", ours}, peer, 5, target);
    if (row) row->group = group + ", " + what + " beside " + peer.name;
    rows.push_back(std::move(row));
  };
  const auto automatic = with("auto");
  add("auto", automatic, {"merge by hand", native(merge_by_hand(), data)}, 2.72);
  if (auto peer = graphblas(data)) add("auto", automatic, {"GraphBLAS", std::move(peer)}, 1.5);
  for (const char* how : {"binary", "scan", "gallop", "table"})
    add("auto", automatic, {std::string("find x ") + how, with(how)}, 0.9);
}

std::pair<std::string, tensor::Coordinates> made_up(std::int64_t n) {
  return {"n = " + std::to_string(n) + ", 40 a row", random_entries(Spread::uniform, n, 40, 3)};
}

}  // namespace

void sparse_times_sparse(Rows& rows, const Options& options) {
  auto problems = real_matrices(options);
  // Those that are done in microseconds tell how long a call takes.
  std::erase_if(problems, [](const auto& one) { return one.second.count < 20000; });
  if (problems.empty()) problems.push_back(made_up(sized(10000, 1000)));
  for (const double density : {0.001, 0.01, 0.1, 0.5}) {
    const std::string part = format::to_string(format::Value::of(format::ScalarType::f64, density));
    for (const auto& [name, entries] : problems)
      contests(rows, "SpMSpV, density " + part, operands(entries, density), name + ", density " + part);
  }
}

}  // namespace trellis::bench
