#include "engine/math/points.hpp"

#include <algorithm>

namespace trellis::math {
namespace {

using Lookup = std::function<std::optional<std::int64_t>(const std::string&)>;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0); }

struct Range {
  std::int64_t low, high;  // inclusive
};

// Narrows `range` by `left relation right` seen as `coefficient * variable + rest >= 0` (or == 0).
void narrow(Range& range, const std::string& variable, const Constraint& c, const Lookup& value) {
  if (c.relation == Relation::not_equal) return;
  const bool flip = c.relation == Relation::less || c.relation == Relation::less_equal;
  Affine form = flip ? c.right - c.left : c.left - c.right;
  if (c.relation == Relation::less || c.relation == Relation::greater) form.constant -= 1;
  for (const Quotient& quotient : form.quotients)
    if (quotient.numerator->mentions(variable)) return;
  const std::int64_t coefficient = form.coefficient(variable);
  if (coefficient == 0) return;
  const auto rest = (form - Affine::name(variable, coefficient)).evaluate(value);
  if (!rest) return;
  auto at_least = [&](std::int64_t a, std::int64_t b) {  // a * variable + b >= 0
    if (a > 0) range.low = std::max(range.low, -floor_div(b, a));
    else range.high = std::min(range.high, floor_div(b, -a));
  };
  at_least(coefficient, *rest);
  if (c.relation == Relation::equal) at_least(-coefficient, -*rest);
}

struct Walk {
  const Domain& domain;
  const std::function<void(const Point&)>& visit;
  std::int64_t limit;
  Lookup value;
  Point& point;

  bool satisfied() const {
    return std::all_of(domain.constraints.begin(), domain.constraints.end(),
                       [&](const Constraint& c) { return c.holds(value).value_or(false); });
  }
  void from(std::size_t k) {
    if (k == domain.variables.size()) {
      if (satisfied()) visit(point);
      return;
    }
    Range range{-limit, limit};
    for (const Constraint& c : domain.constraints) narrow(range, domain.variables[k], c, value);
    for (std::int64_t v = range.low; v <= range.high; ++v) {
      point.push_back(v);
      from(k + 1);
      point.pop_back();
    }
  }
};

}  // namespace

void for_each_point(const Domain& domain, const Assignment& sizes, const std::function<void(const Point&)>& visit,
                    std::int64_t limit) {
  Point point;
  const Lookup value = [&](const std::string& name) -> std::optional<std::int64_t> {
    const auto at = std::find(domain.variables.begin(), domain.variables.end(), name);
    if (at != domain.variables.end()) {
      const auto k = static_cast<std::size_t>(at - domain.variables.begin());
      return k < point.size() ? std::optional(point[k]) : std::nullopt;
    }
    for (const auto& [size, number] : sizes)
      if (size == name) return number;
    return std::nullopt;
  };
  Walk{domain, visit, limit, value, point}.from(0);
}

}  // namespace trellis::math
