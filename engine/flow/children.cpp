// What each node of the control flow holds.
#include "engine/text/children.hpp"

#include "engine/flow/flow.hpp"

namespace trellis::flow {

namespace {

struct Children : text::ChildrenByKind {
  template <class Node, class Each>
  static void of(Node& n, Each&& each) {
    const auto maybe = maybe_of(each);
    const auto all = all_of(each);
    if constexpr (is<Node, Direct>) each(n.parent), each(n.coordinate);
    else if constexpr (is<Node, Within>) each(n.coordinate);
    else if constexpr (is<Node, Value>) each(n.position);
    else if constexpr (is<Node, Unary> || is<Node, Cast>) each(n.operand);
    else if constexpr (is<Node, Binary>) each(n.left), each(n.right);
    else if constexpr (is<Node, Select>) each(n.condition), each(n.then), each(n.otherwise);
    else if constexpr (is<Node, Call> || is<Node, Apply>) all(n.arguments);
    else if constexpr (is<Node, After>) each(n.first), each(n.value);
    else if constexpr (is<Node, Checked> || is<Node, Await>) each(n.coordinate);
    else if constexpr (is<Node, Begin>) each(n.parent);
    else if constexpr (is<Node, Coordinate>) each(n.entry);
    else if constexpr (is<Node, Seq>) all(n.statements);
    else if constexpr (is<Node, While>) each(n.condition), each(n.body);
    else if constexpr (is<Node, If>) each(n.condition), each(n.then), maybe(n.otherwise);
    else if constexpr (is<Node, Let>) each(n.value), each(n.body);
    else if constexpr (is<Node, Test>) each(n.then), maybe(n.otherwise);
    else if constexpr (is<Node, Scatter>) maybe(n.counting), each(n.body);
    else if constexpr (is<Node, Tabulate>) each(n.parent), each(n.body);
    else if constexpr (is<Node, Insert>) each(n.parent), each(n.coordinate), each(n.body);
    else if constexpr (is<Node, Reset>) each(n.value);
    else if constexpr (is<Node, Exchange>) all(n.keys);
    else if constexpr (is<Node, Assign>) each(n.position), each(n.value);
    else if constexpr (is<Node, Append>) {
      all(n.coordinates);
      for (auto& last : n.through) maybe(last);
      each(n.value);
    } else if constexpr (is<Node, Locate>) {
      each(n.parent), each(n.coordinate), maybe(n.exists);
      if (n.held) each(n.held->index);
      each(n.body);
    } else if constexpr (is<Node, Loop>) {
      each(n.low), each(n.high), maybe(n.unless);
      if (n.among) each(n.among->coordinate);
      maybe(n.counting), each(n.body), maybe(n.until);
    } else if constexpr (is<Node, Coiterate>) {
      each(n.low), each(n.high), maybe(n.unless);
      for (auto& cursor : n.cursors) each(cursor.parent), maybe(cursor.exists), each(cursor.offset);
      if (n.ahead)
        for (auto& row : n.ahead->rows) each(row.position);
      maybe(n.counting);
      for (auto& point : n.points) each(point.body);
    } else {
      static_assert(is<Node, Root> || is<Node, At> || is<Node, Constant> || is<Node, Name> || is<Node, Here> ||
                    is<Node, Stored> || is<Node, Declare> || is<Node, Freeze> || is<Node, Note>);
    }
  }
};

}  // namespace

Position map_children(const Position& position, text::FunctionRef<Expr(const Expr&)> on_expr) {
  return text::with_children<Children>(
      position, text::overloaded{[&](const Expr& child) { return on_expr(child); },
                                 [&](const Position& parent) { return map_children(parent, on_expr); }});
}

Expr map_children(const Expr& expr, text::FunctionRef<Expr(const Expr&)> on_expr) {
  return text::with_children<Children>(
      expr, text::overloaded{[&](const Expr& child) { return on_expr(child); },
                             [&](const Position& position) { return map_children(position, on_expr); }});
}

Stmt map_children(const Stmt& stmt, text::FunctionRef<Stmt(const Stmt&)> on_stmt,
                  text::FunctionRef<Expr(const Expr&)> on_expr) {
  return text::with_children<Children>(
      stmt, text::overloaded{[&](const Stmt& child) { return on_stmt(child); },
                             [&](const Expr& child) { return on_expr(child); },
                             [&](const Position& position) { return map_children(position, on_expr); }});
}

void for_each_child(const Position& position, text::FunctionRef<void(const Expr&)> on_expr) {
  text::visit_children<Children>(position,
                                 text::overloaded{[&](const Expr& child) { on_expr(child); },
                                                  [&](const Position& parent) { for_each_child(parent, on_expr); }});
}

void for_each_child(const Expr& expr, text::FunctionRef<void(const Expr&)> on_expr) {
  text::visit_children<Children>(
      expr, text::overloaded{[&](const Expr& child) { on_expr(child); },
                             [&](const Position& position) { for_each_child(position, on_expr); }});
}

void for_each_child(const Stmt& stmt, text::FunctionRef<void(const Stmt&)> on_stmt,
                    text::FunctionRef<void(const Expr&)> on_expr) {
  text::visit_children<Children>(
      stmt, text::overloaded{[&](const Stmt& child) { on_stmt(child); }, [&](const Expr& child) { on_expr(child); },
                             [&](const Position& position) { for_each_child(position, on_expr); }});
}

void for_each_stmt(const Stmt& stmt, text::FunctionRef<void(const Stmt&)> visit) {
  visit(stmt);
  for_each_child(
      stmt, [&](const Stmt& child) { for_each_stmt(child, visit); }, [](const Expr&) {});
}

}  // namespace trellis::flow
