#include "engine/schedule/fixed_value.hpp"

namespace trellis::schedule {

bool is_fixed(const loop::Expr& expr) {
  bool fixed = !expr.as<lang::Access>() && !expr.as<lang::Variable>();
  lang::for_each_child(expr, [&](const loop::Expr& child) { fixed = fixed && is_fixed(child); });
  return fixed;
}

std::map<int, loop::Expr> fixed_values(const loop::Stmt& loops) {
  std::map<int, loop::Expr> values;
  loop::for_each(loops, [&](const loop::Stmt& stmt) {
    if (stmt.id() < 0) return;
    const auto* assign = stmt.as<loop::Assign>();
    const auto* reset = stmt.as<loop::Reset>();
    if (assign && !assign->op && is_fixed(assign->value)) values.emplace(stmt.id(), assign->value);
    if (reset && is_fixed(reset->value)) values.emplace(stmt.id(), reset->value);
  });
  return values;
}

}  // namespace trellis::schedule
