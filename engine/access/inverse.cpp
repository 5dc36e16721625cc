#include "engine/access/inverse.hpp"

#include <cstdlib>

namespace trellis::access {

namespace {

using math::Affine;

/// Products of coordinates with more would need checks of their own.
constexpr std::int64_t largest_factor = 1 << 20;

/// stored = coefficient * variable + rest.
std::optional<Inverse> of_multiple(const Affine& index, const std::string& variable) {
  const std::int64_t coefficient = index.coefficient(variable);
  if (coefficient == 0 || coefficient < -largest_factor || coefficient > largest_factor) return std::nullopt;
  const Affine rest = index - Affine::name(variable, coefficient);
  if (rest.mentions(variable)) return std::nullopt;
  return Inverse{coefficient < 0, std::abs(coefficient), 1, 1, coefficient < 0 ? rest : -rest};
}

}  // namespace

std::pair<Affine, Affine> Inverse::range(const Stored& stored) const {
  const Affine first = stretch * stored.first, last = stretch * stored.last + Affine(stretch - 1);
  return reversed ? std::pair(offset - last, offset - first) : std::pair(offset + first, offset + last);
}

Inverse::Stored Inverse::at(const Affine& coordinate) const {
  const Affine first = stride * coordinate, last = first + Affine(width - 1);
  return reversed ? Stored{offset - last, offset - first} : Stored{first - offset, last - offset};
}

std::optional<Inverse> segments(const Affine& known, const std::string& variable, const Inverse::Stored& added) {
  const Affine span = added.last - added.first;
  const auto own = of_multiple(known, variable);
  if (!own || !span.is_constant() || span.constant < 1 || span.constant >= own->stride) return std::nullopt;
  Inverse all = *own;
  all.width = span.constant + 1;
  all.offset = all.reversed ? all.offset + added.last : all.offset - added.first;
  return all;
}

std::optional<Inverse> inverse(const Affine& index, const std::string& variable) {
  if (auto multiple = of_multiple(index, variable)) return multiple;
  if (index.coefficient(variable) != 0) return std::nullopt;
  // stored = (±variable + c) div d + rest, so ±variable + c = d * (stored - rest) + (0 or … or d - 1)
  std::optional<Inverse> found;
  Affine rest = index;
  rest.quotients.clear();
  for (const math::Quotient& q : index.quotients) {
    if (!q.numerator->mentions(variable)) {
      rest.quotients.push_back(q);
      continue;
    }
    const auto inner = of_multiple(*q.numerator, variable);
    if (found || !inner || inner->stride != 1 || q.kind != math::Quotient::Kind::div || q.coefficient != 1 ||
        q.divisor > largest_factor)
      return std::nullopt;
    found = Inverse{inner->reversed, 1, 1, q.divisor, inner->offset};
  }
  if (!found) return std::nullopt;
  const Affine moved = found->stretch * rest;
  found->offset = found->reversed ? found->offset + moved : found->offset - moved;
  return found;
}

}  // namespace trellis::access
