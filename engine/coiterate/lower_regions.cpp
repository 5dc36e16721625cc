// Leaves of loops that go by regions. All operands that are there from `i_first` to `i_last` are points, blocks or
// runs; what is not there is its fill all along, which is a run too (COITERATION rule 8).
//
//   a point among them          let i = i_first { body }             the stretch is one coordinate
//   nothing needs i             body, lifted over the stretch
//   else                        loop i in i_first:i_last + 1 { body }    a plain loop, which may run in vectors

#include <algorithm>

#include "engine/coiterate/lift_over.hpp"
#include "engine/coiterate/lowering.hpp"
#include "engine/coiterate/walk.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

/// `A(i,…)` where the variable indexes the level that the literal is of.
bool is_entry_of(const Literal& literal, const lang::Access& access, const lang::TensorInfo& info,
                 const lang::Expr& index) {
  return literal.access.as<lang::Access>()->tensor == access.tensor &&
         literal.key == level_key(access, info, literal.level()) &&
         index.same(level_index(access, info, literal.level()));
}

}  // namespace

// Rule 1: full is what reaches over all of the loop, wherever the levels above have an entry.
bool Lowering::covers(const access::Sequence& sequence, const lang::Access& access, const loop::For& f) {
  const std::optional<math::Affine> low = lang::affine(f.low), high = lang::affine(f.high);
  if (!sequence.stored.full() || !low || !high || !resolve(access).missing.empty()) return false;
  for (int level = 0; level < sequence.level; ++level)
    if (check(access, level_index(access, *info(access.tensor), level))) return false;
  if (in_range(access, sequence.level, false)) return false;
  const auto [least, most] = sequence.inverse.range(access::level_size(*info(access.tensor), sequence.level));
  const math::Affine first = sequence.inverse.stride * *low;
  const math::Affine last = sequence.inverse.stride * (*high - math::Affine(1));
  return ranges_.non_negative(first - least) && ranges_.non_negative(most - last);
}

Stmt Lowering::leaf(const Walk& walk, const loop::Stmt& body, const std::vector<int>& present, Present which) {
  if (!walk.regions) return stmt(body);
  const auto made = [&](auto node) {
    return Stmt(StmtNode{std::move(node), body->span}, origin(body));
  };
  const auto is_there = [&](format::Region region) {
    return std::ranges::any_of(present, [&](int l) {
      const access::Sequence& sequence = walk.literal(l).sequence;
      return sequence.stored.region == region && (region != format::Region::point || sequence.inverse.stretch == 1);
    });
  };
  // One body for all cases does not know which of them are there.
  const bool a_point = which == Present::all && is_there(format::Region::point);
  if (!a_point && !is_there(format::Region::block))
    if (const auto lifted = over_region(walk, body, present)) return *lifted;
  const std::string& i = walk.loop.variable;
  const Expr first = name(walk.regions->first), last = name(walk.regions->last);
  const bool fresh_name = bound_.insert(i).second;
  Stmt inner = stmt(body);
  if (fresh_name) bound_.erase(i);
  if (a_point) return made(Let{i, first, std::move(inner)});
  const Expr behind(ExprNode{Binary{format::BinaryOp::add, last, integer(1)}, format::ScalarType::i64, {}});
  Loop block{i, first, behind, Loop::Direction::up, Loop::Execution::serial, {}, 1, std::move(inner)};
  if (walk.loop.descending) block.direction = Loop::Direction::down;
  if (walk.loop.execution == loop::For::Execution::vectorized) {
    block.execution = Loop::Execution::vector;
    block.reduces = reduced(walk.loop);
    block.lanes = walk.loop.lanes;
  }
  return made(std::move(block));
}

std::optional<Stmt> Lowering::over_region(const Walk& walk, const loop::Stmt& body, const std::vector<int>& present) {
  const auto variable = [](const std::string& name) {
    return lang::Expr(lang::ExprNode{lang::Variable{name}, format::ScalarType::i64, {}});
  };
  const lang::Expr length =
      lang::binary(format::BinaryOp::subtract, variable(walk.regions->last), variable(walk.regions->first));
  const auto is_steady = [&](const lang::Access& access, const lang::Expr& index) {
    const lang::TensorInfo* described = info(access.tensor);
    return described &&
           std::ranges::any_of(present, [&](int l) { return is_entry_of(walk.literal(l), access, *described, index); });
  };
  const auto takes = [&](const lang::Access& target) { return takes_runs(target, walk.loop.variable); };
  const lang::Expr count = lang::binary(format::BinaryOp::add, length, lang::integer(1));
  const auto lifted = lift_over(body, {walk.loop.variable, count, is_steady, takes});
  if (!lifted) return std::nullopt;
  bool appends = false;
  loop::for_each(*lifted, [&](const loop::Stmt& s) {
    const auto* a = s.as<loop::Assign>();
    appends = appends || (a && takes(*a->target.as<lang::Access>()));
  });
  if (!appends) return stmt(*lifted);
  // The coordinates that are appended go from this one to the last.
  const std::string& i = walk.loop.variable;
  const std::optional<Run> outside = std::exchange(run_, Run{i, walk.regions->last});
  const bool fresh_name = bound_.insert(i).second;
  Stmt inner = stmt(*lifted);
  if (fresh_name) bound_.erase(i);
  run_ = outside;
  return Stmt(StmtNode{Let{i, name(walk.regions->first), std::move(inner)}, body->span}, origin(body));
}

// A result that is appended to, the last level of which keeps runs and is indexed by the variable, as no other one is.
bool Lowering::takes_runs(const lang::Access& target, const std::string& variable) {
  const lang::TensorInfo* described = info(target.tensor);
  if (!described || !written_.count(target.tensor) || !format::appends_runs(described->format)) return false;
  const auto rank = static_cast<int>(target.indices.size());
  const std::optional<math::Affine> last = lang::affine(level_index(target, *described, rank - 1));
  for (int level = 0; level + 1 < rank; ++level)
    if (contains(lang::free_variables(level_index(target, *described, level)), variable)) return false;
  return last && last->coefficient(variable) == 1;
}

}  // namespace trellis::coiterate
