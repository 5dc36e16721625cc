// What exchanges send, counted before anything runs: sections are sets, and a plan with numbers has finitely many
// ranks.

#include <algorithm>
#include <set>

#include "engine/distribute/owners.hpp"
#include "engine/distribute/print.hpp"
#include "engine/distribute/wants.hpp"
#include "engine/math/solver.hpp"
#include "engine/schedule/instances.hpp"

namespace trellis::distribute {
namespace {

constexpr std::int64_t most_counted = 200'000;  ///< sections of one rank in one execution

/// The loops around a statement, outermost first.
void loops_around(const loop::Stmt& at, int statement, std::vector<loop::Stmt>& around,
                  std::vector<loop::Stmt>& found) {
  if (at.id() == statement) found = around;
  const bool is_loop = at.as<loop::For>() || at.as<loop::While>();
  if (is_loop) around.push_back(at);
  loop::for_each_child(
      at, [&](const loop::Stmt& child) { loops_around(child, statement, around, found); }, [](const loop::Expr&) {});
  if (is_loop) around.pop_back();
}

/// Goes through the iterations of loops whose bounds have numbers; false where one has none, or they are too many.
bool for_each_iteration(const std::vector<loop::Stmt>& loops, std::size_t k, Numbers& at, std::int64_t& left,
                        const std::function<void()>& visit) {
  if (k == loops.size()) {
    visit();
    return left >= 0;
  }
  const auto* f = loops[k].as<loop::For>();
  const auto bound = [&](const loop::Expr& e) -> std::optional<std::int64_t> {
    const auto form = lang::affine(e);
    return form ? form->evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
      const auto found = at.find(name);
      return found == at.end() ? std::nullopt : std::optional(found->second);
    })
                : std::nullopt;
  };
  const auto low = f ? bound(f->low) : std::nullopt, high = f ? bound(f->high) : std::nullopt;
  if (!low || !high) return false;
  for (std::int64_t x = *low; x < *high; ++x) {
    at[f->variable] = x;
    if (!for_each_iteration(loops, k + 1, at, left, visit)) return false;
  }
  at.erase(f->variable);
  return true;
}

/// Elements that one rank sends another.
using Pairs = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;

/// In one execution, by all ranks.
Sent sent(const Plan& plan, const Cuts& cuts, const Exchange& exchange, const Numbers& around, Pairs& pairs) {
  Sent all;
  const bool ghosts = exchange.kind == Exchange::Kind::ghosts;
  const Wants* const wanted = wants(plan, cuts, exchange);
  for (std::int64_t other = 0; other < cuts.ranks(); ++other) {
    Numbers numbers = numbers_of(plan, cuts, other);
    numbers.insert(around.begin(), around.end());
    std::set<std::int64_t> owners;
    for (const math::Domain& section : exchange.sections)
      for (const std::int64_t owner : owners_near(plan, cuts, exchange, section, numbers, other)) owners.insert(owner);
    for (const std::int64_t owner : owners) {
      if (owner == other) continue;
      std::int64_t count = 0;
      for (const math::Domain& piece :
           elements_between(plan, cuts, exchange, ghosts ? owner : other, ghosts ? other : owner))
        count += count_wanted(piece, numbers, wanted, other);
      all.messages += count > 0;
      all.elements += count;
      if (count > 0) pairs[ghosts ? std::pair(owner, other) : std::pair(other, owner)] += count;
    }
  }
  return all;
}

}  // namespace

std::optional<Volume> volume(const Plan& plan, const Cuts& cuts, const Exchange& exchange) {
  std::vector<loop::Stmt> around, loops;
  loops_around(plan.loops, exchange.statement, around, loops);
  const auto moves = [&](const std::string& variable) {
    return std::ranges::any_of(exchange.sections, [&](const math::Domain& d) {
      return std::ranges::any_of(d.constraints, [&](const math::Constraint& c) { return c.mentions(variable); });
    });
  };
  const bool alike = std::ranges::none_of(exchange.around, moves);
  Volume all;
  Numbers at = cuts.sizes;
  std::int64_t left = most_counted;
  std::optional<Sent> each;
  Pairs pairs;
  const bool counted = for_each_iteration(loops, 0, at, left, [&] {
    Numbers here;
    for (const std::string& name : exchange.around)
      if (at.contains(name)) here[name] = at.at(name);
    --left;
    if (!each || !alike) {
      left -= cuts.ranks();
      if (left >= 0) each = sent(plan, cuts, exchange, here, pairs);
    }
    if (!each) return;
    ++all.executions;
    all.messages += each->messages;
    all.elements += each->elements;
  });
  if (!counted) return std::nullopt;
  const lang::TensorInfo& info = plan.tensors.at(exchange.tensor);
  const auto size = static_cast<std::int64_t>(format::size_of(info.type));
  all.bytes = all.elements * size;
  for (const auto& [pair, count] : pairs) all.between[pair] = count * size * (alike ? all.executions : 1);
  return all;
}

std::vector<math::Domain> over_all_iterations(const Plan& plan, const Numbers& sizes, const Exchange& exchange) {
  std::vector<loop::Stmt> around, loops;
  loops_around(plan.loops, exchange.statement, around, loops);
  std::map<std::string, math::Affine> known;
  for (const auto& [name, number] : sizes) known.emplace(name, math::Affine(number));
  math::Domain bounds;
  for (const loop::Stmt& one : loops) {
    const auto* f = one.as<loop::For>();
    if (!f || std::ranges::find(exchange.around, f->variable) == exchange.around.end()) continue;
    const auto low = lang::affine(f->low), high = lang::affine(f->high);
    const math::Affine v = math::Affine::name(f->variable);
    bounds.variables.push_back(f->variable);
    if (low) bounds.constraints.push_back({low->substitute(known), math::Relation::less_equal, v});
    if (high) bounds.constraints.push_back({v, math::Relation::less, high->substitute(known)});
  }
  std::vector<math::Domain> all;
  math::Solver solver({});
  for (const math::Domain& section : exchange.sections) {
    math::Domain whole = bounds;
    std::vector<std::string> elements;
    for (std::size_t d = 0; d < plan.tensors.at(exchange.tensor).shape.size(); ++d) elements.push_back(element_name(d));
    whole.variables.insert(whole.variables.end(), elements.begin(), elements.end());
    for (const math::Constraint& c : section.constraints) whole.constraints.push_back(c.substitute(known));
    for (math::Domain& piece : solver.project(whole, elements)) all.push_back(std::move(piece));
  }
  return all;
}

}  // namespace trellis::distribute
