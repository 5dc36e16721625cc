#pragma once
// Rewrite rules over expressions, written as they read: `{x - x, 0}`. A pattern is itself an expression in which the
// Variables x, y, z stand for any expression and a constant for that number in any type.

#include <initializer_list>
#include <optional>
#include <vector>

#include "engine/lang/expr.hpp"

namespace trellis::loop {

using lang::Expr;

/// An expression under construction, for writing rules.
struct Pattern {
  Expr expr;
  Pattern(Expr e) : expr(std::move(e)) {}                                     // NOLINT: rules read better
  Pattern(int number) : expr(lang::integer(number)) {}                        // NOLINT
  Pattern(bool truth) : expr(lang::constant(format::Value::truth(truth))) {}  // NOLINT
};
Pattern wildcard(const char* name);
Pattern operator+(Pattern a, Pattern b);
Pattern operator-(Pattern a, Pattern b);
Pattern operator*(Pattern a, Pattern b);
Pattern operator/(Pattern a, Pattern b);
Pattern operator-(Pattern a);
Pattern operator!(Pattern a);
Pattern operator&&(Pattern a, Pattern b);
Pattern operator||(Pattern a, Pattern b);
Pattern operator==(Pattern a, Pattern b);
Pattern operator!=(Pattern a, Pattern b);
Pattern operator<(Pattern a, Pattern b);
Pattern operator<=(Pattern a, Pattern b);
Pattern operator>(Pattern a, Pattern b);
Pattern operator>=(Pattern a, Pattern b);
Pattern power(Pattern a, Pattern b);
Pattern select(Pattern condition, Pattern then, Pattern otherwise);
Pattern min(Pattern a, Pattern b);
Pattern max(Pattern a, Pattern b);

struct Rule {
  Pattern before, after;
  /// The types of operands for which it is exact: `x + 0` is not x for -0.0, nor `x == x` true for nan.
  enum class For { any_type, exact_types } when = For::any_type;
};

/// The right side of the first rule whose left side is the expression; empty if there is none.
/// A rule never drops an operand that may fault.
std::optional<Expr> rewrite(const Expr& expr, const std::vector<Rule>& rules);

}  // namespace trellis::loop
