#include "engine/coiterate/lower_loops.hpp"

#include <algorithm>
#include <iterator>

#include "engine/coiterate/conditions.hpp"
#include "engine/coiterate/index_checks.hpp"
#include "engine/coiterate/known_elements.hpp"
#include "engine/coiterate/lift.hpp"
#include "engine/coiterate/loop_parts.hpp"
#include "engine/coiterate/lower_coiterate.hpp"
#include "engine/coiterate/lower_expressions.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/lower_until.hpp"
#include "engine/coiterate/offers_of.hpp"
#include "engine/coiterate/recursion.hpp"
#include "engine/loop/instead_of.hpp"

namespace trellis::coiterate {

namespace {

const std::string how_lifted = "with what repeats multiplied";

bool leads_any(const Lattice& lattice) { return !lattice.with_role(Lattice::Role::leads).empty(); }

/// Inside the loop, whose iterations all run.
void enter(Context& in, const loop::For& f) {
  in.scope.bound.insert(f.variable);
  in.scope.everywhere.insert(f.variable);
}

/// What operands offer the loop, and the loop inside it if there is one that it updates elements in.
Offers offered_to_both(Context& in, const loop::Stmt& s, Offers offered) {
  const loop::For* const inside = loop_inside(s, in.program);
  if (!inside) return offered;
  const Scoped scope(in.scope);
  enter(in, *s.as<loop::For>());
  std::ranges::move(offers_of(in, *inside).literals, std::back_inserter(offered.literals));
  return offered;
}

bool is_led(Context& in, const loop::Stmt& s) {
  const Lattice lattice = build_lattice(s, offers_of(in, *s.as<loop::For>()), surroundings(in));
  return lattice.algebra.is_nowhere() || leads_any(lattice);
}

/// Do operands lead the loop inside this one?
bool is_led_inside(Context& in, const loop::Stmt& s) {
  const loop::For* const inside = loop_inside(s, in.program);
  if (!inside) return false;
  const Scoped scope(in.scope);
  enter(in, *s.as<loop::For>());
  return is_led(in, loop::instead_of(s, *inside));
}

/// What is done in gaps comes after the loop, which none leads, if operands can lead it then.
/// (docs/design/coiteration.md#gaps)
std::optional<loop::Stmt> lifted(Context& in, const loop::Stmt& s, const Offers& offered) {
  if (!in.origins.within.absent.empty())
    if (auto constant = lift_constant(s)) {
      note_reassociated(in, *constant, how_lifted);
      return constant;
    }
  const auto free_name = [&](std::string name) {
    while (in.program.tensor(name) || in.program.parameter(name) || in.tensors.alive.count(name)) name += "_";
    return name;
  };
  const auto parts =
      is_led_inside(in, s) ? std::nullopt : lift(s, offered_to_both(in, s, offered), surroundings(in), free_name);
  if (!parts) return std::nullopt;
  std::vector<loop::Stmt> all;
  for (const lang::TensorInfo& one : parts->counters) {
    in.tensors.declared[one.name] = one;
    all.push_back(loop::instead_of(s, loop::Declare{one}));
    if (one.shape.empty()) {
      const lang::Expr counter(lang::ExprNode{lang::Access{one.name, {}, {}}, one.type, {}});
      all.push_back(loop::instead_of(s, loop::Assign{counter, {}, lang::integer(0)}));
    } else {
      all.push_back(loop::instead_of(s, loop::Reset{one.name, lang::integer(0)}));
    }
  }
  if (!is_led(in, parts->walk) && !is_led_inside(in, parts->walk)) return std::nullopt;
  all.push_back(parts->walk);
  note_reassociated(in, loop::block(parts->rest), how_lifted);
  all.insert(all.end(), parts->rest.begin(), parts->rest.end());
  return loop::block(std::move(all));
}

/// An index above what the loop walks is checked before it, if what is above that may be missing.
std::optional<Stmt> with_checks_apart(Context& in, const loop::Stmt& s, const loop::For& f, const Lattice& lattice) {
  for (const Lattice::Operand& operand : lattice.operands) {
    const Literal& literal = operand.literal;
    const auto& access = *literal.access.as<lang::Access>();
    for (int level = 0; operand.role != Lattice::Role::located && level < literal.level(); ++level) {
      const access::LevelKey key = level_key(access, *info(in, access.tensor), level);
      if (in.entries.count(key) || !is_checked_apart(in, access, level)) continue;
      std::optional<Expr> asked = runs(in, f);
      if (!literal.only_if.empty()) asked = both(*asked, any_of(in, literal.only_if));
      return checked_apart(in, s, access, level, asked, [&](const Expr& at) {
        return placed(in, access, level, at, literal.only_if, [&] { return lower_loop(in, s, f); });
      });
    }
  }
  return std::nullopt;
}

Stmt over_coordinates(Context& in, const loop::Stmt& s, const loop::For& f) {
  Loop l;
  l.variable = f.variable;
  l.low = lower_expr(in, f.low);
  l.high = lower_expr(in, f.high);
  l.unroll = f.unroll;
  if (f.descending) l.direction = Loop::Direction::down;
  if (f.execution == loop::For::Execution::parallel) l.execution = Loop::Execution::parallel;
  if (f.execution == loop::For::Execution::vectorized) l.execution = Loop::Execution::vector;
  l.reduces = reduced(in, f);
  l.merge_path = merge_path(in, f);
  l.lanes = f.lanes;
  l.jam = f.jam;
  l.registers = f.registers;
  const Scoped scope(in.scope);
  in.scope.bound.insert(f.variable);
  in.scope.ranges.enter(l);
  l.body = behind_await(in, s, f, lower_stmt(in, f.body));
  if (f.until) l.until = lower_expr(in, *f.until);
  return make(in, std::move(l), s);
}

/// Its lattice becomes that of what is inside.
Stmt by_lattice(Context& in, const loop::Stmt& s, const loop::For& f, Lattice lattice) {
  lattice.parent = in.origins.within.lattice;
  lattice.absent = in.origins.within.absent;
  in.origins.lattices.push_back(lattice);
  const auto number = static_cast<int>(in.origins.lattices.size()) - 1;
  const Scoped within(in.origins.within, {number, {}, -1, 0});
  const Scoped scope(in.scope);
  if (!leads_any(lattice)) in.scope.everywhere.insert(f.variable);
  return lattice.walks() ? lower_coiterate(in, s, f, lattice) : over_coordinates(in, s, f);
}

}  // namespace

Stmt lower_loop(Context& in, const loop::Stmt& s, const loop::For& f) {
  if (const auto walk = walked_until(in, s, f)) return lower_stmt(in, *walk);
  forget_known(in, s);
  const Offers offered = f.until ? Offers{} : offers_of(in, f);
  Lattice lattice = build_lattice(s, offered, surroundings(in));
  if (lattice.algebra.is_nowhere()) return make(in, Seq{}, s);
  if (!leads_any(lattice))
    if (const auto apart = lifted(in, s, offered)) return lower_stmt(in, *apart);
  if (const auto apart = with_checks_apart(in, s, f, lattice)) return *apart;
  return by_lattice(in, s, f, std::move(lattice));
}

}  // namespace trellis::coiterate
