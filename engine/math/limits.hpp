#pragma once
// How large the numbers of a form may be, so that sums of two of them still fit 64 bits.

#include <algorithm>

#include "engine/math/affine.hpp"
#include "engine/math/exact.hpp"

namespace trellis::math {

inline constexpr std::int64_t largest_coefficient = std::int64_t{1} << 62;

/// The same of the form times a factor.
inline bool within_limits(std::int64_t factor, const Affine& form) {
  const auto fits = [&](std::int64_t number) {
    const auto product = exact_product(factor, number);
    return product && *product >= -largest_coefficient && *product <= largest_coefficient;
  };
  return fits(form.constant) && std::ranges::all_of(form.terms, [&](const auto& term) { return fits(term.second); }) &&
         std::ranges::all_of(form.quotients, [&](const Quotient& q) { return fits(q.coefficient); });
}
/// Is no number of the form farther from 0 than that?
inline bool within_limits(const Affine& form) { return within_limits(1, form); }

}  // namespace trellis::math
