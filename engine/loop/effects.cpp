#include "engine/loop/effects.hpp"

#include <algorithm>

namespace trellis::loop {

namespace {

void add_tensors(const Expr& expr, std::set<std::string>& into) {
  if (const auto* a = expr.as<lang::Access>()) into.insert(a->tensor);
  lang::for_each_child(expr, [&](const Expr& child) { add_tensors(child, into); });
}

void add_effects(const Stmt& stmt, Effects& all) {
  if (const auto* a = stmt.as<Assign>()) {
    const auto& target = *a->target.as<lang::Access>();
    all.writes.insert(target.tensor);
    for (const Expr& index : target.indices) add_tensors(index, all.reads);
    return add_tensors(a->value, all.reads);
  }
  if (const auto* r = stmt.as<Reset>()) all.writes.insert(r->tensor);
  if (const auto* e = stmt.as<Exchange>()) {
    all.writes.insert(e->tensor);
    all.reads.insert(e->tensor);
  }
  for_each_child(
      stmt, [&](const Stmt& child) { add_effects(child, all); },
      [&](const Expr& expr) { add_tensors(expr, all.reads); });
}

}  // namespace

Effects effects(const Stmt& stmt) {
  Effects all;
  add_effects(stmt, all);
  return all;
}

std::set<std::string> tensors_in(const Expr& expr) {
  std::set<std::string> all;
  add_tensors(expr, all);
  return all;
}

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.contains(name); });
}

}  // namespace trellis::loop
