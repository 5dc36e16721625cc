#include "engine/math/cancel_digits.hpp"

namespace trellis::math {

Affine cancel_digits(const Affine& form,
                     const std::function<bool(const Affine& rest, std::int64_t divisor)>& is_digit) {
  Affine result = form;
  result.quotients.clear();
  for (const Quotient& q : form.quotients) {
    const Affine of = cancel_digits(*q.numerator, is_digit);
    const bool div = q.kind == Quotient::Kind::div;
    Affine one = div ? Affine::div(of, q.divisor) : Affine::mod(of, q.divisor);
    if (one.quotients.size() == 1) {
      const Affine rest = *one.quotients.front().numerator;
      if (is_digit(rest, q.divisor)) {
        one.quotients.clear();
        if (!div) one = one + rest;
      }
    }
    result = result + q.coefficient * one;
  }
  return result;
}

}  // namespace trellis::math
