#include "engine/cost/iterations.hpp"

#include <algorithm>

namespace trellis::cost {
namespace {

/// Coordinates at which at least one has an entry.
double united(const std::vector<double>& entries, double range) {
  double absent = 1;
  for (const double one : entries) absent *= 1 - std::min(1.0, one / std::max(1.0, range));
  return range * (1 - absent);
}

}  // namespace

Iterations iterations_of(const flow::Coiterate& loop, std::size_t point, const std::vector<double>& entries,
                         double range) {
  const flow::Coiterate::Point& here = loop.points[point];
  std::vector<double> walked;
  for (const int lead : here.leads) walked.push_back(entries[static_cast<std::size_t>(lead)]);
  if (here.regions) {
    double ends = 1;
    for (const double one : entries) ends += one;
    return {std::min(range, ends), 0.5};
  }
  if (walked.empty()) return {range, 0};
  const double most = std::ranges::max(walked), least = std::ranges::min(walked);
  // What is left when another operand has run out.
  if (point > 0) return {most / (least + 1), 0.5 / std::max(1.0, most)};
  const double iterations = united(walked, range);
  const double first = iterations > 0 ? std::min(1.0, walked.front() / iterations) : 0;
  return {iterations, walked.size() == 1 ? 0 : 2 * first * (1 - first)};
}

}  // namespace trellis::cost
