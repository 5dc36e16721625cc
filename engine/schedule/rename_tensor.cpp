#include "engine/schedule/rename_tensor.hpp"

#include <algorithm>

namespace trellis::schedule {
namespace {

using loop::Expr;
using loop::Stmt;

Stmt with(const Stmt& stmt, auto node) { return Stmt(loop::StmtNode{std::move(node), stmt->span}, stmt.origin()); }

}  // namespace

Expr renamed(const Expr& expr, const std::string& from, const std::string& to) {
  const Expr inside = lang::map_children(expr, [&](const Expr& child) { return renamed(child, from, to); });
  const auto* access = inside.as<lang::Access>();
  if (!access || access->tensor != from) return inside;
  lang::Access next = *access;
  next.tensor = to;
  return Expr(lang::ExprNode{std::move(next), inside->type, inside->span}, inside.origin(), inside.id());
}

Stmt renamed(const Stmt& loops, const std::string& from, const std::string& to) {
  if (const auto* d = loops.as<loop::Declare>(); d && d->tensor.name == from) return loop::block({}, loops.origin());
  const Stmt inside = loop::map_children(
      loops, [&](const Stmt& child) { return renamed(child, from, to); },
      [&](const Expr& e) { return renamed(e, from, to); });
  if (const auto* r = inside.as<loop::Reset>(); r && r->tensor == from) {
    loop::Reset next = *r;
    next.tensor = to;
    return with(inside, std::move(next));
  }
  if (const auto* f = inside.as<loop::For>(); f && std::ranges::count(f->reduces, from) > 0) {
    loop::For next = *f;
    std::ranges::replace(next.reduces, from, to);
    return with(inside, std::move(next));
  }
  if (const auto* l = inside.as<loop::Lifecycle>(); l && l->tensor == from) {
    loop::Lifecycle next = *l;
    next.tensor = to;
    return with(inside, std::move(next));
  }
  return inside;
}

}  // namespace trellis::schedule
