#include "engine/flow/leave_early.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/flow/updates.hpp"

namespace trellis::flow {

namespace {

using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;
/// By what is updated, a scalar or an element that stays the same one: when no further update changes it.
using Saturations = std::map<std::string, Expr>;

Expr truth(auto node) { return Expr(ExprNode{std::move(node), ScalarType::boolean, {}}); }

/// The scalar has the value that no update changes.
Expr is_over(const std::string& scalar, const format::Value& end) {
  const Expr one(ExprNode{Value{scalar, root()}, end.type, {}});
  if (!format::is_boolean(end.type)) return truth(Binary{BinaryOp::equal, one, constant(end)});
  return end.is_true() ? one : truth(Unary{format::UnaryOp::logical_not, one});
}

/// An element that is assigned once is another value than the one that it waits with.
Expr is_over(const Once& once) {
  return truth(Unary{format::UnaryOp::logical_not, truth(Binary{BinaryOp::equal, once.old, constant(once.open)})});
}

const Loop::Execution& execution_of(const Stmt& s) {
  const auto* l = s.as<Loop>();
  return l ? l->execution : s.as<Coiterate>()->execution;
}

class Leaving {
 public:
  explicit Leaving(const Flow& flow) : flow_(flow) {
    for (const Function& f : flow.functions) {
      bool faults = may_fault(f.result);
      for_each_stmt(f.body, [&](const Stmt& s) { faults |= s.as<While>() || may_fault(s); });
      if (faults) fallible_.insert(f.name);
    }
  }

  Stmt visit(const Stmt& s) {
    const auto inside = [&] {
      return map_children(
          s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    };
    if (!s.as<Loop>() && !s.as<Coiterate>()) return inside();
    const std::set<std::string> outside = shared_;
    if (execution_of(s) == Loop::Execution::parallel) share(s);
    const Saturations over = ends(s);
    const Stmt inner = inside();
    shared_ = outside;
    if (over.empty()) return inner;
    const auto leaving = [&](auto loop) {
      loop.unless = all_over(over);
      return Stmt(StmtNode{std::move(loop), s->span}, s.origin(), s.id());
    };
    if (const auto* c = inner.as<Coiterate>()) return leaving(*c);
    return is_short(*inner.as<Loop>()) ? inner : leaving(*inner.as<Loop>());
  }

 private:
  /// Done before it has asked.
  static bool is_short(const Loop& l) {
    constexpr int few = 16;
    const auto *low = l.low.as<Constant>(), *high = l.high.as<Constant>();
    bool innermost = low && high && high->value.integer - low->value.integer <= few;
    for_each_stmt(l.body, [&](const Stmt& s) { innermost = innermost && !s.as<Loop>() && !s.as<Coiterate>(); });
    return innermost;
  }

  /// What iterations on several threads update together, rather than each thread its part until the loop ends.
  void share(const Stmt& parallel) {
    const auto add = [&](const auto& loop) {
      for (const std::string& name : loop.reduces)
        if (!std::ranges::count(loop.partials, name, &Partial::tensor)) shared_.insert(name);
    };
    parallel.as<Loop>() ? add(*parallel.as<Loop>()) : add(*parallel.as<Coiterate>());
  }

  /// What the loop updates, if it comes to where nothing changes it any more and nothing else happens.
  Saturations ends(const Stmt& loop) const {
    const auto* over_all = loop.as<Loop>();
    const auto* walk = loop.as<Coiterate>();
    if (execution_of(loop) != Loop::Execution::serial || (over_all && over_all->until) || (walk && walk->unless))
      return {};
    Own own;
    bool fits = true;
    own.names = bound_in(loop);
    for_each_stmt(loop, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>()) own.tensors.insert(d->tensor);
    });
    Saturations ends;
    for_each_stmt(loop, [&](const Stmt& s) { fits = fits && !may_fault(s) && only_reduces(s, own, ends); });
    const auto is_read = [&](const Expr& e) {
      return std::any_of(ends.begin(), ends.end(), [&](const auto& end) { return mentions(e, end.first); });
    };
    for_each_stmt(loop, [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      const bool ending = a && ends.count(a->tensor);
      const std::optional<Update> update = ending ? update_of(*a) : std::nullopt;
      const std::optional<Once> once = ending && !update ? once_of(*a) : std::nullopt;
      fits = fits && !(update ? is_read(update->other) : once ? is_read(once->other) : any_expr(s, is_read));
    });
    return fits ? ends : Saturations{};
  }

  /// What the loop itself brings to life and goes through.
  struct Own {
    std::set<std::string> tensors, names;

    bool moves(const Expr& e) const {
      const auto* name = e.as<Name>();
      const auto* value = e.as<Value>();
      bool found = (name && names.count(name->name)) || (value && moves(value->position)) || e.as<Here>();
      for_each_child(e, [&](const Expr& child) { found = found || moves(child); });
      return found;
    }
    /// A position that depends on data is taken to move.
    bool moves(const Position& position) const {
      return position.match(
          [](const Root&) { return false; },
          [&](const Direct& d) { return moves(d.parent) || reads_data(d.coordinate) || moves(d.coordinate); },
          [&](const At& at) { return at.several || names.count(at.name) > 0; }, [](const Within&) { return true; });
    }
    static bool reads_data(const Expr& e) {
      bool found = e.as<Value>() != nullptr;
      for_each_child(e, [&](const Expr& child) { found = found || reads_data(child); });
      return found;
    }
  };

  /// Notes what a statement reduces, or assigns once; false when it changes anything else that is there after the loop.
  bool only_reduces(const Stmt& s, const Own& own, Saturations& ends) const {
    if (const auto* a = s.as<Assign>(); a && !own.tensors.count(a->tensor)) {
      if (shared_.count(a->tensor) || own.moves(a->position)) return false;
      const Expr over = over_when(*a, *flow_.tensor(a->tensor));
      return over && ends.emplace(a->tensor, over).first->second == over;
    }
    if (const auto* r = s.as<Reset>()) return own.tensors.count(r->tensor) > 0;
    if (const auto* f = s.as<Freeze>()) return own.tensors.count(f->tensor) > 0;
    if (const auto* i = s.as<Insert>()) return own.tensors.count(i->tensor) > 0;
    return !s.as<Append>() && !s.as<While>() && !s.as<Exchange>();
  }

  /// Empty when it never is.
  Expr over_when(const Assign& a, const Tensor& tensor) const {
    if (const std::optional<Once> once = once_of(a)) return is_over(*once);
    const std::optional<format::Value> end = tensor.levels.empty() ? end_of(a, tensor.type) : std::nullopt;
    return end ? is_over(a.tensor, *end) : Expr();
  }

  /// The value that the assignment never changes.
  std::optional<format::Value> end_of(const Assign& a, ScalarType type) const {
    const std::optional<Update> update = update_of(a);
    if (!update) return std::nullopt;
    if (update->op != ReduceOp::user) return annihilator(update->op, type);
    if (format::is_floating(type)) return std::nullopt;
    for (const Function& f : flow_.functions) {
      if (f.name != update->function) continue;
      const std::vector<format::Value>& values = f.annihilators[static_cast<std::size_t>(update->place)];
      if (!values.empty() && values.front().type == type) return values.front();
    }
    return std::nullopt;
  }

  static Expr all_over(const Saturations& ends) {
    Expr all;
    for (const auto& [tensor, one] : ends) all = all ? truth(Binary{BinaryOp::logical_and, all, one}) : one;
    return all;
  }

  // What a run can end with an error at.

  template <class Holds>
  static bool any_expr(const Stmt& s, const Holds& holds) {
    bool found = false;
    for_each_child(
        s, [](const Stmt&) {}, [&](const Expr& e) { found = found || holds(e); });
    return found;
  }

  /// The statement itself, without those inside it.
  bool may_fault(const Stmt& s) const {
    const auto* a = s.as<Assign>();
    const auto* l = s.as<Locate>();
    const auto* i = s.as<Insert>();
    bool found = (a && may_fault(a->position)) || (l && (l->check || may_fault(l->parent))) ||
                 (i && (i->check || may_fault(i->parent)));
    if (const auto* c = s.as<Coiterate>())
      for (const Cursor& cursor : c->cursors) found = found || may_fault(cursor.parent);
    return found || any_expr(s, [&](const Expr& e) { return may_fault(e); });
  }

  bool may_fault(const Position& position) const {
    const auto* d = position.as<Direct>();
    return d && (d->check || may_fault(d->parent));
  }

  bool may_fault(const Expr& e) const {
    const auto* b = e.as<Binary>();
    const auto* v = e.as<Value>();
    const auto* applied = e.as<Apply>();
    bool found = (v && may_fault(v->position)) || (applied && fallible_.count(applied->function)) || e.as<Checked>();
    if (b && !format::is_floating(e->type) && (b->op == BinaryOp::divide || b->op == BinaryOp::modulo)) {
      const auto* by = b->right.as<Constant>();
      found = !by || by->value.integer == 0 || by->value.integer == -1;
    }
    for_each_child(e, [&](const Expr& child) { found = found || may_fault(child); });
    return found;
  }

  const Flow& flow_;
  std::set<std::string> fallible_;  ///< functions
  std::set<std::string> shared_;    ///< updated together by the threads of a loop around
};

}  // namespace

Flow leave_early(const Flow& flow) {
  Flow result = flow;
  result.root = Leaving(flow).visit(flow.root);
  return result;
}

bool leaves_early(const Flow& flow) {
  bool found = false;
  for_each_stmt(flow.root, [&](const Stmt& s) {
    const auto* l = s.as<Loop>();
    const auto* c = s.as<Coiterate>();
    found |= (l && l->unless) || (c && c->unless);
  });
  return found;
}

}  // namespace trellis::flow
