// What each statement holds.
#include "engine/text/children.hpp"

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

namespace {

struct Children : text::ChildrenByKind {
  template <class Node, class Each>
  static void of(Node& n, Each&& each) {
    const auto maybe = maybe_of(each);
    const auto all = all_of(each);
    if constexpr (is<Node, Block>) all(n.statements);
    else if constexpr (is<Node, For>) each(n.low), each(n.high), each(n.body), maybe(n.until);
    else if constexpr (is<Node, While>) each(n.condition), each(n.body);
    else if constexpr (is<Node, If>) each(n.condition), each(n.then), maybe(n.otherwise);
    else if constexpr (is<Node, Let>) each(n.value), each(n.body);
    else if constexpr (is<Node, Assign>) each(n.target), each(n.value);
    else if constexpr (is<Node, Reset>) each(n.value);
    else if constexpr (is<Node, Exchange>) all(n.keys);
    else static_assert(is<Node, Declare> || is<Node, Lifecycle> || is<Node, Note>);
  }
};

}  // namespace

Stmt map_children(const Stmt& stmt, text::FunctionRef<Stmt(const Stmt&)> on_stmt,
                  text::FunctionRef<Expr(const Expr&)> on_expr) {
  return text::with_children<Children>(stmt, text::overloaded{[&](const Stmt& child) { return on_stmt(child); },
                                                              [&](const Expr& child) { return on_expr(child); }});
}

void for_each_child(const Stmt& stmt, text::FunctionRef<void(const Stmt&)> on_stmt,
                    text::FunctionRef<void(const Expr&)> on_expr) {
  text::visit_children<Children>(
      stmt, text::overloaded{[&](const Stmt& child) { on_stmt(child); }, [&](const Expr& child) { on_expr(child); }});
}

void for_each(const Stmt& stmt, text::FunctionRef<void(const Stmt&)> visit) {
  visit(stmt);
  for_each_child(
      stmt, [&](const Stmt& child) { for_each(child, visit); }, [](const Expr&) {});
}

}  // namespace trellis::loop
