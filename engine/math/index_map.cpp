#include "engine/math/index_map.hpp"

#include <algorithm>

#include "engine/math/sizes.hpp"

namespace trellis::math {

using Maybe = std::optional<Index>;

bool Digit::operator==(const Digit& other) const {
  return over == other.over && span == other.span && top == other.top && (of == other.of || *of == *other.of);
}

Index Index::name(std::string variable) { return {Affine(0), {{Part{std::move(variable)}, Affine(1)}}}; }

bool never_negative(const Affine& size) {
  const auto positive = [](const auto& term) { return term.second > 0; };
  return size.quotients.empty() && size.constant >= 0 && std::ranges::all_of(size.terms, positive);
}

namespace {

Index of_digit(Digit digit) { return {Affine(0), {{Part{{}, std::move(digit)}, Affine(1)}}}; }

void add_part(Index& into, const Part& part, const Affine& factor) {
  const auto found = std::ranges::find(into.parts, part, [](const auto& p) { return p.first; });
  if (found == into.parts.end()) into.parts.emplace_back(part, factor);
  else found->second = found->second + factor;
  std::erase_if(into.parts, [](const auto& p) { return p.second == Affine(0); });
}

/// The only digit of x, if x is that.
const Digit* alone(const Index& x) {
  const bool one = x.parts.size() == 1 && x.constant == Affine(0) && x.parts[0].second == Affine(1);
  return one && x.parts[0].first.digit ? &*x.parts[0].first.digit : nullptr;
}

/// x = g*high + low, high as large as the factors show.
std::pair<Index, Index> parted(const Index& x, const Affine& g) {
  Index high, low;
  for (const auto& [part, factor] : x.parts) {
    const auto quotient = exact_quotient(factor, g);
    add_part(quotient ? high : low, part, quotient ? *quotient : factor);
  }
  const auto add_constant = [&](const Affine& term) {
    const auto quotient = exact_quotient(term, g);
    Affine& into = quotient ? high.constant : low.constant;
    into = into + (quotient ? *quotient : term);
  };
  for (const auto& [name, coefficient] : x.constant.terms) add_constant(Affine::name(name, coefficient));
  Affine rest = x.constant;
  rest.terms = {};
  if (rest != Affine(0)) add_constant(rest);
  return {std::move(high), std::move(low)};
}

}  // namespace

/// hi*span + lo of neighbouring digits of one index is one digit, and the index itself when it has them all.
Maybe IndexMaps::merged(Index x) const {
  for (const auto& [low, low_factor] : x.parts) {
    if (!low.digit || low.digit->top) continue;
    const Digit& lower = *low.digit;
    const auto above = product(lower.over, lower.span), times = product(low_factor, lower.span);
    if (!above || !times) return std::nullopt;
    for (const auto& [high, high_factor] : x.parts) {
      if (!high.digit || high == low || high.digit->over != *above || high_factor != *times ||
          *high.digit->of != *lower.of)
        continue;
      const auto span = product(lower.span, high.digit->span);
      const auto both = span ? digit(*lower.of, lower.over, *span, high.digit->top) : std::nullopt;
      const auto scaled_both = both ? scaled(*both, low_factor) : std::nullopt;
      if (!scaled_both) return std::nullopt;
      Index rest{x.constant};
      for (const auto& [part, factor] : x.parts)
        if (part != low && part != high) rest.parts.emplace_back(part, factor);
      return sum(rest, *scaled_both);
    }
  }
  return x;
}

Maybe IndexMaps::sum(const Index& a, const Index& b) const {
  Index result = a;
  result.constant = a.constant + b.constant;
  for (const auto& [part, factor] : b.parts) add_part(result, part, factor);
  return merged(std::move(result));
}

Maybe IndexMaps::scaled(const Index& a, const Affine& factor) const {
  Index result;
  const auto constant = product(a.constant, factor);
  if (!constant) return std::nullopt;
  result.constant = *constant;
  for (const auto& [part, own] : a.parts) {
    const auto both = product(own, factor);
    if (!both) return std::nullopt;
    add_part(result, part, *both);
  }
  return result;
}

std::optional<std::pair<Affine, Affine>> IndexMaps::bounds(const Index& x) const {
  Affine low = x.constant, high = x.constant;
  for (const auto& [part, factor] : x.parts) {
    const auto known = part.digit ? spans_.end() : spans_.find(part.name);
    if (!part.digit && known == spans_.end()) return std::nullopt;
    const auto reach = product(factor, (part.digit ? part.digit->span : known->second) - Affine(1));
    if (!reach || (!never_negative(factor) && !never_negative(-factor))) return std::nullopt;
    Affine& end = never_negative(factor) ? high : low;
    end = end + *reach;
  }
  return std::pair(low, high);
}

/// t in 0, 1, -1 with 0 <= x + t*limit < limit for all sizes.
std::optional<std::int64_t> IndexMaps::borrow(const Index& x, const Affine& limit) const {
  const auto b = bounds(x);
  if (!b) return std::nullopt;
  for (const std::int64_t t : {0, 1, -1})
    if (never_negative(b->first + t * limit) && never_negative(limit - Affine(1) - b->second - t * limit)) return t;
  return std::nullopt;
}

Maybe IndexMaps::remainder(const Index& x, const Affine& span) const {
  Index low = parted(x, span).second;
  if (const auto t = borrow(low, span)) {
    low.constant = low.constant + *t * span;
    return low;
  }
  const Digit* d = alone(low);
  if (d && (d->top || exact_quotient(d->span, span))) return of_digit({d->of, d->over, span, false});
  return of_digit({std::make_shared<const Index>(std::move(low)), Affine(1), span, false});
}

Maybe IndexMaps::digit(const Index& written, const Affine& over, const Affine& span, bool top) const {
  if (!top && span == Affine(1)) return Index{};
  if (over == Affine(1)) return top ? Maybe(written) : remainder(written, span);
  const auto all = product(over, span);
  if (!all) return std::nullopt;
  const Index x = top ? written : parted(written, *all).second;
  std::vector<Affine> divisors{over};
  for (const auto& [part, factor] : x.parts)
    if (factor != Affine(1) && exact_quotient(over, factor)) divisors.push_back(factor);
  for (const Affine& g : divisors) {
    auto [high, low] = parted(x, g);
    const auto t = borrow(low, g);
    if (!t) continue;
    high.constant = high.constant - Affine(*t);  // x = g*(high - t) + (low + t*g)
    if (g == over) return top ? Maybe(high) : remainder(high, span);
    return digit(high, *exact_quotient(over, g), span, top);
  }
  if (const Digit* d = alone(x)) {
    const auto both = product(d->over, over);
    const auto left = exact_quotient(d->span, over);
    if (both && d->top) return of_digit({d->of, *both, span, top});
    if (both && left && (top || exact_quotient(d->span, *all)))
      return of_digit({d->of, *both, top ? *left : span, false});
  }
  return of_digit({std::make_shared<const Index>(x), over, span, top});
}

Maybe IndexMaps::substitute(const Index& x, const std::map<std::string, Index>& replacements) const {
  Index result{x.constant};
  for (const auto& [part, factor] : x.parts) {
    Maybe next;
    if (!part.digit) {
      const auto found = replacements.find(part.name);
      next = found == replacements.end() ? Index::name(part.name) : found->second;
    } else if (const auto inner = substitute(*part.digit->of, replacements)) {
      next = digit(*inner, part.digit->over, part.digit->span, part.digit->top);
    }
    const auto times = next ? scaled(*next, factor) : std::nullopt;
    const auto both = times ? sum(result, *times) : std::nullopt;
    if (!both) return std::nullopt;
    result = *both;
  }
  return result;
}

Maybe IndexMaps::with_sizes(const Index& x, const std::map<std::string, Affine>& sizes) const {
  Index result{x.constant.substitute(sizes)};
  for (const auto& [part, factor] : x.parts) {
    Maybe next = Index::name(part.name);
    if (part.digit) {
      const auto inner = with_sizes(*part.digit->of, sizes);
      next =
          inner ? digit(*inner, part.digit->over.substitute(sizes), part.digit->span.substitute(sizes), part.digit->top)
                : std::nullopt;
    }
    const auto times = next ? scaled(*next, factor.substitute(sizes)) : std::nullopt;
    const auto both = times ? sum(result, *times) : std::nullopt;
    if (!both) return std::nullopt;
    result = *both;
  }
  return result;
}

}  // namespace trellis::math
