#pragma once
// Children of each expression node, enumerated once.

namespace trellis::lang {

template <class F>
Expr map_children(const Expr& expr, F&& change) {
  bool changed = false;
  auto go = [&](const Expr& child) {
    Expr next = change(child);
    changed |= !next.same(child);
    return next;
  };
  auto rebuild = [&](auto node) {
    return changed ? Expr(ExprNode{std::move(node), expr->type, expr->span}, expr.origin(), expr.id()) : expr;
  };
  return expr.match(
      [&](const Constant&) { return expr; }, [&](const Parameter&) { return expr; },
      [&](const Variable&) { return expr; }, [&](const Stored&) { return expr; },
      [&](const Access& a) {
        Access b{a.tensor, {}, std::nullopt};
        for (const Expr& index : a.indices) b.indices.push_back(go(index));
        if (a.step) b.step = go(*a.step);
        return rebuild(std::move(b));
      },
      [&](const Unary& u) { Unary v{u.op, go(u.operand)}; return rebuild(std::move(v)); },
      [&](const Binary& b) {
        Expr left = go(b.left);
        Expr right = go(b.right);
        return rebuild(Binary{b.op, left, right});
      },
      [&](const Select& s) {
        Expr condition = go(s.condition);
        Expr then = go(s.then);
        Expr otherwise = go(s.otherwise);
        return rebuild(Select{condition, then, otherwise});
      },
      [&](const Cast& c) { Cast d{go(c.operand)}; return rebuild(std::move(d)); },
      [&](const Call& c) {
        Call d{c.function, {}};
        for (const Expr& argument : c.arguments) d.arguments.push_back(go(argument));
        return rebuild(std::move(d));
      },
      [&](const Apply& a) {
        Apply b{a.function, {}};
        for (const Expr& argument : a.arguments) b.arguments.push_back(go(argument));
        return rebuild(std::move(b));
      },
      [&](const Reduce& r) { Reduce s{r.op, r.domain, go(r.body), r.function}; return rebuild(std::move(s)); },
      [&](const Shape& shape) {
        Shape next = shape;
        for (Expr& part : next.parts) part = go(part);
        for (Expr& index : next.to) index = go(index);
        if (next.outside) next.outside = go(*next.outside);
        return rebuild(std::move(next));
      });
}

template <class F>
void for_each_child(const Expr& expr, F&& visit) {
  map_children(expr, [&](const Expr& child) {
    visit(child);
    return child;
  });
}

}  // namespace trellis::lang
