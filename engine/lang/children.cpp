// What each node of an expression holds.
#include "engine/text/children.hpp"

#include "engine/lang/expr.hpp"

namespace trellis::lang {

namespace {

struct Children : text::ChildrenByKind {
  template <class Node, class Each>
  static void of(Node& n, Each&& each) {
    const auto maybe = maybe_of(each);
    const auto all = all_of(each);
    if constexpr (is<Node, Access>) all(n.indices), maybe(n.step);
    else if constexpr (is<Node, Unary> || is<Node, Cast>) each(n.operand);
    else if constexpr (is<Node, Binary>) each(n.left), each(n.right);
    else if constexpr (is<Node, Select>) each(n.condition), each(n.then), each(n.otherwise);
    else if constexpr (is<Node, Call> || is<Node, Apply>) all(n.arguments);
    else if constexpr (is<Node, Reduce>) each(n.body);
    else if constexpr (is<Node, Shape>) all(n.parts), all(n.to), maybe(n.outside);
    else static_assert(is<Node, Constant> || is<Node, Parameter> || is<Node, Variable> || is<Node, Stored>);
  }
};

}  // namespace

Expr map_children(const Expr& expr, text::FunctionRef<Expr(const Expr&)> change) {
  return text::with_children<Children>(expr, change);
}

void for_each_child(const Expr& expr, text::FunctionRef<void(const Expr&)> visit) {
  text::visit_children<Children>(expr, visit);
}

}  // namespace trellis::lang
