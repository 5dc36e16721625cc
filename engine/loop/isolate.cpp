#include "engine/loop/isolate.hpp"

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

}  // namespace

std::optional<Interval> isolate(const math::Constraint& constraint, const std::string& variable) {
  const Affine difference = constraint.left - constraint.right;
  const std::int64_t factor = difference.coefficient(variable);
  const Affine rest = difference - Affine::name(variable, factor);
  if (factor == 0 || rest.mentions(variable)) return std::nullopt;
  switch (constraint.relation) {
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

}  // namespace trellis::loop
