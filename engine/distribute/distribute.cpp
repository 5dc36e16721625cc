#include "engine/distribute/distribute.hpp"

#include <algorithm>

#include "engine/distribute/homes.hpp"
#include "engine/distribute/legal.hpp"
#include "engine/distribute/phases.hpp"
#include "engine/distribute/pipeline.hpp"
#include "engine/distribute/renumber.hpp"
#include "engine/distribute/sections.hpp"
#include "engine/schedule/apply.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/schedule/wording.hpp"
#include "engine/text/sequence.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::distribute {
namespace {

using schedule::Site;
using schedule::Touch;

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
    const auto in_turns =
        std::ranges::find_if(asked, [&](const auto& d) { return d.ranks == ranks.name && d.cyclic > 0; });
    plan.cyclic.push_back(in_turns == asked.end() ? 0 : in_turns->cyclic);
    if (in_turns == asked.end() || ranks.count > 0) continue;
    diagnostics
        .error("E0155", in_turns->span,
               "blocks of " + in_turns->loop + " cannot go to ranks in turn: how many are there?",
               "whose a block is depends on it")
        .notes.push_back({ranks.span, "with a number, as in `ranks " + ranks.name + "(4)`"});
    return std::nullopt;
  }
  if (!find_homes(plan, nest, kernel, solver, diagnostics)) return std::nullopt;
  if (!find_guards(plan, nest, kernel.schedule.distributions.front().span, diagnostics)) return std::nullopt;
  return plan;
}

/// Who has what and who computes, of loops of which some nests are in blocks.
struct Settled {
  Nest nest;
  Plan plan;
};

std::optional<Settled> settle(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                              math::Solver& solver, text::Diagnostics& diagnostics);

bool works(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program, math::Solver& solver) {
  const text::Unseen unseen;
  text::Diagnostics unread;
  return settle(loops, kernel, program, solver, unread).has_value();
}

/// Pipelines, and loops of which each could be dealt out alone instead, as tried.
std::vector<std::string> instead(const Apart& apart, const Nest& nest, const lang::Kernel& kernel,
                                 const lang::Program& program, math::Solver& solver) {
  constexpr std::int64_t usual_block = 256;
  std::vector<std::string> found;
  const auto& asked = kernel.schedule.distributions;
  const auto is_asked = [&](const loop::For& f) {
    return std::ranges::count(asked, f.variable, &lang::Schedule::Distribution::loop) > 0;
  };
  loop::for_each(nest.statements.at(apart.phase), [&](const loop::Stmt& s) {
    const auto* f = s.as<loop::For>();
    if (!f || is_asked(*f) || !kernel.schedule.pipelines.empty()) return;
    lang::Kernel other = kernel;
    other.schedule.pipelines = {{f->variable, usual_block}};
    const std::string fix = lang::to_string(other.schedule.pipelines.front());
    if (!contains(found, fix) && works(nest.loops, other, program, solver)) found.push_back(fix);
  });
  for (const loop::Stmt& stmt : nest.loop_of) {
    const auto* f = stmt ? stmt.as<loop::For>() : nullptr;
    if (!f || is_asked(*f) || asked.size() != 1) continue;
    lang::Kernel other = kernel;
    other.schedule.distributions = {{f->variable, asked.front().ranks}};
    other.schedule.pipelines.clear();
    const std::string fix = lang::to_string(other.schedule.distributions.front());
    if (!contains(found, fix) && works(nest.loops, other, program, solver)) found.push_back(fix);
  }
  return found;
}

void report(const Apart& apart, const Plan& plan, const Nest& nest, const lang::Kernel& kernel,
            const lang::Program& program, math::Solver& solver, text::Diagnostics& diagnostics) {
  const auto& asked = kernel.schedule.distributions;
  const auto along = std::ranges::find(asked, apart.ranks, &lang::Schedule::Distribution::ranks);
  const auto& said = along == asked.end() ? asked.front() : *along;
  const bool reads = !writes(apart.dependence.second);
  const bool passes = plan.pipelines.contains(apart.phase);
  const std::string why = !reads   ? "iterations of two ranks write one element"
                          : passes ? "iterations need what is not handed on to them in the pipeline"
                                   : "iterations need what others compute in the same phase";
  text::Diagnostic& d = diagnostics.error(passes ? "E0154" : "E0151", said.loop_span,
                                          "loop " + said.loop + " cannot be dealt out to ranks: " + why,
                                          schedule::describe(apart.dependence));
  d.instance = schedule::to_instance({apart.dependence, apart.sizes, apart.source, apart.sink});
  d.instance_text = to_string(apart);
  d.notes.push_back({nest.statements.at(nest.sites()[apart.dependence.source].statement)->span,
                     reads ? "computed here" : "written here"});
  if (text::Unseen::now()) return;
  for (const std::string& fix : instead(apart, nest, kernel, program, solver))
    d.notes.push_back({{}, "this would work: `" + fix + "`"});
}

/// What the user says about a nest whose iterations wait for each other; null: nothing, or it has been done.
const lang::Schedule::Pipeline* pipeline_for(const Apart& apart, const Plan& plan, const Nest& nest,
                                             const lang::Kernel& kernel) {
  const auto& asked = kernel.schedule.pipelines;
  if (asked.empty() || !plan.is_dealt(apart.phase)) return nullptr;
  const auto at = std::ranges::find_if(
      asked, [&](const auto& p) { return schedule::has_loop(nest.statements.at(apart.phase), p.loop); });
  return at == asked.end() ? &asked.front() : &*at;
}

/// The skew behind which the pipeline would work, if there is one.
void add_skew(text::Diagnostic& d, const lang::Schedule::Pipeline& pipeline, const std::string& outer,
              const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program, math::Solver& solver) {
  if (text::Unseen::now()) return;
  for (const std::int64_t factor : {1, 2}) {
    const lang::ScheduleStep skew{lang::ScheduleStep::Kind::skew, {outer, pipeline.loop}, {}, {factor}, {}, {}};
    const auto skewed = schedule::attempt(loops, skew, program, solver);
    if (!skewed || !works(*skewed, kernel, program, solver)) continue;
    d.notes.push_back(
        {{}, "this would work: `" + lang::to_string(skew) + "`, then `" + lang::to_string(pipeline) + "`"});
    return;
  }
}

std::optional<Settled> settle(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                              math::Solver& solver, text::Diagnostics& diagnostics) {
  loop::Stmt now = loops;
  std::vector<Blocks> blocks;
  std::vector<const lang::Schedule::Pipeline*> unused;
  for (const auto& pipeline : kernel.schedule.pipelines) unused.push_back(&pipeline);
  for (;;) {
    Nest nest(now, program, solver);
    auto plan = homes_and_phases(nest, kernel, program, solver, diagnostics);
    if (!plan) return std::nullopt;
    find_pipelines(*plan, blocks);
    const auto apart = find_apart(*plan, nest, solver);
    if (!apart && unused.empty()) return Settled{std::move(nest), std::move(*plan)};
    if (!apart) {
      diagnostics
          .error("E0154", unused.front()->span,
                 "`" + lang::to_string(*unused.front()) + "` has nothing to do: no iterations wait for other ranks")
          .notes.push_back({{}, "each rank can run all of its iterations at once; leave it out"});
      return std::nullopt;
    }
    const auto* pipeline = pipeline_for(*apart, *plan, nest, kernel);
    if (!pipeline) {
      report(*apart, *plan, nest, kernel, program, solver, diagnostics);
      return std::nullopt;
    }
    if (std::ranges::count(kernel.schedule.distributions, pipeline->loop, &lang::Schedule::Distribution::loop) > 0) {
      diagnostics.error(
          "E0154", pipeline->span,
          "`" + lang::to_string(*pipeline) + "` cannot be: the loop over " + pipeline->loop + " is dealt out itself");
      return std::nullopt;
    }
    auto next = in_blocks(nest.loops, apart->phase, *pipeline, program, solver);
    if (auto* refused = std::get_if<text::Diagnostic>(&next)) {
      add_skew(*refused, *pipeline, nest.statements.at(apart->phase).as<loop::For>()->variable, loops, kernel, program,
               solver);
      diagnostics.add(std::move(*refused));
      return std::nullopt;
    }
    now = std::get<InBlocks>(next).loops;
    blocks.push_back(std::get<InBlocks>(next).blocks);
    std::erase(unused, pipeline);
  }
}

/// Levels that list coordinates are not sent in pieces: a sparse operand of which others read more than their own part
/// is whole on each rank, unless the user has cut it.
void keep_whole(Plan& plan, const Nest& nest) {
  for (const Site& site : nest.sites())
    for (const Touch& touch : site.touches) {
      const Tensor tensor = tensor_of(touch);
      const auto info = plan.tensors.find(tensor);
      if (!plan.home(tensor) || nest.written.contains(tensor) || info == plan.tensors.end()) continue;
      if (info->second.format.all_dense() || !info->second.over.empty()) continue;
      const bool at_home = std::ranges::all_of(plan.grid, [&](const lang::RanksInfo& ranks) {
        return !dimension_along(plan, tensor, ranks.name) || is_at_home(plan, nest, site, touch, ranks.name);
      });
      if (!at_home) plan.homes.erase(tensor);
    }
}

}  // namespace

std::optional<Plan> plan(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                         math::Solver& solver, text::Diagnostics& diagnostics) {
  if (kernel.schedule.distributions.empty()) {
    const auto& pipeline = kernel.schedule.pipelines.front();
    diagnostics
        .error("E0154", pipeline.span, "`" + lang::to_string(pipeline) + "` has nothing to do: no loop is dealt out")
        .notes.push_back({{}, "as in `distribute i over p`"});
    return std::nullopt;
  }
  auto planned = settle(loops, kernel, program, solver, diagnostics);
  if (!planned) return std::nullopt;
  keep_whole(planned->plan, planned->nest);
  if (!find_renumbered(planned->plan, planned->nest, kernel, program, diagnostics)) return std::nullopt;
  if (!find_exchanges(planned->plan, planned->nest, kernel.schedule.distributions.front().span, solver, diagnostics))
    return std::nullopt;
  return std::move(planned->plan);
}

}  // namespace trellis::distribute
