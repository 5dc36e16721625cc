#include "engine/flow/leave_guarded.hpp"

#include <algorithm>
#include <optional>

namespace trellis::flow {

namespace {

Expr negated(const Expr& e) {
  const auto* u = e.as<Unary>();
  if (u && u->op == format::UnaryOp::logical_not) return u->operand;
  return Expr(ExprNode{Unary{format::UnaryOp::logical_not, e}, format::ScalarType::boolean, e->span});
}

bool is_nothing(const Stmt& s) {
  const auto* seq = s.as<Seq>();
  return s.as<Note>() || (seq && std::ranges::all_of(seq->statements, is_nothing));
}

/// May be asked at any time, at the cost of a few instructions.
bool is_askable(const Expr& e, const std::set<std::string>& own) {
  const auto* n = e.as<Name>();
  const auto* b = e.as<Binary>();
  const auto* v = e.as<Value>();
  if (e.as<Here>() || e.as<Call>() || e.as<Apply>() || e.as<After>() || e.as<Checked>()) return false;
  bool plain = !n || !own.contains(n->name);
  if (b && (b->op == format::BinaryOp::divide || b->op == format::BinaryOp::modulo))
    plain &= format::is_floating(e->type);
  Position position = v ? v->position : root();
  for (const auto* d = position.as<Direct>(); d; d = position.as<Direct>()) {
    plain = plain && !d->check;
    position = Position(d->parent);
  }
  plain = plain && position.as<Root>();
  for_each_child(e, [&](const Expr& child) { plain = plain && is_askable(child, own); });
  return plain;
}

/// What may come to an end in a loop: all that its body does, it does under the guard.
struct Guarded {
  std::optional<Expr> guard;  ///< none: the body does nothing
  Stmt body;                  ///< what is done where it holds
};

std::optional<Guarded> under_guard(const Stmt& s);

std::optional<Guarded> bound_to_entry(const Stmt& s, const Stmt& body, auto rebuild) {
  auto inner = under_guard(body);
  if (!inner) return std::nullopt;
  return Guarded{inner->guard, Stmt(StmtNode{rebuild(inner->body), s->span}, s.origin(), s.id())};
}

std::optional<Guarded> in_case(const Stmt& s, const Test& t) {
  const auto then = under_guard(t.then);
  const auto otherwise = t.otherwise ? under_guard(*t.otherwise) : Guarded{};
  if (!then || !otherwise) return std::nullopt;
  if (then->guard && otherwise->guard && !(*then->guard == *otherwise->guard)) return std::nullopt;
  Test next{t.cursor, then->body, std::nullopt, t.certain};
  if (t.otherwise) next.otherwise = otherwise->body;
  return Guarded{then->guard ? then->guard : otherwise->guard,
                 Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id())};
}

std::optional<Guarded> under_guard(const Stmt& s) {
  if (is_nothing(s)) return Guarded{{}, s};
  if (const auto* i = s.as<If>(); i && !i->otherwise) return Guarded{i->condition, i->then};
  if (const auto* t = s.as<Test>()) return in_case(s, *t);
  if (const auto* l = s.as<Let>(); l && l->value.as<Here>())
    return bound_to_entry(s, l->body, [&](const Stmt& body) { return Let{l->name, l->value, body}; });
  if (const auto* l = s.as<Locate>(); l && !l->check)
    return bound_to_entry(s, l->body, [&](const Stmt& body) {
      Locate next = *l;
      next.body = body;
      return next;
    });
  const auto* seq = s.as<Seq>();
  return seq && seq->statements.size() == 1 ? under_guard(seq->statements.front()) : std::nullopt;
}

/// Does the loop change it, by nothing but what is there before the loop?
bool is_changed(const Stmt& loop, const Expr& guard) {
  bool changed = false, own = false;
  for_each_stmt(loop, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    const auto* d = s.as<Declare>();
    changed |= a && mentions(guard, a->tensor);
    own |= d && mentions(guard, d->tensor);
  });
  return changed && !own;
}

Stmt leaving(const Stmt& s) {
  const Stmt inner = map_children(s, leaving, [](const Expr& e) { return e; });
  const auto* c = inner.as<Coiterate>();
  if (!c || c->unless || c->execution != Loop::Execution::serial || c->points.empty()) return inner;
  Coiterate next = *c;
  std::optional<Expr> guard;
  for (Coiterate::Point& point : next.points) {
    const auto one = under_guard(point.body);
    if (!one || !one->guard || (guard && !(*guard == *one->guard))) return inner;
    guard = one->guard;
    if (!c->by_regions()) point.body = one->body;
  }
  if (!is_askable(*guard, bound_in(inner)) || !is_changed(inner, *guard)) return inner;
  next.unless = negated(*guard);
  return Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
}

}  // namespace

Flow leave_guarded(const Flow& flow) {
  Flow result = flow;
  result.root = leaving(flow.root);
  return result;
}

}  // namespace trellis::flow
