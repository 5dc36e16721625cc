#include "engine/lang/syntax_names.hpp"

#include "engine/text/sequence.hpp"

namespace trellis::lang::syntax {

const Name* name_alone(const Expr& expr) {
  const auto* r = expr.as<Reference>();
  return r && !r->step && !r->arguments && !r->body ? &r->name : nullptr;
}

const std::string* bare_name(const Expr& expr) {
  const Name* name = name_alone(expr);
  return name ? &name->text : nullptr;
}

Expr name_expr(const std::string& name, Span span) { return Expr(ExprNode{Reference{{name, span}, {}, {}, {}}, span}); }

namespace {

void collect_names(const Expr& expr, std::vector<std::string>& into) {
  if (const auto* r = expr.as<Reference>()) add_once(into, r->name.text);
  for_each_child(*expr, [&](const Expr& child) { collect_names(child, into); });
}

}  // namespace

std::vector<std::string> names_in(const Expr& expr) {
  std::vector<std::string> names;
  collect_names(expr, names);
  return names;
}

std::vector<std::string> names_in(const Equation& equation) {
  std::vector<std::string> names;
  collect_names(equation.left, names);
  collect_names(equation.right, names);
  for (const Constraint& c : equation.constraints)
    for (const Expr& side : c.sides) collect_names(side, names);
  return names;
}

}  // namespace trellis::lang::syntax
