#include "engine/format/bounds.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "engine/format/level.hpp"
#include "engine/math/cancel_digits.hpp"

namespace trellis::format {

using math::Affine;
using math::Relation;

namespace {

/// The coordinate of `inner`, or if `negated` less than nothing of it, and slope * that of `outer` + at_0 is at least
/// 0.
struct Bound {
  std::size_t inner = 0, outer = 0;
  bool negated = false;
  Bounds::Line line = {};
};

/// Whether 0 <= form < end, whatever the levels' coordinates are.
bool lies_below(const Affine& form, std::int64_t end, const std::vector<LevelRange>& ranges) {
  if (!form.quotients.empty()) return false;
  std::int64_t low = form.constant, high = form.constant;
  for (std::size_t l = 0; l < ranges.size(); ++l) {
    const std::int64_t factor = form.coefficient(level_coordinate(l));
    if (factor == 0) continue;
    if (!ranges[l].low.is_constant() || !ranges[l].size.is_constant()) return false;
    const std::int64_t first = factor * ranges[l].low.constant;
    const std::int64_t last = first + factor * (ranges[l].size.constant - 1);
    low += std::min(first, last), high += std::max(first, last);
  }
  return low >= 0 && high < end;
}

/// What a form says that is at least 0. Levels are counted from their least coordinates.
std::optional<Bound> bound_of(const Affine& form, const std::vector<LevelRange>& ranges) {
  std::vector<std::pair<std::size_t, std::int64_t>> terms;
  for (std::size_t l = 0; l < ranges.size(); ++l)
    if (const std::int64_t factor = form.coefficient(level_coordinate(l)); factor != 0) terms.emplace_back(l, factor);
  if (!form.quotients.empty() || terms.size() != 2 || form.terms.size() != 2) return std::nullopt;
  const auto [outer, slope] = terms[0];
  const auto [inner, factor] = terms[1];
  const Affine &above = ranges[outer].low, &below = ranges[inner].low;
  if (factor * factor != 1 || !above.is_constant() || !below.is_constant()) return std::nullopt;
  return Bound{inner, outer, factor < 0, {slope, form.constant + slope * above.constant + factor * below.constant}};
}

/// Forms that are at least 0 where the constraint holds.
std::vector<Affine> at_least_0(const math::Constraint& c) {
  if (c.relation == Relation::not_equal) return {};
  const Affine one(c.relation == Relation::less || c.relation == Relation::greater ? 1 : 0);
  std::vector<Affine> forms;
  if (c.relation != Relation::greater && c.relation != Relation::greater_equal) forms.push_back(c.right - c.left - one);
  if (c.relation != Relation::less && c.relation != Relation::less_equal) forms.push_back(c.left - c.right - one);
  return forms;
}

bool counts(const Level& outer) {
  const Facts of = facts(outer);
  return of.region != Region::run && of.locate != Locate::one && of.slots == 0;
}

void narrow(std::vector<Level>& levels, const Bound& bound) {
  Level& level = levels[bound.inner];
  if (!facts(level).dense() || !counts(levels[bound.outer])) return;
  const int outer = static_cast<int>(bound.outer);
  if (level.bounds && level.bounds->outer != outer) return;
  if (!level.bounds) level.bounds = Bounds{outer};
  const Bounds::Line& line = bound.line;
  std::optional<Bounds::Line>& side = bound.negated ? level.bounds->end : level.bounds->low;
  if (side) return;
  // Negated, coordinate <= line: before line + 1.
  side = bound.negated ? Bounds::Line{line.slope, line.at_0 + 1} : Bounds::Line{-line.slope, -line.at_0};
}

}  // namespace

std::vector<Level> with_bounds(std::vector<Level> levels, const Layout& layout, const std::vector<Affine>& shape) {
  const std::vector<LevelRange> ranges = level_ranges(layout, shape);
  const Layout::Branch& first = layout.branches.front();
  std::map<std::string, Affine> back;
  for (std::size_t d = 0; d < first.back.size(); ++d) back[layout.dimensions[d]] = first.back[d];
  const auto is_digit = [&](const Affine& rest, std::int64_t divisor) { return lies_below(rest, divisor, ranges); };
  for (const auto* some : {&layout.stored, &first.where})
    for (const math::Constraint& c : *some)
      for (const Affine& form : at_least_0(c.substitute(back)))
        if (const auto bound = bound_of(math::cancel_digits(form, is_digit), ranges)) narrow(levels, *bound);
  return levels;
}

}  // namespace trellis::format
