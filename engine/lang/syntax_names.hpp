#pragma once
// Names as expressions, and the names in expressions.

#include <string>
#include <vector>

#include "engine/lang/syntax.hpp"

namespace trellis::lang::syntax {

/// The name that an expression is alone: no step, no arguments, no body. Else null.
const Name* name_alone(const Expr& expr);
const std::string* bare_name(const Expr& expr);
Expr name_expr(const std::string& name, Span span);

/// Every name once, in the order in which they are written.
std::vector<std::string> names_in(const Expr& expr);
std::vector<std::string> names_in(const Equation& equation);

}  // namespace trellis::lang::syntax
