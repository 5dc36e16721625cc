#pragma once
// (R*I + r) div R = I and (R*I + r) mod R = r where 0 <= r < R: digits of a number that is put together of them.

#include <functional>

#include "engine/math/affine.hpp"

namespace trellis::math {

/// The form without quotients of which only a digit is left: `is_digit(rest, divisor)` says 0 <= rest < divisor.
Affine cancel_digits(const Affine& form, const std::function<bool(const Affine& rest, std::int64_t divisor)>& is_digit);

}  // namespace trellis::math
