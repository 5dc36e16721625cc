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
  const auto is_steady = [&](const lang::Access& access, const lang::Expr& index) {
    const lang::TensorInfo* described = info(access.tensor);
    return described &&
           std::ranges::any_of(present, [&](int l) { return is_entry_of(walk.literal(l), access, *described, index); });
  };
  const std::string& i = walk.loop.variable;
  const auto takes = [&](const lang::Access& target) { return takes_runs(target, i); };
  const auto described = [&](const std::string& tensor) { return info(tensor); };
  const auto lifted = lift_over(
      body, {i, variable(walk.regions->first), variable(walk.regions->last), is_steady, takes, described});
  if (!lifted) return std::nullopt;
  if (!lifted->at_first) return stmt(lifted->once);
  // The coordinates that are appended go from this one to the last.
  runs_.emplace(i, walk.regions->last);
  const bool fresh_name = bound_.insert(i).second;
  const Stmt inner = stmt(lifted->once);
  if (fresh_name) bound_.erase(i);
  runs_.erase(i);
  const auto made = [&](auto node) { return Stmt(StmtNode{std::move(node), body->span}, origin(body)); };
  const Stmt once = made(Let{i, name(walk.regions->first), inner});
  return lifted->copies ? made(Seq{{once, stmt(*lifted->copies)}}) : once;
}

// A result that is appended to, a level of which keeps runs and is indexed by the variable, as no other one is.
bool Lowering::takes_runs(const lang::Access& target, const std::string& variable) {
  const lang::TensorInfo* described = info(target.tensor);
  if (!described || !written_.count(target.tensor)) return false;
  bool takes = false;
  for (int level = 0; level < std::ssize(target.indices); ++level) {
    const lang::Expr& index = level_index(target, *described, level);
    if (!contains(lang::free_variables(index), variable)) continue;
    const std::optional<math::Affine> moved = lang::affine(index);
    const format::Facts facts = lookup(target.tensor).levels[static_cast<std::size_t>(level)].facts;
    if (takes || facts.region != format::Region::run || !moved || moved->coefficient(variable) != 1) return false;
    takes = true;
  }
  return takes;
}

}  // namespace trellis::coiterate
