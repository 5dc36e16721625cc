#pragma once
// What a statement holds, looked at one by one; nothing is rebuilt.

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

template <class OnStmt, class OnExpr>
void for_each_child(const Stmt& stmt, OnStmt&& on_stmt, OnExpr&& on_expr) {
  map_children(
      stmt,
      [&](const Stmt& child) {
        on_stmt(child);
        return child;
      },
      [&](const Expr& expr) {
        on_expr(expr);
        return expr;
      });
}

}  // namespace trellis::loop
