#include "engine/loop/check_indices.hpp"

#include <map>
#include <utility>

#include "engine/loop/context.hpp"

namespace trellis::loop {

namespace {

using format::BinaryOp;
using format::ScalarType;
using math::Affine;
using math::Relation;

class IndexCheck {
 public:
  explicit IndexCheck(const lang::Program& program) {
    for (const lang::TensorInfo& info : program.tensors) shapes_[info.name] = info.shape;
  }

  Stmt visit(const Stmt& stmt, const Context& known) {
    if (const auto* d = stmt.as<Declare>()) shapes_[d->tensor.name] = d->tensor.shape;
    if (stmt.as<Block>()) {
      const auto outer = shapes_;
      const Stmt inner = map_children(
          stmt, [&](const Stmt& child) { return visit(child, known); }, [](const Expr& e) { return e; });
      shapes_ = outer;
      return inner;
    }
    // The condition after an iteration knows the loop's variable; the bounds of the loop do not.
    const auto* f = stmt.as<For>();
    int position = 0;
    bool first = true;
    return map_children(
        stmt, [&](const Stmt& child) { return visit(child, known.within(stmt, std::exchange(first, false))); },
        [&](const Expr& e) { return visit(e, f && ++position == 3 ? known.inside(*f) : known); });
  }

 private:
  Expr visit(const Expr& e, const Context& known) {
    int child = 0;
    if (const auto* b = e.as<lang::Binary>(); b && format::is_logical(b->op)) {
      const Expr left = visit(b->left, known);
      const Expr right =
          visit(b->right, b->op == BinaryOp::logical_and ? known.where(b->left) : known.where_not(b->left));
      return lang::map_children(e, [&](const Expr&) { return child++ == 0 ? left : right; });
    }
    if (const auto* s = e.as<lang::Select>()) {
      const Expr parts[] = {visit(s->condition, known), visit(s->then, known.where(s->condition)),
                            visit(s->otherwise, known.where_not(s->condition))};
      return lang::map_children(e, [&](const Expr&) { return parts[child++]; });
    }
    const Expr inner = lang::map_children(e, [&](const Expr& part) { return visit(part, known); });
    const auto* access = inner.as<lang::Access>();
    const auto shape = access ? shapes_.find(access->tensor) : shapes_.end();
    if (shape == shapes_.end()) return inner;
    return lang::map_children(inner, [&](const Expr& index) {
      return checked(index, shape->second[static_cast<std::size_t>(child++)], known);
    });
  }

  static Expr checked(const Expr& index, const Affine& size, const Context& known) {
    const auto form = lang::affine(index);
    if (!form ||
        (known.implies({Affine(0), Relation::less_equal, *form}) && known.implies({*form, Relation::less, size})))
      return index;
    return Expr(lang::ExprNode{lang::Cast{index}, ScalarType::i64, index->span}, index.origin(), index.id());
  }

  std::map<std::string, std::vector<Affine>> shapes_;
};

}  // namespace

Stmt check_indices(const Stmt& stmt, const lang::Program& program, math::Solver& solver) {
  return IndexCheck(program).visit(stmt, Context(solver));
}

}  // namespace trellis::loop
