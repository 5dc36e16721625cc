#include "engine/cost/memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace trellis::cost {
namespace {

/// The values that a loop's variable takes while the loops from `from` inwards run once: those of a loop over entries
/// may be others in each fiber.
double reach(const std::vector<Level>& levels, std::size_t level, std::size_t from) {
  double values = levels[level].trips;
  if (levels[level].sparse)
    for (std::size_t k = from; k < level; ++k)
      if (levels[level].along.contains(levels[k].variable)) values *= std::max(1.0, levels[k].trips);
  return values;
}

/// The different values of a coordinate.
double extent(const Access::Coordinate& coordinate, const std::vector<Level>& levels, std::size_t from) {
  double sum = 1, product = 1;
  for (std::size_t k = from; k < levels.size(); ++k) {
    if (!coordinate.variables.contains(levels[k].variable)) continue;
    const double values = std::max(1.0, reach(levels, k, from));
    product *= values;
    const auto factor = coordinate.form ? coordinate.form->coefficient(levels[k].variable) : 0;
    sum += static_cast<double>(std::max<std::int64_t>(1, std::abs(factor))) * (values - 1);
  }
  return coordinate.form ? std::min(sum, product) : product;
}

bool is_scattered(const Access::Coordinate& coordinate, const std::vector<Level>& levels, std::size_t from) {
  bool scattered = !coordinate.form && !coordinate.variables.empty();
  for (std::size_t k = from; k < levels.size(); ++k) {
    if (!coordinate.variables.contains(levels[k].variable)) continue;
    scattered |=
        levels[k].sparse || (coordinate.form && std::abs(coordinate.form->coefficient(levels[k].variable)) > 1);
  }
  return scattered;
}

/// Of the loops from `from` inwards, those that the element moves with: A(k,k) is a line an iteration, not a square.
double iterations_that_move(const Access& access, const std::vector<Level>& levels, std::size_t from) {
  double iterations = 1;
  for (std::size_t k = from; k < levels.size(); ++k)
    if (access.moves_with(levels[k].variable)) iterations *= std::max(1.0, reach(levels, k, from));
  return iterations;
}

/// Whether the innermost loop that moves it moves it to the next element.
bool is_sequential(const Access& access, const std::vector<Level>& levels) {
  for (auto level = levels.rbegin(); level != levels.rend(); ++level)
    if (level->trips > 1 && access.moves_with(level->variable))
      return access.is_contiguous(level->variable) && (!level->sparse || access.tensor->sparse());
  return true;
}

}  // namespace

double lines_of(const Access& access, const std::vector<Level>& levels, std::size_t from, const Data& data) {
  double elements = 1, in_sequence = 1, span = 1;
  for (std::size_t level = 0; level < access.path.size(); ++level) {
    // Those of a bytemap are spread like those of a dense level.
    const bool dense = access.tensor->levels[level].facts.locate == format::Locate::direct;
    const double most = dense ? size_of(*access.tensor, level, data) : fiber_of(*access.tensor, level, data);
    in_sequence = std::clamp(extent(access.path[level], levels, from), 1.0, std::max(1.0, most));
    span = dense && is_scattered(access.path[level], levels, from) ? most : in_sequence;
    elements *= in_sequence;
  }
  const double lines = elements / in_sequence * std::min(in_sequence, std::max(1.0, span * access.bytes / line_bytes));
  return std::min(lines, iterations_that_move(access, levels, from));
}

MemoryCycles memory_cycles(const std::vector<Access>& accesses, const std::vector<Level>& levels, const Data& data,
                           const Machine& machine) {
  if (levels.empty()) return {};
  std::vector<std::vector<double>> lines;  // by access, of one run of the loops from each one inwards
  std::vector<double> bytes(levels.size() + 1, 0);
  for (const Access& access : accesses) {
    std::vector<double>& own = lines.emplace_back();
    for (std::size_t from = 0; from <= levels.size(); ++from) {
      own.push_back(lines_of(access, levels, from, data));
      bytes[from] += own.back() * line_bytes;
    }
  }
  MemoryCycles total;
  for (std::size_t cache = 0; cache < machine.caches.size(); ++cache) {
    std::size_t fits = levels.size();
    while (fits > 0 && bytes[fits - 1] <= machine.caches[cache]) --fits;
    if (fits == 0) break;  // and so into those behind
    const std::size_t loop = fits - 1;
    double runs = levels[loop].runs;
    for (std::size_t k = loop; k < levels.size(); ++k) runs *= levels[k].share;
    for (std::size_t k = 0; k < accesses.size(); ++k) {
      const double both_ways = accesses[k].written ? 2 : 1;
      const double come = runs * lines[k][loop] * std::min(1.0, accesses[k].times) * both_ways;
      if (is_sequential(accesses[k], levels)) total.streamed += come * machine.sequential[cache];
      else total.scattered += come * machine.scattered[cache];
    }
  }
  return total;
}

}  // namespace trellis::cost
