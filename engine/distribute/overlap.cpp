#include "engine/distribute/overlap.hpp"

#include <algorithm>
#include <set>

#include "engine/distribute/legal.hpp"
#include "engine/distribute/nest.hpp"

namespace trellis::distribute {
namespace {

using loop::Stmt;

/// The widest halo that is waited for before the statement; empty where there is none, or something else as well.
std::optional<std::int64_t> halo_before(const Plan& plan, int statement) {
  std::optional<std::int64_t> width;
  for (const Exchange& e : plan.exchanges) {
    if (e.statement != statement || e.kind != Exchange::Kind::ghosts) continue;
    if (!e.halo || e.onward) return std::nullopt;
    width = std::max(width.value_or(0), *e.halo);
  }
  return width;
}

bool any_order(const loop::For& f) {
  return f.kind == loop::For::Kind::forall && f.reduces.empty() && !f.until && f.awaits.empty();
}

/// Each dealt-out loop is all that the one around it has.
bool perfect(const Plan& plan, const Stmt& phase) {
  std::size_t dealt = 0;
  loop::for_each(phase, [&](const Stmt& s) { dealt += plan.is_dealt(s.id()); });
  std::size_t nested = 0;
  for (Stmt at = phase; at; at = dealt_inside(plan, at)) {
    const auto* f = at.as<loop::For>();
    if (!f || !any_order(*f)) return false;
    ++nested;
  }
  return nested == dealt;
}

}  // namespace

Stmt dealt_inside(const Plan& plan, const Stmt& dealt_out) {
  const auto* f = dealt_out.as<loop::For>();
  const auto* body = f ? f->body.as<loop::Block>() : nullptr;
  if (!body || body->statements.size() != 1 || !plan.is_dealt(body->statements.front().id())) return {};
  return body->statements.front();
}

bool appends(const Plan& plan, const Stmt& statement) {
  bool found = false;
  loop::for_each(statement, [&](const Stmt& s) {
    const auto* a = s.as<loop::Assign>();
    const auto info = a ? plan.tensors.find({a->target.as<lang::Access>()->tensor, -1}) : plan.tensors.end();
    if (info == plan.tensors.end()) return;
    found |= !info->second.format.all_known() && info->second.entries_of.empty();
  });
  return found;
}

std::map<int, std::int64_t> overlapped_phases(const Plan& plan, const lang::Program& program, math::Solver& solver) {
  std::map<int, std::int64_t> found;
  loop::for_each(plan.loops, [&](const Stmt& s) {
    if (!plan.is_dealt(s.id())) return;
    const auto width = halo_before(plan, s.id());
    if (width.value_or(0) > 0 && perfect(plan, s) && !appends(plan, s)) found[s.id()] = width.value_or(0);
  });
  if (found.empty()) return found;
  const Nest nest(plan.loops, program, solver);
  for (const int phase : ordered_phases(plan, nest, solver)) found.erase(phase);
  return found;
}

}  // namespace trellis::distribute
