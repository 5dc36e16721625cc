// Generated matrices for the sparse benchmarks, and what goes with them.
#include <algorithm>
#include <filesystem>
#include <random>

#include "engine/lang/parse.hpp"
#include "engine/lang/program.hpp"
#include "engine/tensor/load_coordinates.hpp"
#include "engine/tensor/matrix_market.hpp"
#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {

using format::ScalarType;

format::Format format_in(const std::string& program, const std::string& tensor) {
  text::Sources texts;
  text::Diagnostics diagnostics;
  const auto file = lang::parse(texts, texts.add("bench", program), diagnostics);
  return lang::resolve(file, diagnostics)->tensor(tensor)->format;
}

format::Format format_of(const std::string& words, int rank) {
  std::string sizes = "4";
  for (int d = 1; d < rank; ++d) sizes += ", 4";
  return format_in("tensor T(" + sizes + "): " + words, "T");
}

tensor::Tensor packed(const tensor::Coordinates& entries, const format::Format& format, const format::Value& fill) {
  auto tensor = *tensor::Tensor::create(fill.type, entries.shape, format, fill);
  text::Diagnostics diagnostics;
  tensor::load_into(tensor, entries, {}, diagnostics);
  return tensor;
}

tensor::Coordinates random_entries(Spread spread, std::int64_t n, std::int64_t per_row, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  tensor::Coordinates c;
  c.shape = {n, n};
  std::vector<std::int64_t> row;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t low = spread == Spread::uniform ? 0 : std::clamp<std::int64_t>(i - per_row, 0, n - 2 * per_row);
    const std::int64_t width = spread == Spread::uniform ? n : 2 * per_row;
    row.clear();
    while (std::ssize(row) < per_row) {
      const std::int64_t j = low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(width));
      if (std::find(row.begin(), row.end(), j) == row.end()) row.push_back(j);
    }
    for (const std::int64_t j : row) {
      c.indices.insert(c.indices.end(), {i, j});
      c.reals.push_back(static_cast<double>(random() % 1000 + 1) / 1000);
    }
  }
  c.count = c.reals.size();
  return c;
}

tensor::Tensor random_vector(std::int64_t n, std::uint64_t seed) {
  tensor::Tensor column = random_matrix(n, 1, seed);
  auto vector =
      *tensor::Tensor::create(ScalarType::f64, {n}, format::Format::dense(1), format::Value::of(ScalarType::f64, 0));
  for (std::int64_t k = 0; k < n; ++k) vector.set_flat(k, column.get_flat(k));
  return vector;
}

namespace {

tensor::Tensor matrix_of(const tensor::Coordinates& entries, const std::string& format) {
  return packed(entries, format_of(format, 2), format::Value::of(ScalarType::f64, 0));
}

void tell(Scipy& scipy, const SparseProblem& problem) {
  for (const char* name : {"A", "B", "Ac"}) scipy.load(name, compressed(problem, name));
  scipy.load("x", static_cast<const double*>(problem.data.arrays.at("x").data()), problem.n);
}

}  // namespace

Compressed compressed(const tensor::Tensor& m) {
  const auto numbers = [&](format::Array which) { return static_cast<const int*>(m.array(1, which)); };
  return {m.shape()[0],
          m.shape()[1],
          m.format().name == "csr",
          numbers(format::Array::positions),
          numbers(format::Array::coordinates),
          static_cast<const double*>(m.data())};
}

Compressed compressed(const SparseProblem& problem, const std::string& name) {
  return compressed(problem.data.arrays.at(name));
}

SparseProblem sparse_problem(Spread spread, std::int64_t entries, std::int64_t per_row) {
  SparseProblem problem;
  problem.name =
      std::string(spread == Spread::uniform ? "uniform" : "banded") + ", " + std::to_string(entries) + " entries";
  problem.n = entries / per_row;
  const tensor::Coordinates a = random_entries(spread, problem.n, per_row, 1);
  run::Bindings& data = problem.data;
  data.sizes = {{"n", problem.n}, {"r", rank_of_factors}};
  data.arrays["A"] = matrix_of(a, "csr");
  data.arrays["Ac"] = matrix_of(a, "csc");
  data.arrays["B"] = matrix_of(random_entries(spread, problem.n, per_row, 2), "csr");
  data.arrays["x"] = random_vector(problem.n, 3);
  data.arrays["y"] = random_vector(problem.n, 4);
  data.arrays["D"] = random_matrix(problem.n, rank_of_factors, 5);
  data.arrays["E"] = random_matrix(problem.n, rank_of_factors, 6);
  problem.scipy = Scipy::start();
  if (problem.scipy) tell(*problem.scipy, problem);
  return problem;
}

run::Bindings with_result(const SparseProblem& problem) {
  run::Bindings data = problem.data;
  data.arrays["C"] = *tensor::Tensor::create(ScalarType::f64, {problem.n, problem.n}, *format::Format::named("csr", 2),
                                             format::Value::of(ScalarType::f64, 0));
  return data;
}

std::optional<Measured> scipy(const SparseProblem& problem, const std::string& expression) {
  if (!problem.scipy || problem.scipy->time(expression) < 0) return std::nullopt;
  return [process = problem.scipy, expression] { return process->time(expression); };
}

std::optional<Measured> counted(const std::optional<std::function<std::int64_t()>>& peer) {
  if (!peer) return std::nullopt;
  return called([] {},
                [peer = *peer] {
                  volatile std::int64_t entries = peer();
                  static_cast<void>(entries);
                });
}

std::vector<std::pair<std::string, tensor::Coordinates>> real_matrices(const Options& options,
                                                                       const std::vector<std::string>& folders) {
  std::vector<std::filesystem::path> files;
  for (const std::string& folder : folders) {
    const std::filesystem::path path = std::filesystem::path(options.data) / folder;
    if (options.data.empty() || !std::filesystem::is_directory(path)) continue;
    for (const auto& file : std::filesystem::directory_iterator(path)) files.push_back(file.path());
  }
  std::ranges::sort(files);
  std::vector<std::pair<std::string, tensor::Coordinates>> all;
  for (const std::filesystem::path& file : files) {
    const std::string name = file.filename().string();
    if (name.find(".mtx") == std::string::npos) continue;
    text::Diagnostics diagnostics;
    auto entries = tensor::read_matrix_market({file.string(), {}, std::size_t{1} << 30}, diagnostics);
    if (entries && entries->shape.size() == 2 && entries->shape[0] >= 2)
      all.emplace_back(name.substr(0, name.find('.')), *std::move(entries));
  }
  return all;
}

}  // namespace trellis::bench
