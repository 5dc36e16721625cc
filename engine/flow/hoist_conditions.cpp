#include "engine/flow/hoist_conditions.hpp"

#include <optional>
#include <set>
#include <string>

#include "engine/flow/fibers.hpp"
#include "engine/flow/ranges.hpp"

namespace trellis::flow {

namespace {

/// The condition under which the body does all that it does; null: there is none.
const If* guard_of(const Stmt& body) {
  const auto* seq = body.as<Seq>();
  if (seq && seq->statements.size() == 1) return guard_of(seq->statements.front());
  const auto* guard = body.as<If>();
  return guard && !guard->otherwise ? guard : nullptr;
}

const Binary* conjunction(const Expr& e) {
  const auto* b = e.as<Binary>();
  return b && b->op == format::BinaryOp::logical_and ? b : nullptr;
}

Expr both(const Expr& first, const Expr& second) {
  return Expr(ExprNode{Binary{format::BinaryOp::logical_and, first, second}, format::ScalarType::boolean, first->span});
}

class Hoisting {
 public:
  explicit Hoisting(const Flow& flow) : flow_(flow), ranges_(sizes_of_operands(flow)) {}

  Stmt visit(const Stmt& s) {
    const auto* loop = s.as<Loop>();
    const auto* walk = s.as<Coiterate>();
    const auto* let = s.as<Let>();
    if (loop) ranges_.enter(*loop);
    if (walk) ranges_.enter(*walk);
    if (let) ranges_.enter(let->name);
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    if (loop || walk || let) ranges_.leave();
    return inner.as<Loop>() ? asked_before(inner) : inner;
  }

 private:
  Stmt asked_before(const Stmt& s) const {
    const Loop& loop = *s.as<Loop>();
    const If* const guard = is_plain(loop, {But::down}) ? guard_of(loop.body) : nullptr;
    if (!guard) return s;
    const Changed changed{written_in(s), bound_in(s)};
    const Parts parts = apart(guard->condition, changed);
    if (!parts.before) return s;
    Loop rest = loop;
    rest.body = parts.inside ? Stmt(StmtNode{If{*parts.inside, guard->then, {}}, loop.body->span}, loop.body.origin())
                             : guard->then;
    return Stmt(StmtNode{If{*parts.before, Stmt(StmtNode{std::move(rest), s->span}, s.origin()), {}}, s->span},
                s.origin());
  }

  struct Changed {
    std::set<std::string> tensors, names;
  };
  struct Parts {
    std::optional<Expr> before, inside;
  };

  Parts apart(const Expr& condition, const Changed& changed) const {
    if (stays(condition, changed)) return {condition, {}};
    const Binary* const all = conjunction(condition);
    if (!all) return {{}, condition};
    const Parts left = apart(all->left, changed);
    if (left.inside) return {left.before, both(*left.inside, all->right)};
    const Parts right = apart(all->right, changed);
    return {right.before ? both(*left.before, *right.before) : left.before, right.inside};
  }

  /// May it be asked before the loop, with the same answer as in each iteration?
  bool stays(const Expr& e, const Changed& changed) const {
    const auto* n = e.as<Name>();
    const auto* v = e.as<Value>();
    const auto* b = e.as<Binary>();
    if (n) return !changed.names.contains(n->name);
    if (v) {
      const Tensor& tensor = *flow_.tensor(v->tensor);
      if (tensor.sparse() || changed.tensors.contains(v->tensor) || !ranges_.in_range(v->position, tensor))
        return false;
    }
    const bool fails =
        b && (b->op == format::BinaryOp::divide || b->op == format::BinaryOp::modulo) && !format::is_floating(e->type);
    if (fails || !(e.as<Constant>() || v || b || e.as<Unary>() || e.as<Cast>())) return false;
    bool all = true;
    for_each_child(e, [&](const Expr& child) { all = all && stays(child, changed); });
    return all;
  }

  const Flow& flow_;
  Ranges ranges_;
};

}  // namespace

Flow hoist_conditions(const Flow& flow) {
  Flow result = flow;
  result.root = Hoisting(flow).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
