#include "engine/loop/stmt.hpp"

#include <utility>

namespace trellis::loop {

Stmt block(std::vector<Stmt> statements, text::Origin origin) {
  return Stmt(StmtNode{Block{std::move(statements)}, {}}, std::move(origin));
}

Stmt map_children(const Stmt& stmt, const std::function<Stmt(const Stmt&)>& on_stmt,
                  const std::function<Expr(const Expr&)>& on_expr) {
  bool changed = false;
  auto go_stmt = [&](const Stmt& child) {
    Stmt next = on_stmt(child);
    changed |= !next.same(child);
    return next;
  };
  auto go_expr = [&](const Expr& child) {
    Expr next = on_expr(child);
    changed |= !next.same(child);
    return next;
  };
  auto rebuild = [&](auto node) {
    return changed ? Stmt(StmtNode{std::move(node), stmt->span}, stmt.origin(), stmt.id()) : stmt;
  };
  return stmt.match(
      [&](const Block& b) {
        Block next;
        next.statements.reserve(b.statements.size());
        for (const Stmt& child : b.statements) next.statements.push_back(go_stmt(child));
        return rebuild(std::move(next));
      },
      [&](const For& f) {
        For next = f;
        next.low = go_expr(f.low);
        next.high = go_expr(f.high);
        next.body = go_stmt(f.body);
        if (f.until) next.until = go_expr(*f.until);
        return rebuild(std::move(next));
      },
      [&](const While& w) {
        Expr condition = go_expr(w.condition);
        return rebuild(While{condition, go_stmt(w.body)});
      },
      [&](const If& i) {
        If next = i;
        next.condition = go_expr(i.condition);
        next.then = go_stmt(i.then);
        if (i.otherwise) next.otherwise = go_stmt(*i.otherwise);
        return rebuild(std::move(next));
      },
      [&](const Let& l) {
        Expr value = go_expr(l.value);
        return rebuild(Let{l.name, value, go_stmt(l.body)});
      },
      [&](const Declare&) { return stmt; },
      [&](const Assign& a) {
        Expr target = go_expr(a.target);
        return rebuild(Assign{target, a.op, go_expr(a.value)});
      },
      [&](const Reset& r) {
        return rebuild(Reset{r.tensor, go_expr(r.value)});
      },
      [&](const Lifecycle&) { return stmt; }, [&](const Note&) { return stmt; });
}

void for_each(const Stmt& stmt, const std::function<void(const Stmt&)>& visit) {
  visit(stmt);
  map_children(
      stmt,
      [&](const Stmt& child) {
        for_each(child, visit);
        return child;
      },
      [](const Expr& expr) { return expr; });
}

namespace {

Stmt number_from(const Stmt& stmt, int& next) {
  const int id = next++;
  Stmt inner = map_children(
      stmt, [&](const Stmt& child) { return number_from(child, next); }, [](const Expr& expr) { return expr; });
  // Blocks, and what else only holds statements together, come from what they hold.
  text::Origin origin = stmt.origin();
  if (origin.empty())
    map_children(
        inner,
        [&](const Stmt& child) {
          origin = text::merge(origin, child.origin());
          return child;
        },
        [](const Expr& expr) { return expr; });
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
