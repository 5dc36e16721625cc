#include "engine/flow/whole_sides.hpp"

#include <algorithm>

#include "engine/flow/arithmetic.hpp"
#include "engine/flow/around.hpp"
#include "engine/flow/entries.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/register_tile.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::flow {

namespace {

using format::BinaryOp;
using making::binary;

/// What a loop does, where that is no more than some updates of dense tensors; else nothing.
std::vector<const Assign*> updates_of(const Loop& loop) {
  std::vector<const Assign*> all;
  bool plain = true;
  for_each_stmt(loop.body, [&](const Stmt& s) {
    const auto* assign = s.as<Assign>();
    if (assign && !assign->atomic) all.push_back(assign);
    else plain &= s.as<Seq>() != nullptr;
  });
  return plain ? all : std::vector<const Assign*>();
}

void add_reads(const Expr& expr, std::vector<Expr>& reads) {
  if (expr.as<Value>()) reads.push_back(expr);
  for_each_child(expr, [&](const Expr& child) { add_reads(child, reads); });
}

class Sides {
 public:
  explicit Sides(const Flow& flow) : around_(flow) {}

  Stmt visit(const Stmt& s) {
    const auto* loop = s.as<Loop>();
    if (loop && loop->registers)
      if (const Stmt changed = whole_or_part(s, *loop)) return changed;
    return around_.with_children(s, [&](const Stmt& child) { return visit(child); });
  }

 private:
  /// Null where nothing is gained.
  Stmt whole_or_part(const Stmt& s, const Loop& loop) {
    const auto side = side_of(loop);
    if (!side || side->count < 2 || side->count > most_of_side || !are_apart(loop, *side)) return {};
    Loop all = loop;
    all.low = side->base;
    all.high = making::plus(side->base, integer(side->count));
    all.execution = Loop::Execution::vector;
    const Stmt whole(StmtNode{std::move(all), s->span}, s.origin());
    if (std::ranges::any_of(side->whole, [&](const Expr& e) { return is_negative(e); })) return {};  // never whole
    const Expr condition = all_non_negative(side->whole, around_);
    if (!condition) return whole;
    return Stmt(StmtNode{If{condition, whole, s}, s->span}, s.origin());
  }

  bool is_negative(const Expr& e) { return around_.non_negative(making::minus(integer(-1), e)); }

  /// Does each iteration write elements of its own, and read none that another one writes?
  bool are_apart(const Loop& loop, const TileSide& side) {
    const std::vector<const Assign*> updates = updates_of(loop);
    if (updates.empty()) return false;
    std::vector<Expr> touched;
    for (const Assign* update : updates) {
      add_reads(update->value, touched);
      touched.push_back(Expr(ExprNode{Value{update->tensor, update->position}, update->value->type, {}}));
    }
    const std::string other = loop.variable + "'";
    Renaming elsewhere;
    elsewhere.values[loop.variable] = name(other);
    const Expr end = making::plus(side.base, integer(side.count));
    around_.enter(loop.variable, side.base, end);
    around_.enter(other, side.base, end);
    const bool apart = std::ranges::all_of(updates, [&](const Assign* update) {
      return is_own(update->position, loop.variable) && std::ranges::all_of(touched, [&](const Expr& e) {
               const auto& value = *e.as<Value>();
               return value.tensor != update->tensor || is_same(value.position, update->position) ||
                      around_.apart(renamed(e, elsewhere).as<Value>()->position, update->position);
             });
    });
    around_.leave(2);
    return apart;
  }

  /// The last coordinate goes with the variable, and no other does.
  static bool is_own(const Position& position, const std::string& variable) {
    const auto* last = position.as<Direct>();
    const auto coordinate = last && !last->check ? quasi_affine(last->coordinate) : std::nullopt;
    if (!coordinate || coordinate->coefficient(variable) != 1) return false;
    const Position* at = &last->parent;
    for (const Direct* d = at->as<Direct>(); d; at = &d->parent, d = at->as<Direct>())
      if (names(d->coordinate, variable)) return false;
    return at->as<Root>() != nullptr;
  }

  Around around_;
};

}  // namespace

Flow whole_sides(const Flow& flow) {
  Flow result = flow;
  result.root = Sides(flow).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
