#include "engine/distribute/distribute.hpp"

#include <algorithm>

#include "engine/distribute/homes.hpp"
#include "engine/distribute/legal.hpp"
#include "engine/distribute/phases.hpp"
#include "engine/distribute/sections.hpp"
#include "engine/schedule/wording.hpp"
#include "engine/text/sequence.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::distribute {
namespace {

std::optional<Plan> homes_and_phases(const Nest& nest, const lang::Kernel& kernel, const lang::Program& program,
                                     math::Solver& solver, text::Diagnostics& diagnostics) {
  Plan plan{.grid = program.ranks,
            .loops = nest.loops,
            .partitions = {},
            .homes = {},
            .dealt = {},
            .tensors = nest.tensors,
            .declared = nest.declared,
            .guards = {},
            .exchanges = {}};
  for (const lang::RanksInfo& ranks : plan.grid) {
    const auto& asked = kernel.schedule.distributions;
    const auto by = std::ranges::find_if(asked, [&](const auto& d) { return d.ranks == ranks.name && !d.by.empty(); });
    plan.by.push_back(by == asked.end() ? "" : by->by);
  }
  if (!find_homes(plan, nest, kernel, solver, diagnostics)) return std::nullopt;
  if (!find_guards(plan, nest, kernel.schedule.distributions.front().span, diagnostics)) return std::nullopt;
  return plan;
}

/// Loops of which each could be dealt out alone instead, as tried.
std::vector<std::string> instead(const Nest& nest, const lang::Kernel& kernel, const lang::Program& program,
                                 math::Solver& solver) {
  std::vector<std::string> found;
  const auto& asked = kernel.schedule.distributions;
  for (const loop::Stmt& stmt : nest.loop_of) {
    const auto* f = stmt ? stmt.as<loop::For>() : nullptr;
    const bool named = f && std::ranges::count(asked, f->variable, &lang::Schedule::Distribution::loop) > 0;
    if (!f || named || asked.size() != 1) continue;
    lang::Kernel other = kernel;
    other.schedule.distributions = {{f->variable, asked.front().ranks}};
    text::Diagnostics unseen;
    const auto plan = homes_and_phases(nest, other, program, solver, unseen);
    if (plan && !find_apart(*plan, nest, solver))
      add_once(found, lang::to_string(other.schedule.distributions.front()));
  }
  return found;
}

void report(const Apart& apart, const Nest& nest, const lang::Kernel& kernel, const lang::Program& program,
            math::Solver& solver, text::Diagnostics& diagnostics) {
  const auto& asked = kernel.schedule.distributions;
  const auto along = std::ranges::find(asked, apart.ranks, &lang::Schedule::Distribution::ranks);
  const auto& said = along == asked.end() ? asked.front() : *along;
  const bool reads = !writes(apart.dependence.second);
  text::Diagnostic& d = diagnostics.error("E0151", said.loop_span,
                                          "loop " + said.loop + " cannot be dealt out to ranks: " +
                                              (reads ? "iterations need what others compute in the same phase"
                                                     : "iterations of two ranks write one element"),
                                          schedule::describe(apart.dependence));
  d.instance = schedule::to_instance({apart.dependence, apart.sizes, apart.source, apart.sink});
  d.instance_text = to_string(apart);
  d.notes.push_back({nest.statements.at(nest.sites()[apart.dependence.source].statement)->span,
                     reads ? "computed here" : "written here"});
  if (text::Unseen::now()) return;
  for (const std::string& fix : instead(nest, kernel, program, solver))
    d.notes.push_back({{}, "this would work: `" + fix + "`"});
}

}  // namespace

std::optional<Plan> plan(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                         math::Solver& solver, text::Diagnostics& diagnostics) {
  const Nest nest(loops, program, solver);
  auto plan = homes_and_phases(nest, kernel, program, solver, diagnostics);
  if (!plan) return std::nullopt;
  if (const auto apart = find_apart(*plan, nest, solver)) {
    report(*apart, nest, kernel, program, solver, diagnostics);
    return std::nullopt;
  }
  if (!find_exchanges(*plan, nest, kernel.schedule.distributions.front().span, solver, diagnostics))
    return std::nullopt;
  return plan;
}

}  // namespace trellis::distribute
