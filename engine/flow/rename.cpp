#include "engine/flow/rename.hpp"

namespace trellis::flow {

namespace {

struct Rename {
  const std::string& from;
  const std::string& to;

  std::string name(const std::string& one) const { return one == from ? to : one; }

  Position position(const Position& p) const {
    const auto made = [&](auto node) { return Position(PositionNode{std::move(node)}, p.origin(), p.id()); };
    return p.match([&](const Root&) { return p; },
                   [&](const Direct& d) {
                     return made(Direct{d.tensor, d.level, position(d.parent), expr(d.coordinate), d.check});
                   },
                   [&](const At& a) {
                     return made(At{name(a.name), a.several});
                   },
                   [&](const Within& w) {
                     return made(Within{w.tensor, w.level, name(w.name), expr(w.coordinate)});
                   });
  }

  Expr expr(const Expr& e) const {
    const auto made = [&](auto node) { return Expr(ExprNode{std::move(node), e->type, e->span}, e.origin(), e.id()); };
    if (const auto* n = e.as<Name>())
      return n->kind == Name::Kind::variable && n->name == from ? made(Name{Name::Kind::variable, to}) : e;
    if (const auto* v = e.as<Value>()) return made(Value{v->tensor, position(v->position)});
    return map_children(e, [&](const Expr& child) { return expr(child); });
  }

  Stmt stmt(const Stmt& s) const {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return stmt(child); }, [&](const Expr& e) { return expr(e); });
    const auto made = [&](auto node) { return Stmt(StmtNode{std::move(node), s->span}, s.origin(), s.id()); };
    if (const auto* a = inner.as<Assign>())
      return made(Assign{a->tensor, position(a->position), a->op, a->value, a->atomic});
    if (const auto* l = inner.as<Locate>()) {
      Locate next = *l;
      next.parent = position(l->parent);
      return made(std::move(next));
    }
    if (const auto* i = inner.as<Insert>()) {
      Insert next = *i;
      next.parent = position(i->parent);
      return made(std::move(next));
    }
    if (const auto* c = inner.as<Coiterate>()) {
      Coiterate next = *c;
      for (Cursor& cursor : next.cursors) cursor.parent = position(cursor.parent);
      if (next.ahead)
        for (Ahead::Row& row : next.ahead->rows) row.position = position(row.position);
      return made(std::move(next));
    }
    return inner;
  }
};

}  // namespace

Stmt renamed(const Stmt& stmt, const std::string& from, const std::string& to) { return Rename{from, to}.stmt(stmt); }

}  // namespace trellis::flow
