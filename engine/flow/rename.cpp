#include "engine/flow/rename.hpp"

namespace trellis::flow {

namespace {

class Renamer {
 public:
  explicit Renamer(const Renaming& how) : how_(how) {}

  Stmt stmt(const Stmt& s) const {
    const bool loops = s.as<Loop>() || s.as<Coiterate>();
    if (!loops) return with_bodies(s, [&](const Stmt& child) { return stmt(child); });
    // What a loop binds keeps its name, and hides another one.
    Renaming inside = how_;
    for (const std::string& bound : bound_by(s)) inside.names.erase(bound);
    const Renamer inner(inside);
    return with_bodies(s, [&](const Stmt& child) { return inner.stmt(child); });
  }

  Expr expr(const Expr& e) const {
    const auto made = [&](auto node) { return Expr(ExprNode{std::move(node), e->type, e->span}, e.origin(), e.id()); };
    if (const auto* n = e.as<Name>()) {
      if (n->kind != Name::Kind::variable) return e;
      const auto value = how_.values.find(n->name);
      return value != how_.values.end() ? value->second : made(Name{Name::Kind::variable, name(n->name)});
    }
    if (const auto* v = e.as<Value>())
      return made(Value{tensor(v->tensor), position(v->position, [&](const Expr& child) { return expr(child); })});
    const Expr inner = map_children(e, [&](const Expr& child) { return expr(child); });
    const auto* c = inner.as<Checked>();
    return c ? made(Checked{tensor(c->tensor), c->level, c->coordinate, c->check}) : inner;
  }

 private:
  template <class OnBody>
  Stmt with_bodies(const Stmt& s, OnBody&& on_body) const {
    // Coordinates inside positions are done then, what the positions name is not.
    const Stmt inner = map_children(s, on_body, [&](const Expr& e) { return expr(e); });
    const auto made = [&](auto node) { return Stmt(StmtNode{std::move(node), s->span}, s.origin(), s.id()); };
    return inner.match(
        [&](const Assign& a) {
          return made(Assign{tensor(a.tensor), named(a.position), a.op, a.value, a.atomic});
        },
        [&](const Let& l) {
          return made(Let{name(l.name), l.value, l.body});
        },
        [&](const Declare& d) { return made(Declare{tensor(d.tensor)}); },
        [&](const Reset& r) {
          return made(Reset{tensor(r.tensor), r.value});
        },
        [&](const Freeze& f) { return made(Freeze{tensor(f.tensor)}); },
        [&](const Exchange& e) {
          return made(Exchange{e.call, e.number, tensor(e.tensor), e.keys});
        },
        [&](Append a) {
          a.tensor = tensor(a.tensor);
          return made(std::move(a));
        },
        [&](Locate l) {
          l.march = name(l.march);
          return made(looked_up(std::move(l)));
        },
        [&](Insert i) { return made(looked_up(std::move(i))); },
        [&](Tabulate t) {
          t.tensor = tensor(t.tensor);
          t.parent = named(t.parent);
          return made(std::move(t));
        },
        [&](Loop l) {
          for (std::string& closed : l.closes) closed = tensor(closed);
          for (Lists& lists : l.lists) lists = {name(lists.name), tensor(lists.tensor), lists.level};
          if (l.among) l.among = {name(l.among->lists), l.among->coordinate, name(l.among->entry)};
          return made(shared(std::move(l)));
        },
        [&](Coiterate c) {
          for (Cursor& cursor : c.cursors) rename(cursor);
          if (c.ahead)
            for (Ahead::Row& row : c.ahead->rows) row = {tensor(row.tensor), named(row.position)};
          return made(shared(std::move(c)));
        },
        [&](const auto&) { return inner; });
  }

  static const std::string& in(const std::map<std::string, std::string>& all, const std::string& one) {
    const auto at = all.find(one);
    return at == all.end() ? one : at->second;
  }
  const std::string& name(const std::string& one) const { return in(how_.names, one); }
  const std::string& tensor(const std::string& one) const { return in(how_.tensors, one); }

  template <class OnExpr>
  Position position(const Position& p, OnExpr&& on_expr) const {
    const auto made = [&](auto node) { return Position(PositionNode{std::move(node)}, p.origin(), p.id()); };
    return p.match([&](const Root&) { return p; },
                   [&](const Direct& d) {
                     const Position parent = position(d.parent, on_expr);
                     return made(Direct{tensor(d.tensor), d.level, parent, on_expr(d.coordinate), d.check});
                   },
                   [&](const At& a) {
                     return made(At{name(a.name), a.several});
                   },
                   [&](const Within& w) {
                     return made(Within{tensor(w.tensor), w.level, name(w.name), on_expr(w.coordinate)});
                   });
  }
  Position named(const Position& p) const {
    return position(p, [](const Expr& e) { return e; });
  }

  template <class LookUp>
  LookUp looked_up(LookUp l) const {
    l.name = name(l.name);
    l.tensor = tensor(l.tensor);
    l.parent = named(l.parent);
    return l;
  }

  template <class AnyLoop>
  AnyLoop shared(AnyLoop l) const {
    for (std::string& reduced : l.reduces) reduced = tensor(reduced);
    for (Partial& partial : l.partials) partial.tensor = tensor(partial.tensor);
    for (Carry& carry : l.carries) carry.tensor = tensor(carry.tensor);
    return l;
  }

  void rename(Cursor& cursor) const {
    cursor.tensor = tensor(cursor.tensor);
    cursor.parent = named(cursor.parent);
    for (std::optional<Cursor::Bound>* bound : {&cursor.from, &cursor.to})
      if (*bound) (*bound)->look_up = name((*bound)->look_up);
  }

  const Renaming& how_;
};

}  // namespace

Stmt renamed(const Stmt& stmt, const Renaming& how) { return Renamer(how).stmt(stmt); }
Expr renamed(const Expr& expr, const Renaming& how) { return Renamer(how).expr(expr); }

Stmt renamed(const Stmt& stmt, const std::string& from, const std::string& to) {
  return renamed(stmt, Renaming{{{from, to}}, {}, {}});
}

namespace {

void collect(const Expr& expr, std::set<std::string>& into);
void collect(const Position& position, std::set<std::string>& into) {
  for (Position at = position; !at.as<Root>();) {
    if (const auto* entry = at.as<At>()) into.insert(entry->name);
    if (const auto* within = at.as<Within>()) into.insert(within->name);
    const auto* direct = at.as<Direct>();
    if (!direct) break;
    at = direct->parent;
  }
  for_each_child(position, [&](const Expr& e) { collect(e, into); });
}
void collect(const Expr& expr, std::set<std::string>& into) {
  if (const auto* n = expr.as<Name>()) into.insert(n->name);
  if (const auto* v = expr.as<Value>()) collect(v->position, into);
  for_each_child(expr, [&](const Expr& child) { collect(child, into); });
}

}  // namespace

std::set<std::string> named_by(const Expr& expr) {
  std::set<std::string> all;
  collect(expr, all);
  return all;
}
std::set<std::string> named_by(const Position& position) {
  std::set<std::string> all;
  collect(position, all);
  return all;
}

bool names(const Expr& expr, const std::string& variable) {
  const auto* n = expr.as<Name>();
  bool found = n && n->name == variable;
  for_each_child(expr, [&](const Expr& child) { found = found || names(child, variable); });
  return found;
}

}  // namespace trellis::flow
