#include "engine/math/differences.hpp"

#include <algorithm>

#include "engine/math/division.hpp"

namespace trellis::math {
namespace {

constexpr std::int64_t largest = std::int64_t{1} << 40;  // so that no path of bounds overflows
constexpr std::size_t most_alternatives = 8;

}  // namespace

/// `factor * (unknown - other) + constant`, the factor positive.
struct Differences::Form {
  int unknown = 0, other = 0;
  std::int64_t factor = 1, constant = 0;
};

int Differences::number_of(const std::string& name) {
  const auto found = std::ranges::find(names_, name);
  if (found != names_.end()) return static_cast<int>(found - names_.begin()) + 1;
  names_.push_back(name);
  return static_cast<int>(names_.size());
}

/// The first less the second.
std::optional<Differences::Form> Differences::form(const Affine& left, const Affine& right) {
  if (!left.quotients.empty() || !right.quotients.empty()) return std::nullopt;
  const auto fits = [](std::int64_t number) { return number > -largest && number < largest; };
  if (!fits(left.constant) || !fits(right.constant)) return std::nullopt;
  struct Term {
    const std::string* name;
    std::int64_t coefficient;
  };
  Term terms[2];
  std::size_t count = 0;
  auto a = left.terms.begin(), b = right.terms.begin();
  while (a != left.terms.end() || b != right.terms.end()) {
    const int before = a == left.terms.end() ? 1 : b == right.terms.end() ? -1 : a->first.compare(b->first);
    if ((before <= 0 && !fits(a->second)) || (before >= 0 && !fits(b->second))) return std::nullopt;
    const std::string& name = before <= 0 ? a->first : b->first;
    const std::int64_t coefficient = (before <= 0 ? a->second : 0) - (before >= 0 ? b->second : 0);
    if (before <= 0) ++a;
    if (before >= 0) ++b;
    if (coefficient == 0) continue;
    if (count == 2) return std::nullopt;
    terms[count++] = {&name, coefficient};
  }
  Form form{0, 0, 1, left.constant - right.constant};
  if (count == 0) return form;
  if (count == 2 && terms[0].coefficient != -terms[1].coefficient) return std::nullopt;
  const std::size_t positive = terms[0].coefficient > 0 ? 0 : 1;
  if (positive < count) form.unknown = number_of(*terms[positive].name);
  if (1 - positive < count) form.other = number_of(*terms[1 - positive].name);
  form.factor = std::abs(terms[0].coefficient);
  return form;
}

void Differences::require(const Constraint& constraint) {
  const bool splits = constraint.relation == Relation::not_equal;
  const auto of = form(constraint.left, constraint.right);
  if (!of || (splits && alternatives_.size() >= most_alternatives)) {
    exact_ = false;
    return;
  }
  // The form is at most, or at least, so much.
  const auto at_most = [&](std::int64_t bound) {
    return Bound{of->unknown, of->other, floor_div(bound - of->constant, of->factor)};
  };
  const auto at_least = [&](std::int64_t bound) {
    return Bound{of->other, of->unknown, floor_div(of->constant - bound, of->factor)};
  };
  const auto add = [&](const Bound& bound) {
    for (Bounds& bounds : alternatives_) bounds.push_back(bound);
  };
  switch (constraint.relation) {
    case Relation::less: return add(at_most(-1));
    case Relation::less_equal: return add(at_most(0));
    case Relation::greater_equal: return add(at_least(0));
    case Relation::greater: return add(at_least(1));
    case Relation::equal: add(at_most(0)); return add(at_least(0));
    case Relation::not_equal: break;
  }
  const std::vector<Bounds> below = alternatives_;
  add(at_least(1));
  for (Bounds bounds : below) {
    bounds.push_back(at_most(-1));
    alternatives_.push_back(std::move(bounds));
  }
}

bool Differences::is_contradictory(const Bounds& bounds) const {
  std::vector<std::int64_t> least(names_.size() + 1, 0);
  for (std::size_t round = 0; round <= least.size(); ++round) {
    bool changed = false;
    for (const Bound& b : bounds) {
      std::int64_t& own = least[static_cast<std::size_t>(b.unknown)];
      const std::int64_t through = least[static_cast<std::size_t>(b.other)] + b.bound;
      if (through < own) own = through, changed = true;
    }
    if (!changed) return false;
  }
  return true;
}

std::optional<bool> Differences::is_empty() const {
  for (const Bounds& bounds : alternatives_)
    if (!is_contradictory(bounds)) return exact_ ? std::optional(false) : std::nullopt;
  return true;
}

}  // namespace trellis::math
