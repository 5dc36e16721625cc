#include "engine/loop/isolate.hpp"

#include <algorithm>

#include "engine/math/exact.hpp"

namespace trellis::loop {

using math::Affine;
using math::Relation;

namespace {

Affine divided(const Affine& numerator, std::int64_t divisor) {
  return divisor == 1 ? numerator : Affine::div(numerator, divisor);
}

/// The interval of `factor * v + rest <= 0`.
Interval at_most_zero(std::int64_t factor, const Affine& rest) {
  if (factor > 0) return {std::nullopt, divided(-rest, factor) + Affine(1)};
  return {divided(rest + Affine(-factor - 1), -factor), std::nullopt};
}

/// Of `factor * v + rest` compared with 0.
std::optional<Interval> interval(std::int64_t factor, const Affine& rest, Relation relation) {
  switch (relation) {
    case Relation::less_equal: return at_most_zero(factor, rest);
    case Relation::less: return at_most_zero(factor, rest + Affine(1));
    case Relation::greater_equal: return at_most_zero(-factor, -rest);
    case Relation::greater: return at_most_zero(-factor, -rest + Affine(1));
    case Relation::equal: {
      if (factor != 1 && factor != -1) return std::nullopt;
      const Affine value = factor == 1 ? -rest : rest;
      return Interval{value, value + Affine(1)};
    }
    case Relation::not_equal: return std::nullopt;
  }
  return std::nullopt;
}

/// The product, unless one of its coefficients is out of range.
std::optional<Affine> product(std::int64_t factor, const Affine& a) {
  const auto fits = [&](std::int64_t coefficient) { return math::exact_product(factor, coefficient).has_value(); };
  const auto fits_in = [&](const auto& pair) { return fits(pair.second); };
  const auto fits_before = [&](const math::Quotient& q) { return fits(q.coefficient); };
  const bool all =
      fits(a.constant) && std::ranges::all_of(a.terms, fits_in) && std::ranges::all_of(a.quotients, fits_before);
  return all ? std::optional(factor * a) : std::nullopt;
}

/// The variable stands in one quotient of the difference, which is compared with 0: a bound of the quotient is one of
/// its numerator, `low <= e/d` as `d*low <= e` and `e/d < high` as `e < d*high`.
std::optional<Interval> isolate_in_quotient(const Affine& difference, Relation relation, const std::string& variable) {
  const auto inside = [&](const math::Quotient& q) { return q.numerator->mentions(variable); };
  const auto at = std::ranges::find_if(difference.quotients, inside);
  if (at == difference.quotients.end() || at->kind != math::Quotient::Kind::div) return std::nullopt;
  Affine rest = difference;
  rest.quotients.erase(rest.quotients.begin() + (at - difference.quotients.begin()));
  if (rest.mentions(variable)) return std::nullopt;
  const auto quotient = interval(at->coefficient, rest, relation);
  if (!quotient) return std::nullopt;
  Interval all;
  const auto meet = [&](const std::optional<Affine>& bound, Relation side) {
    if (!bound) return true;
    const auto limit = product(at->divisor, *bound);
    const auto one = limit ? isolate({*at->numerator, side, *limit}, variable) : std::nullopt;
    if (one && one->low) all.low = one->low;
    if (one && one->high) all.high = one->high;
    return one.has_value();
  };
  return meet(quotient->low, Relation::greater_equal) && meet(quotient->high, Relation::less) ? std::optional(all)
                                                                                              : std::nullopt;
}

}  // namespace

std::optional<Interval> isolate(const math::Constraint& constraint, const std::string& variable) {
  const Affine difference = constraint.left - constraint.right;
  const std::int64_t factor = difference.coefficient(variable);
  const Affine rest = difference - Affine::name(variable, factor);
  if (factor == 0) return isolate_in_quotient(difference, constraint.relation, variable);
  return rest.mentions(variable) ? std::nullopt : interval(factor, rest, constraint.relation);
}

}  // namespace trellis::loop
