#pragma once
// The value of a `param`: made of numbers, parameters before it and functions of them.

#include <optional>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

/// What becomes of a quotient of integers that leaves a remainder.
enum class Quotients { exact, rounded_down };

struct ConstantValue {
  std::optional<format::Value> value;   ///< empty when something was reported
  std::optional<syntax::Expr> rounded;  ///< the first quotient that was
};
ConstantValue constant_value(Resolution& resolution, const syntax::Expr& e, Quotients quotients);

}  // namespace trellis::lang::resolving
