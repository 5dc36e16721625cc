#include "engine/lang/resolve/number_nodes.hpp"

#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

void NodeNumbers::number(Equation& equation, const syntax::Equation& source) {
  at_.clear();
  remember(source.left);
  remember(source.right);
  equation.id = next_++;
  equation.left = numbered(equation.left, {});
  equation.right = numbered(equation.right, equation.left.origin());
  equation.origin = text::merge(equation.left.origin(), equation.right.origin());
}

void NodeNumbers::number(Until& until, const syntax::Until& source) {
  at_.clear();
  remember(source.condition);
  until.condition = numbered(until.condition, {});
}

void NodeNumbers::remember(const syntax::Expr& e) {
  if (e.id() >= 0) at_.emplace(e->span, text::NodeId{text::Stage::source, e.id()});
  for_each_child(e, [&](const syntax::Expr& child) { remember(child); });
}

/// What was not written, such as the step of an index or the value outside of a window, comes from what it is part of.
Expr NodeNumbers::numbered(const Expr& e, const text::Origin& around) {
  const int id = next_++;
  const auto found = at_.find(e->span);
  text::Origin origin = found != at_.end() ? text::Origin{found->second} : text::Origin{};
  const Expr children =
      map_children(e, [&](const Expr& child) { return numbered(child, origin.empty() ? around : origin); });
  if (origin.empty())
    for_each_child(children, [&](const Expr& child) { origin = text::merge(origin, child.origin()); });
  return Expr(*children, origin.empty() ? around : std::move(origin), id);
}

}  // namespace trellis::lang::resolving
