#include "engine/access/product.hpp"

#include <algorithm>

#include "engine/lang/expr.hpp"
#include "engine/math/exact.hpp"

namespace trellis::access {

namespace {

using math::Affine;
using math::Quotient;

/// Products of coordinates with more would need checks of their own.
constexpr std::int64_t largest_cut = std::int64_t{1} << 31;
constexpr std::int64_t largest_multiple = 1 << 20;

/// number div low mod (high div low); high 0: all of the number from the low cut on.
struct Cut {
  Affine number;
  std::int64_t low = 1, high = 0;
};

std::optional<Cut> cut_of(const Affine& form, const std::string& variable);

/// Of what a quotient divides, which may be a digit itself.
std::optional<Cut> numerator_of(const Quotient& q, const std::string& variable) {
  const bool digit = q.numerator->constant == 0 && q.numerator->terms.empty() && q.numerator->quotients.size() == 1;
  if (digit) return cut_of(*q.numerator, variable);
  const auto varies = [&](const Quotient& inner) { return inner.numerator->mentions(variable); };
  if (std::ranges::any_of(q.numerator->quotients, varies)) return std::nullopt;
  return Cut{*q.numerator};
}

std::optional<Cut> cut_of(const Affine& form, const std::string& variable) {
  const auto varies = [&](const Quotient& q) { return q.numerator->mentions(variable); };
  const auto found = std::ranges::find_if(form.quotients, varies);
  if (found == form.quotients.end() || found->coefficient != 1) return std::nullopt;
  Affine rest = form;
  rest.quotients.erase(rest.quotients.begin() + (found - form.quotients.begin()));
  auto cut = numerator_of(*found, variable);
  const auto at = cut ? math::exact_product(cut->low, found->divisor) : std::nullopt;
  if (!at || *at > largest_cut || (cut->high != 0 && cut->high % *at != 0)) return std::nullopt;
  (found->kind == Quotient::Kind::div ? cut->low : cut->high) = *at;
  if (rest == Affine(0)) return cut;
  // What is added to the top digit moves the number.
  if (rest.mentions(variable) || cut->high != 0) return std::nullopt;
  cut->number = cut->number + cut->low * rest;
  return cut;
}

/// A digit that is moved or multiplied: factor * digit + offset.
struct Moved {
  Cut cut;
  math::DigitMap map = {};
};

std::optional<Moved> moved_cut(const Affine& form, const std::string& variable) {
  if (const auto cut = cut_of(form, variable)) return Moved{*cut};
  const auto varies = [&](const Quotient& q) { return q.numerator->mentions(variable); };
  const auto found = std::ranges::find_if(form.quotients, varies);
  if (found == form.quotients.end()) return std::nullopt;
  const std::int64_t factor = found->coefficient;
  Affine rest = form, digit;
  digit.quotients.push_back(*found);
  digit.quotients.back().coefficient = 1;
  rest.quotients.erase(rest.quotients.begin() + (found - form.quotients.begin()));
  const bool small = factor >= 1 && factor <= largest_multiple && rest.is_constant() && rest.constant >= -largest_cut &&
                     rest.constant <= largest_cut;
  const auto cut = small ? cut_of(digit, variable) : std::nullopt;
  return cut ? std::optional(Moved{*cut, {rest.constant, factor, {}, {}}}) : std::nullopt;
}

/// Leaves out what is outside of a digit of that span, in a level of that size.
void clip(math::DigitMap& map, std::int64_t span, const Affine& size, const NonNegative& non_negative) {
  const std::int64_t high = map.offset + map.factor * (span - 1) + 1;
  if (map.offset > 0) map.low = map.offset;
  if (!non_negative(Affine(high) - size)) map.high = high;
}

bool is_multiple(const Affine& form, std::int64_t of) {
  return form.quotients.empty() && form.constant % of == 0 &&
         std::ranges::all_of(form.terms, [&](const auto& term) { return term.second % of == 0; });
}

/// Are the entries of the level next to each other, fiber after fiber, and in the order of their coordinates?
bool is_walked(const format::Facts& facts) {
  if (facts.dense()) return !facts.bounded;
  const bool stored = facts.positions && facts.locate == format::Locate::binary;
  return facts.points() && facts.rises() && facts.coordinates && (stored || facts.covaries());
}

/// Coordinates that repeat are told apart by levels below, each of which has one for each of them.
bool fits_above(const format::Facts& facts, const format::Facts& below, bool outermost) {
  if (!below.covaries()) return facts.dense() || facts.unique;
  return facts.covaries() || (outermost && !facts.dense());
}

}  // namespace

std::optional<Product> product(const lang::Access& access, const lang::TensorInfo& info,
                               const std::vector<format::Facts>& levels, int first, const std::string& variable,
                               const NonNegative& non_negative) {
  std::optional<Cut> top;
  Product all;
  bool left_out = false;
  std::int64_t above = 0;  // the cut that the next level's digit ends at
  for (int level = first; level < static_cast<int>(levels.size()); ++level) {
    const auto& facts = levels[static_cast<std::size_t>(level)];
    const auto form = lang::affine(level_index(access, info, level));
    auto moved = form ? moved_cut(*form, variable) : std::nullopt;
    const std::optional<Cut> cut = moved ? std::optional(moved->cut) : std::nullopt;
    if (level == first && facts.covaries()) return std::nullopt;
    if (!cut || !cut->number.mentions(variable) || !is_walked(facts)) return std::nullopt;
    const Affine& size = level_size(info, level);
    if (!top) {
      if (cut->high != 0) return std::nullopt;
      top = cut;
      const auto digit = [&](const Affine& coordinate) {
        return Affine::div(coordinate - Affine(moved->map.offset), moved->map.factor);
      };
      all.first = cut->low * digit(Affine(0));
      all.last = cut->low * digit(size - Affine(1));
    } else {
      const bool same = cut->high == above && is_multiple(cut->number - top->number, above);
      const auto& over = levels[static_cast<std::size_t>(level - 1)];
      if (!same || !fits_above(over, facts, level - 1 == first)) return std::nullopt;
      const std::int64_t span = cut->high / cut->low;
      clip(moved->map, span, size, non_negative);
      const bool all_of_it = moved->map.is_identity() && !moved->map.high;
      all.last = all.last + cut->low * (all_of_it ? size - Affine(1) : Affine(span - 1));
    }
    // Keys of what is left out would not rise, so those of tuples could not be sought.
    left_out = left_out || moved->map.leaves_out() || !moved->map.is_identity();
    if (left_out && facts.covaries()) return std::nullopt;
    above = cut->low;
    if (cut->low == 1) {
      const bool repeats = !facts.unique && level + 1 < static_cast<int>(levels.size());  // one key for several entries
      if (level == first || facts.dense() || repeats) return std::nullopt;
      all.number = top->number;
      all.level = level;
      all.own = moved->map;
      return all;
    }
    all.above.push_back({level, cut->low, !facts.dense(), moved->map});
  }
  return std::nullopt;
}

}  // namespace trellis::access
