#include "tests/bench/factor_problems.hpp"

#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/tensor/load.hpp"
#include "engine/tensor/matrix_market.hpp"

namespace trellis::bench {
namespace {

using format::ScalarType;

const format::Value zero = format::Value::of(ScalarType::f64, 0);

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

tensor::Coordinates grid(std::int64_t side) {
  tensor::Coordinates entries;
  entries.shape = {side * side, side * side};
  const auto add = [&](std::int64_t i, std::int64_t j, double value) {
    entries.indices.insert(entries.indices.end(), {i, j});
    entries.reals.push_back(value);
  };
  for (std::int64_t i = 0; i < side * side; ++i) {
    add(i, i, 4.01);
    if ((i + 1) % side != 0) add(i, i + 1, -1), add(i + 1, i, -1);
    if (i + side < side * side) add(i, i + side, -1), add(i + side, i, -1);
  }
  entries.count = entries.reals.size();
  return entries;
}

void add_problems(std::vector<FactorProblem>& problems, const std::string& name, const tensor::Coordinates& entries,
                  const std::vector<Ordering>& orderings = {Ordering::natural, Ordering::amd}) {
  const tensor::Tensor csc = packed(entries, *format::Format::named("csc", 2), zero);
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

}  // namespace

std::vector<FactorProblem> factor_problems(const Options& options) {
  std::vector<FactorProblem> all;
  for (const std::int64_t side : {sized(100, 8), sized(200, 10)}) {
    const std::string name = std::to_string(side) + "x" + std::to_string(side) + " grid";
    add_problems(all, name, grid(side));
  }
  for (const std::string file : {"1138_bus.mtx", "nasa1824.mtx", "bcsstk16.mtx.gz", "wathen_small7400.mtx.gz"}) {
    const std::string path = options.data + "/matrix/" + file;
    if (options.data.empty() || !std::filesystem::exists(path)) continue;
    text::Diagnostics diagnostics;
    if (auto entries = tensor::read_matrix_market({path, {}, std::size_t{1} << 30}, diagnostics))
      add_problems(all, file.substr(0, file.find('.')), *entries);
  }
  return all;
}

std::vector<FactorProblem> grid_problem(std::int64_t side) {
  std::vector<FactorProblem> one;
  add_problems(one, std::to_string(side) + "x" + std::to_string(side) + " grid", grid(side), {Ordering::amd});
  return one;
}

tensor::Tensor from_columns(const Columns& columns, const format::Format& format) {
  tensor::Coordinates entries = entries_of(columns);
  entries.reals = columns.values;
  return packed(entries, format, zero);
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
