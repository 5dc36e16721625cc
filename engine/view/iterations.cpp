#include "engine/view/iterations.hpp"

#include <algorithm>
#include <map>

namespace trellis::view {
namespace {

std::int64_t coordinate(const text::Point& point, const std::string& name) {
  const auto found = std::ranges::find(point, name, &text::Point::value_type::first);
  return found == point.end() ? 0 : found->second;
}

void add_path(Iterations& all) {
  std::set<std::pair<int, int>> known;
  int last = -1;
  for (std::size_t k = 0; k < all.place_of_step.size(); ++k) {
    const int place = all.place_of_step[k];
    if (place < 0 || place == last) continue;
    if (last >= 0 && known.insert({last, place}).second) all.path.push_back({last, place, k});
    last = place;
  }
}

bool knows(const text::Point& point, const std::string& name) {
  return std::ranges::find(point, name, &text::Point::value_type::first) != point.end();
}

}  // namespace

const Iterations::Place* Iterations::at(std::int64_t row, std::int64_t column) const {
  const auto found = std::ranges::find_if(places, [&](const Place& p) { return p.row == row && p.column == column; });
  return found == places.end() ? nullptr : &*found;
}

EquationIndices indices_of(const place::Fragments& fragments, int equation) {
  EquationIndices of;
  for (const place::Fragment& fragment : fragments.fragments) {
    if (fragment.equation != equation) continue;
    of.fragments.insert(fragment.id);
    // The fragment of the innermost reduction knows all of them, the free ones first.
    if (fragment.domain.variables.size() > of.variables.size()) of.variables = fragment.domain.variables;
  }
  return of;
}

std::vector<explore::StepPoint> points_or_loops(const explore::Trace& trace, std::vector<explore::StepPoint> points) {
  points.resize(trace.steps.size());
  for (std::size_t k = 0; k < points.size(); ++k)
    if (points[k].fragment < 0) points[k] = {statement_equation(trace.steps[k].statement), trace.steps[k].loops};
  return points;
}

std::vector<text::Point> slices_of(const std::vector<explore::StepPoint>& points, const EquationIndices& of) {
  std::set<text::Point> slices;
  for (const explore::StepPoint& step : points) {
    if (!of.fragments.contains(step.fragment)) continue;
    text::Point slice;
    for (std::size_t v = 3; v < of.variables.size() && knows(step.point, of.variables[v]); ++v)
      slice.emplace_back(of.variables[v], coordinate(step.point, of.variables[v]));
    if (!slice.empty() && slice.size() + 3 == of.variables.size()) slices.insert(std::move(slice));
  }
  return {slices.begin(), slices.end()};
}

Iterations iterations_of(const std::vector<explore::StepPoint>& points, const EquationIndices& of,
                         const text::Point& slice) {
  Iterations out;
  out.variables = of.variables;
  out.place_of_step.assign(points.size(), -1);
  const auto& names = of.variables;
  const std::size_t row = names.size() > 1 ? 0 : names.size(), column = names.size() > 1 ? 1 : 0;
  std::map<std::pair<std::int64_t, std::int64_t>, int> known;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const text::Point& point = points[k].point;
    if (!of.fragments.contains(points[k].fragment)) continue;
    if (!std::ranges::all_of(slice, [&](const auto& one) {
          return !knows(point, one.first) || coordinate(point, one.first) == one.second;
        }))
      continue;
    const bool placed =
        (row >= names.size() || knows(point, names[row])) && (column >= names.size() || knows(point, names[column]));
    if (!placed) continue;
    const std::int64_t r = row < names.size() ? coordinate(point, names[row]) : 0;
    const std::int64_t c = column < names.size() ? coordinate(point, names[column]) : 0;
    const auto [at, is_new] = known.try_emplace({r, c}, static_cast<int>(out.places.size()));
    if (is_new) {
      const bool first = out.places.empty();
      out.first_row = first ? r : std::min(out.first_row, r), out.last_row = first ? r : std::max(out.last_row, r);
      out.first_column = first ? c : std::min(out.first_column, c),
      out.last_column = first ? c : std::max(out.last_column, c);
      out.places.push_back({r, c, {}});
    }
    out.places[static_cast<std::size_t>(at->second)].steps.push_back(k);
    out.place_of_step[k] = at->second;
  }
  add_path(out);
  return out;
}

}  // namespace trellis::view
