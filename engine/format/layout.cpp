#include "engine/format/layout.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace trellis::format {

using math::Affine;
using math::Quotient;
using math::Relation;

std::string level_coordinate(std::size_t level) { return "l" + std::to_string(level); }

namespace {

/// low <= form < end.
struct Range {
  Affine low, end;
};

using Ranges = std::map<std::string, Range>;

Affine rounded_up(const Affine& numerator, std::int64_t divisor) {
  return Affine::div(numerator + Affine(divisor - 1), divisor);
}

Range range_of(const Affine& form, const Ranges& known);

Range range_of(const Quotient& q, const Ranges& known) {
  if (q.kind == Quotient::Kind::mod) return {0, q.divisor};
  const Range of = range_of(*q.numerator, known);
  return {Affine::div(of.low, q.divisor), rounded_up(of.end, q.divisor)};
}

void add(Range& sum, const Range& next, std::int64_t factor) {
  sum.low = sum.low + factor * (factor > 0 ? next.low : next.end);
  sum.end = sum.end + factor * (factor > 0 ? next.end : next.low);
}

/// Over all values of its names, each by itself; of several a little more, so that no size is negative where one is 0.
Range range_of(const Affine& form, const Ranges& known) {
  Range sum{form.constant, form.constant};
  bool rises = false;
  for (const auto& [name, factor] : form.terms) add(sum, known.at(name), factor), rises |= factor > 0;
  for (const Quotient& q : form.quotients) add(sum, range_of(q, known), q.coefficient), rises |= q.coefficient > 0;
  if (!rises) sum.end = sum.end + Affine(1);
  return sum;
}

/// How a constraint bounds the form by a constant, if it does.
void narrow(Range& range, const Affine& form, const math::Constraint& c) {
  const Affine difference = c.left - c.right;
  for (const bool same : {true, false}) {
    const Affine rest = same ? difference - form : difference + form;
    if (!rest.is_constant()) continue;
    // same: form + rest relation 0; else: rest - form relation 0.
    const std::int64_t at = same ? -rest.constant : rest.constant;
    const bool below = c.relation == Relation::less || c.relation == Relation::less_equal;
    const bool above = c.relation == Relation::greater || c.relation == Relation::greater_equal;
    const bool strict = c.relation == Relation::less || c.relation == Relation::greater;
    if (c.relation == Relation::equal || (same ? below : above)) range.end = Affine(strict ? at : at + 1);
    if (c.relation == Relation::equal || (same ? above : below)) range.low = Affine(strict ? at + 1 : at);
  }
}

}  // namespace

std::vector<LevelRange> level_ranges(const Layout& layout, const std::vector<Affine>& shape) {
  Ranges known;
  for (std::size_t d = 0; d < layout.dimensions.size(); ++d) known[layout.dimensions[d]] = {0, shape[d]};
  std::vector<LevelRange> all;
  for (const Affine& form : layout.branches.front().to) {
    Range range = range_of(form, known);
    for (const math::Constraint& c : layout.stored) narrow(range, form, c);
    all.push_back({range.low, range.end - range.low});
  }
  return all;
}

namespace {

std::string joined(const std::vector<math::Constraint>& all) {
  std::string text;
  for (const math::Constraint& c : all) text += (text.empty() ? "" : ", ") + math::to_string(c);
  return text;
}

}  // namespace

std::string to_text(const Layout& layout) {
  std::string text;
  for (const std::string& name : layout.dimensions) text += (text.empty() ? "(" : ", ") + name;
  text += ") ->";
  for (const Layout::Branch& branch : layout.branches) {
    std::string to;
    for (const Affine& form : branch.to) to += (to.empty() ? "" : ", ") + math::to_string(form);
    const bool last = &branch == &layout.branches.back();
    text += " (" + to + ")" + (last ? "" : " if " + joined(branch.where) + ", else");
  }
  return layout.stored.empty() ? text : text + " : " + joined(layout.stored);
}

}  // namespace trellis::format
