#include "engine/coiterate/lower_regions.hpp"

#include <algorithm>

#include "engine/coiterate/lift_over.hpp"
#include "engine/coiterate/loop_parts.hpp"
#include "engine/coiterate/lower_assignments.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/recursion.hpp"

namespace trellis::coiterate {

namespace {

/// `A(i,…)` where the variable indexes the level that the literal is of.
bool is_entry_of(const Literal& literal, const lang::Access& access, const lang::TensorInfo& info,
                 const lang::Expr& index) {
  return literal.access.as<lang::Access>()->tensor == access.tensor &&
         literal.key == level_key(access, info, literal.level()) &&
         index.same(level_index(access, info, literal.level()));
}

/// Is one of the operands in regions of this kind, a point being a coordinate of the loop?
bool any_goes_by(format::Region region, const OpenLattice& walk, const std::vector<int>& operands) {
  return std::ranges::any_of(operands, [&](int operand) {
    const access::Sequence& sequence = walk.literal(operand).sequence;
    return sequence.stored.region == region && (region != format::Region::point || sequence.inverse.stretch == 1);
  });
}

/// The body where the loop's variable has a value.
Stmt with_variable(Context& in, const OpenLattice& walk, const loop::Stmt& body) {
  const Scoped scope(in.scope);
  in.scope.bound.insert(walk.loop.variable);
  return lower_stmt(in, body);
}

/// The first coordinate stands for all: those that are appended go from this one to the last.
Stmt at_first(Context& in, const OpenLattice& walk, const loop::Stmt& once, const loop::Stmt& body) {
  const Scoped runs(in.runs);
  in.runs.emplace(walk.loop.variable, walk.regions->last);
  return make(in, Let{walk.loop.variable, name(walk.regions->first), with_variable(in, walk, once)}, body);
}

/// What is done once for all coordinates of the region; empty: they need one iteration each.
std::optional<LiftedOver> lifted_over_region(Context& in, const OpenLattice& walk, const loop::Stmt& body,
                                             const std::vector<int>& present) {
  const auto variable = [](const std::string& name) {
    return lang::Expr(lang::ExprNode{lang::Variable{name}, format::ScalarType::i64, {}});
  };
  const auto is_steady = [&](const lang::Access& access, const lang::Expr& index) {
    const lang::TensorInfo* described = info(in, access.tensor);
    return described && std::ranges::any_of(present, [&](int operand) {
             return is_entry_of(walk.literal(operand), access, *described, index);
           });
  };
  const std::string& i = walk.loop.variable;
  const auto takes = [&](const lang::Access& target) { return takes_runs(in, target, i); };
  const auto described = [&](const std::string& tensor) { return info(in, tensor); };
  const auto non_negative = [&](const math::Affine& index) { return in.scope.ranges.non_negative(index); };
  return lift_over(body, {i, variable(walk.regions->first), variable(walk.regions->last), is_steady, takes, described,
                          walk.loop.descending, non_negative});
}

std::optional<Stmt> over_region(Context& in, const OpenLattice& walk, const loop::Stmt& body,
                                const std::vector<int>& present) {
  const auto lifted = lifted_over_region(in, walk, body, present);
  if (!lifted) return std::nullopt;
  note_reassociated(in, lifted->once, "with what repeats multiplied");
  if (!lifted->at_first) return lower_stmt(in, lifted->once);
  const Stmt once = at_first(in, walk, lifted->once, body);
  return lifted->copies ? make(in, Seq{{once, lower_stmt(in, *lifted->copies)}}, body) : once;
}

}  // namespace

Stmt lower_leaf(Context& in, const OpenLattice& walk, const loop::Stmt& body, const std::vector<int>& present,
                Present which) {
  if (!walk.regions) return lower_stmt(in, body);
  // One body for all cases does not know which of them are there.
  const bool is_point = which == Present::all && any_goes_by(format::Region::point, walk, present);
  const bool turn_by_turn = !walk.loop.awaits.empty() || any_goes_by(format::Region::block, walk, present);
  if (!is_point && !turn_by_turn)
    if (const auto once = over_region(in, walk, body, present)) return *once;
  const std::string& i = walk.loop.variable;
  const Expr first = name(walk.regions->first), last = name(walk.regions->last);
  Stmt inner = behind_await(in, body, walk.loop, with_variable(in, walk, body));
  if (is_point) return make(in, Let{i, first, std::move(inner)}, body);
  const Expr end(ExprNode{Binary{format::BinaryOp::add, last, integer(1)}, format::ScalarType::i64, {}});
  Loop block{{first, end}, {}, {}, i, std::move(inner)};
  if (walk.loop.descending) block.direction = Loop::Direction::down;
  if (walk.loop.execution == loop::For::Execution::vectorized) {
    block.execution = Loop::Execution::vector;
    block.reduces = reduced(in, walk.loop);
    block.lanes = walk.loop.lanes;
  }
  return make(in, std::move(block), body);
}

}  // namespace trellis::coiterate
