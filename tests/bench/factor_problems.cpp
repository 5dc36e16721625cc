#include "tests/bench/factor_problems.hpp"

#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/tensor/load.hpp"
#include "engine/tensor/matrix_market.hpp"

namespace trellis::bench {
namespace {

using format::ScalarType;

tensor::Coordinates entries_of(const Columns& columns) {
  const auto n = static_cast<std::int64_t>(columns.positions.size()) - 1;
  tensor::Coordinates entries;
  entries.shape = {n, n};
  entries.count = columns.coordinates.size();
  entries.indices.reserve(2 * entries.count);
  for (std::int64_t j = 0; j < n; ++j)
    for (int p = columns.positions[j]; p < columns.positions[j + 1]; ++p)
      entries.indices.insert(entries.indices.end(), {columns.coordinates[p], j});
  return entries;
}

void add_problems(std::vector<FactorProblem>& problems, const std::string& name, const tensor::Coordinates& entries,
                  const std::vector<Ordering>& orderings = {Ordering::natural, Ordering::amd}) {
  const tensor::Tensor csc = packed(entries, *format::Format::named("csc", 2), no_entry);
  const auto numbers = [&](format::Array which) { return static_cast<const int*>(csc.array(1, which)); };
  const std::int64_t n = csc.shape()[0];
  const Compressed a{n,
                     n,
                     false,
                     numbers(format::Array::positions),
                     numbers(format::Array::coordinates),
                     static_cast<const double*>(csc.data())};
  for (const Ordering ordering : orderings)
    if (auto factored = cxsparse_cholesky(a, ordering))
      problems.push_back({name + (ordering == Ordering::amd ? ", AMD" : ", natural"), std::move(*factored)});
}

/// Where it is among the data.
void add_file(std::vector<FactorProblem>& problems, const Options& options, const std::string& file,
              const std::vector<Ordering>& orderings) {
  const std::string path = options.data + "/matrix/" + file;
  if (options.data.empty() || !std::filesystem::exists(path)) return;
  text::Diagnostics diagnostics;
  if (auto entries = tensor::read_matrix_market({path, {}, std::size_t{1} << 30}, diagnostics))
    add_problems(problems, file.substr(0, file.find('.')), *entries, orderings);
}

}  // namespace

tensor::Coordinates grid_matrix(std::int64_t side, int dimensions) {
  tensor::Coordinates entries;
  std::int64_t n = 1;
  for (int d = 0; d < dimensions; ++d) n *= side;
  entries.shape = {n, n};
  const auto add = [&](std::int64_t i, std::int64_t j, double value) {
    entries.indices.insert(entries.indices.end(), {i, j});
    entries.reals.push_back(value);
  };
  for (std::int64_t i = 0; i < n; ++i) {
    add(i, i, 2 * dimensions + 0.01);
    for (std::int64_t step = 1; step < n; step *= side)
      if (i / step % side + 1 < side) add(i, i + step, -1), add(i + step, i, -1);
  }
  entries.count = entries.reals.size();
  return entries;
}

std::vector<FactorProblem> factor_problems(const Options& options) {
  std::vector<FactorProblem> all;
  for (const std::int64_t side : {sized(100, 8), sized(200, 10)}) {
    const std::string name = std::to_string(side) + "x" + std::to_string(side) + " grid";
    add_problems(all, name, grid_matrix(side, 2));
  }
  for (const std::string file : {"1138_bus.mtx", "nasa1824.mtx", "bcsstk16.mtx.gz", "wathen_small7400.mtx.gz"})
    add_file(all, options, file, {Ordering::natural, Ordering::amd});
  return all;
}

std::vector<FactorProblem> supernodal_problems(const Options& options) {
  std::vector<FactorProblem> all = grid_problem(sized(300, 9));
  for (const std::int64_t side : {sized(20, 4), sized(30, 5)}) {
    const std::string s = std::to_string(side), name = s + "x" + s + "x" + s + " grid";
    add_problems(all, name, grid_matrix(side, 3), {Ordering::amd});
  }
  add_file(all, options, "bcsstk13.mtx.gz", {Ordering::amd});
  return all;
}

std::vector<FactorProblem> grid_problem(std::int64_t side) {
  std::vector<FactorProblem> one;
  add_problems(one, std::to_string(side) + "x" + std::to_string(side) + " grid", grid_matrix(side, 2), {Ordering::amd});
  return one;
}

tensor::Tensor from_columns(const Columns& columns, const format::Format& format) {
  tensor::Coordinates entries = entries_of(columns);
  entries.reals.assign(columns.values.begin(), columns.values.end());
  return packed(entries, format, no_entry);
}

tensor::Tensor pattern_of(const Columns& columns, const std::string& levels) {
  tensor::Coordinates entries = entries_of(columns);
  entries.field = tensor::Coordinates::Field::pattern;
  return packed(entries, format_of("bool " + levels, 2), format::Value::truth(false));
}

double difference(const double* ours, const double* theirs, std::size_t count) {
  double largest = 0, apart = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (std::isnan(ours[k])) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::abs(theirs[k]));
    apart = std::max(apart, std::abs(ours[k] - theirs[k]));
  }
  return apart / std::max(largest, std::numeric_limits<double>::min());
}

double difference(const tensor::Tensor& ours, const Columns& theirs) {
  if (ours.entries() > std::ssize(theirs.coordinates)) return std::numeric_limits<double>::infinity();
  return difference_at(ours, theirs);
}

double difference_at(const tensor::Tensor& ours, const Columns& theirs) {
  std::vector<double> found;
  for (std::size_t j = 0; j + 1 < theirs.positions.size(); ++j)
    for (int p = theirs.positions[j]; p < theirs.positions[j + 1]; ++p) {
      const std::int64_t index[] = {theirs.coordinates[static_cast<std::size_t>(p)], static_cast<std::int64_t>(j)};
      found.push_back(ours.get(index).as_double());
    }
  return difference(found.data(), theirs.values.data(), found.size());
}

}  // namespace trellis::bench
