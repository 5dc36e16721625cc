#include "engine/loop/arrange.hpp"

#include <map>

#include "engine/loop/nest_digits.hpp"
#include "engine/loop/normalise.hpp"
#include "engine/loop/split_phases.hpp"

namespace trellis::loop {

namespace {

/// Sizes that the program assumes to be numbers.
std::map<std::string, std::int64_t> assumed_values(const lang::Program& program) {
  std::map<std::string, std::int64_t> values;
  for (const math::Constraint& c : program.assumed) {
    const auto name = c.left.as_name();
    if (name && c.relation == math::Relation::equal && c.right.is_constant()) values[*name] = c.right.constant;
  }
  return values;
}

Expr with_values(const Expr& expr, const std::map<std::string, std::int64_t>& values) {
  if (const auto* p = expr.as<lang::Parameter>(); p && expr->type == format::ScalarType::i64)
    if (const auto found = values.find(p->name); found != values.end())
      return Expr(lang::ExprNode{lang::integer(found->second)->is, expr->type, expr->span}, expr.origin(), expr.id());
  return lang::map_children(expr, [&](const Expr& child) { return with_values(child, values); });
}

Stmt with_values(const Stmt& stmt, const std::map<std::string, std::int64_t>& values) {
  if (values.empty()) return stmt;
  return map_children(
      stmt, [&](const Stmt& child) { return with_values(child, values); },
      [&](const Expr& expr) { return with_values(expr, values); });
}

}  // namespace

Stmt arrange(const Stmt& loops, const lang::Program& program, math::Solver& solver) {
  const Stmt known = with_values(loops, assumed_values(program));
  const Stmt phases = split_phases(known, program, solver);
  const Stmt nested = nest_digits(phases, program, solver);
  return nested.same(loops) ? loops : normalise(nested, program, solver, From::source);
}

}  // namespace trellis::loop
