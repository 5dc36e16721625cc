#include "engine/results/scatter.hpp"

#include <algorithm>
#include <set>

#include "engine/format/level.hpp"
#include "engine/results/appends.hpp"
#include "engine/schedule/instances.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::results {
namespace {

using loop::Stmt;

/// Dense levels above one that lists the coordinates of each fiber.
bool has_fibers(const lang::TensorInfo& tensor) {
  const std::vector<format::Facts> facts = format::facts(tensor.format);
  if (facts.size() < 2 || tensor.format.layout) return false;
  const format::Facts& last = facts.back();
  return last.sorted_list() && last.positions && last.slots == 0 && !last.table &&
         std::all_of(facts.begin(), facts.end() - 1, [](const format::Facts& level) { return level.dense(); });
}

/// Loops that run one iteration after the other and do nothing but write elements: they can run twice.
bool only_writes(const Stmt& loops, const std::string& tensor) {
  bool holds = true;
  loop::for_each(loops, [&](const Stmt& s) {
    const auto* f = s.as<loop::For>();
    const auto* a = s.as<loop::Assign>();
    if (f) holds &= f->execution == loop::For::Execution::serial && !f->until && f->jam == 1;
    else if (a) holds &= a->target.as<lang::Access>()->tensor == tensor;
    else holds &= s.as<loop::Block>() || s.as<loop::If>() || s.as<loop::Let>() || s.as<loop::Note>();
  });
  return holds;
}

/// Without resets that stand before everything else.
Stmt without_first_resets(const Stmt& loops, const std::string& tensor) {
  std::set<int> resets;
  for (const Stmt& s : loops.as<loop::Block>()->statements) {
    const auto* r = s.as<loop::Reset>();
    if (!r || r->tensor != tensor) break;
    resets.insert(s.id());
  }
  return resets.empty() ? loops : loop::number(schedule::without(loops, resets));
}

}  // namespace

std::optional<Stmt> scatter(const Stmt& loops, const lang::TensorInfo& tensor, math::Solver& solver) {
  if (!has_fibers(tensor)) return std::nullopt;
  const Stmt rest = without_first_resets(loops, tensor.name);
  if (!only_writes(rest, tensor.name) || !rises_in_each_fiber(schedule::sites(rest), tensor, solver))
    return std::nullopt;
  return rest;
}

}  // namespace trellis::results
