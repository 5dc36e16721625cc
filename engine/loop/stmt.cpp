#include "engine/loop/stmt.hpp"

#include <utility>

namespace trellis::loop {

Stmt block(std::vector<Stmt> statements, text::Origin origin) {
  return Stmt(StmtNode{Block{std::move(statements)}, {}}, std::move(origin));
}

namespace {

Stmt number_from(const Stmt& stmt, int& next) {
  const int id = next++;
  Stmt inner = map_children(
      stmt, [&](const Stmt& child) { return number_from(child, next); }, [](const Expr& expr) { return expr; });
  // Blocks, and what else only holds statements together, come from what they hold.
  text::Origin origin = stmt.origin();
  if (origin.empty())
    for_each_child(
        inner, [&](const Stmt& child) { origin = text::merge(origin, child.origin()); }, [](const Expr&) {});
  return Stmt(*inner, std::move(origin), id);
}

/// What still has none, such as a declaration that a pass made, comes from where the statement around it does.
Stmt with_origins(const Stmt& stmt, const text::Origin& around) {
  const text::Origin& origin = stmt.origin().empty() ? around : stmt.origin();
  const Stmt inner = map_children(
      stmt, [&](const Stmt& child) { return with_origins(child, origin); }, [](const Expr& expr) { return expr; });
  return inner.origin().empty() ? Stmt(*inner, origin, inner.id()) : inner;
}

}  // namespace

Stmt number(const Stmt& stmt, int first) {
  int next = first;
  return with_origins(number_from(stmt, next), {});
}

}  // namespace trellis::loop
