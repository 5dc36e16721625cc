#include "engine/flow/wait_in_lists.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/flow/fibers.hpp"
#include "engine/flow/fresh_names.hpp"
#include "engine/flow/only_statement.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/rows.hpp"
#include "engine/flow/where_found.hpp"

namespace trellis::flow {

namespace {

bool is_variable(const Expr& e, const std::string& name) {
  const auto* n = e.as<Name>();
  return n && n->kind == Name::Kind::variable && n->name == name;
}

/// Does the statement only add to elements that it does not read otherwise? Then its iterations may come in any order.
bool only_updates(const Flow& flow, const Stmt& body) {
  std::set<std::string> updated;
  bool only = true;
  for_each_stmt(body, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    if (a) updated.insert(a->tensor);
    only = only && (!a || a->op) && !s.as<Append>() && !s.as<Reset>() && !s.as<Declare>() && !s.as<While>();
    const auto* l = s.as<Loop>();
    const auto* c = s.as<Coiterate>();
    only = only && (!l || (!l->until && !l->unless && l->lists.empty())) && (!c || !c->unless);
  });
  const auto reads = [&](const Expr& e, const auto& self) -> bool {
    const auto* v = e.as<Value>();
    bool found = (v && updated.contains(v->tensor)) || e.as<Apply>();
    for_each_child(e, [&](const Expr& child) { found = found || self(child, self); });
    return found;
  };
  for_each_stmt(body, [&](const Stmt& s) {
    for_each_child(
        s, [](const Stmt&) {}, [&](const Expr& e) { only = only && !reads(e, reads); });
    if (const auto* c = s.as<Coiterate>())
      for (const Cursor& cursor : c->cursors) only = only && !updated.contains(cursor.tensor);
    if (const auto* l = s.as<Locate>()) only = only && !updated.contains(l->tensor);
  });
  return only && !updated.empty() && std::ranges::all_of(updated, [&](const std::string& name) {
           return flow.tensor(name)->storage == Tensor::Storage::temporary;
         });
}

class Waiting {
 public:
  explicit Waiting(Flow& flow) : flow_(flow), names_(flow) {}

  Stmt visit(const Stmt& s) {
    const auto* l = s.as<Loop>();
    if (!l) return inside(s);
    const Tensor* const rows = finished_by(*l);
    if (!rows) return inside(s);
    Loop next = *l;
    const std::string name = names_.numbered(rows->name + "_lists");
    bool used = false;
    next.body = with_lists(l->body, *l, *rows, name, used);
    if (!used) return inside(s);
    next.lists.push_back({name, rows->name, 1});
    names_.take(name);
    return Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
  }

 private:
  Stmt inside(const Stmt& s) {
    return map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
  }

  /// The result whose fibers are finished iteration by iteration, by rising coordinates.
  const Tensor* finished_by(const Loop& l) const {
    if (l.execution != Loop::Execution::serial || l.counting) return nullptr;
    const auto fits = [&](const Tensor& t) {
      return goes_through_rows(flow_, l, t) && t.levels[1].facts.sorted_list();
    };
    const auto found = std::ranges::find_if(flow_.tensors, fits);
    return found == flow_.tensors.end() ? nullptr : &*found;
  }

  Stmt with_lists(const Stmt& s, const Loop& around, const Tensor& rows, const std::string& name, bool& used) {
    if (const auto changed = waiting(s, around, rows, name)) {
      used = true;
      return *changed;
    }
    return map_children(
        s, [&](const Stmt& child) { return with_lists(child, around, rows, name, used); },
        [](const Expr& e) { return e; });
  }

  std::optional<Stmt> waiting(const Stmt& s, const Loop& around, const Tensor& rows, const std::string& name) {
    const auto* l = s.as<Loop>();
    if (!l || !is_plain(*l, {But::down}) || l->jam > 1 || !is_zero(l->low) || !is_variable(l->high, around.variable))
      return std::nullopt;
    const Stmt* const look_up = only_statement(l->body);
    const auto* at = look_up ? look_up->as<Locate>() : nullptr;
    const Stmt* const body = at && is_asked(*at, *l, around, rows) ? where_found(*at) : nullptr;
    if (!body || !only_updates(flow_, *body)) return std::nullopt;
    Loop next = *l;
    next.among = {name, at->coordinate, at->name};
    next.body = bounded(*body, *l, *at, rows);
    note(*body);
    return Stmt(StmtNode{std::move(next), s->span}, text::merge(s.origin(), look_up->origin()), s.id());
  }

  /// Is the fiber of the inner loop's number asked for the coordinate at which the outer one stands?
  static bool is_asked(const Locate& at, const Loop& inner, const Loop& outer, const Tensor& rows) {
    const auto* fiber = at.parent.as<Direct>();
    return at.tensor == rows.name && at.level == 1 && !at.exists && !at.check && !at.several && at.searches() &&
           fiber && !fiber->check && is_variable(fiber->coordinate, inner.variable) &&
           is_variable(at.coordinate, outer.variable);
  }

  /// Walks of the fiber from the entry on, or from behind it, begin there.
  Stmt bounded(const Stmt& s, const Loop& inner, const Locate& at, const Tensor& rows) const {
    const Stmt next = map_children(
        s, [&](const Stmt& child) { return bounded(child, inner, at, rows); }, [](const Expr& e) { return e; });
    const auto* c = next.as<Coiterate>();
    if (!c || c->direction != Loop::Direction::up) return next;
    const auto from = affine(c->low), here = affine(at.coordinate);
    const auto apart = from && here ? std::optional(*from - *here) : std::nullopt;
    if (!apart || !apart->is_constant() || apart->constant < 0 || apart->constant > 1) return next;
    Coiterate begun = *c;
    bool changed = false;
    for (Cursor& cursor : begun.cursors) {
      const auto* fiber = cursor.parent.as<Direct>();
      const bool own = cursor.tensor == rows.name && cursor.level == 1 && cursor.plain() && !cursor.exists && fiber &&
                       is_variable(fiber->coordinate, inner.variable);
      if (!own || !cursor.below || cursor.from) continue;
      cursor.from = Cursor::Bound{at.name, apart->constant == 1, true};
      changed = true;
    }
    return changed ? Stmt(StmtNode{std::move(begun), next->span}, next.origin(), next.id()) : next;
  }

  void note(const Stmt& body) {
    for_each_stmt(body, [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      if (a && format::is_floating(flow_.tensor(a->tensor)->type))
        flow_.reassociated.push_back({s.origin(), "in the order in which entries wait"});
    });
  }

  Flow& flow_;
  FreshNames names_;
};

}  // namespace

Flow wait_in_lists(const Flow& flow) {
  Flow result = flow;
  result.root = Waiting(result).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
