// The pipeline, stage by stage: the arrows of docs/pipeline.md, which also says what to read of each, in which order.
// To see an equation on its way: tests/golden/spmv.golden has it after each stage, docs/sparse.md says why it looks so.
#include "engine/compile.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "engine/distribute/distribute.hpp"
#include "engine/distribute/spmd.hpp"
#include "engine/emit/emit.hpp"
#include "engine/flow/passes.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/loop/check_indices.hpp"
#include "engine/loop/find_updates.hpp"
#include "engine/loop/normalise.hpp"
#include "engine/loop/read.hpp"
#include "engine/place/by_partition.hpp"
#include "engine/place/dependences.hpp"
#include "engine/place/in_place.hpp"
#include "engine/place/place.hpp"
#include "engine/place/tiles.hpp"
#include "engine/results/plan.hpp"
#include "engine/results/store.hpp"
#include "engine/schedule/apply.hpp"
#include "engine/schedule/pack.hpp"
#include "engine/text/cancel.hpp"

namespace trellis {
namespace {

/// Runs one stage, unless the work is cancelled, and notes how long it took.
template <class F>
auto timed(StageTimes& times, const char* stage, F&& run) {
  text::stop_if_cancelled();
  const auto start = std::chrono::steady_clock::now();
  auto result = run();
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  times.entries.push_back({stage, elapsed.count()});
  return result;
}

/// What a schedule says of loops it says whatever the sizes: those of a dimension of one element are there to be named.
loop::Singles singles_under(const lang::Schedule& schedule) {
  const bool names_loops = schedule.order || !schedule.steps.empty() || !schedule.marches.empty() ||
                           !schedule.finds.empty() || !schedule.workspaces.empty() || !schedule.distributions.empty() ||
                           !schedule.pipelines.empty();
  return names_loops ? loop::Singles::kept : loop::Singles::inlined;
}

void keep(Compilation& c, const results::Stored& stored) {
  c.program = stored.program;
  c.stored = stored.in_storage;
  c.kernel = stored.kernel;
  c.loops = stored.loops;
  c.written = stored.written;
}

void keep(Compilation& c, results::Plan& plan) {
  c.loops = std::move(plan.loops);
  std::ranges::move(plan.written, std::back_inserter(c.written));
  c.choices = std::move(plan.choices);
  c.scans = std::move(plan.scans);
  c.lattices = std::move(plan.lattices);
  c.lowered = std::move(plan.flow);
}

/// From loops that the schedule has been applied to, to C.
void lower(Compilation& c, const loop::Stmt& scheduled, math::Solver& solver, text::Diagnostics& diagnostics) {
  // What layouts store takes the place of tensors, and each result is written as its format takes values.
  auto stored =
      timed(c.times, "storage", [&] { return results::store(scheduled, c.program, c.kernel, solver, diagnostics); });
  if (!stored) return;
  keep(c, *stored);

  // Logical arrays become positions in storage: the lattice of each loop says which of its operands are walked. It is
  // coiterate::lower that does it, which results/lower_with_copies calls: once, and once more for each copy.
  auto plan = timed(c.times, "plan", [&] { return results::plan(*stored, diagnostics); });
  if (!plan) return;
  keep(c, *plan);

  // Passes settle how they are walked. From here on nothing but control flow is read.
  auto flow = timed(c.times, "flow", [&] { return flow::apply_passes(c.lowered, c.kernel, diagnostics); });
  if (!flow) return;
  c.flow = std::move(*flow);

  // What control flow says, in C.
  c.module = timed(c.times, "c", [&] { return emit::emit(c.flow); });
}

/// From loops to C, the same for equations and loop programs.
void finish(Compilation& c, math::Solver& solver, text::Diagnostics& diagnostics) {
  // Each schedule command is a checked step from loops to loops.
  auto scheduled =
      timed(c.times, "schedule", [&] { return schedule::apply(c.loops, c.kernel, c.program, solver, diagnostics); });
  if (!scheduled) return;
  c.steps = std::move(scheduled->steps);
  const place::Fragments* fragments =
      !c.analysis ? nullptr : &(c.analysis->untiled ? *c.analysis->untiled : *c.analysis).fragments;
  const auto packed = schedule::pack(scheduled->loops, c.program, c.kernel, fragments, solver, diagnostics);
  if (!packed) return;

  // Who has what and computes what on several ranks, and what they send each other.
  if (!c.kernel.schedule.distributions.empty() || !c.kernel.schedule.pipelines.empty()) {
    c.distributed = timed(c.times, "distribute",
                          [&] { return distribute::plan(scheduled->loops, c.kernel, c.program, solver, diagnostics); });
    if (!c.distributed) return;
  }

  lower(c, *packed, solver, diagnostics);
}

/// A loop program says itself what comes after what: there is nothing to place, and nobody has proven its indices.
Compilation compile_loops(const lang::Program& written, const lang::Kernel& kernel_written,
                          text::Diagnostics& diagnostics) {
  const auto pushed = lang::push_shapes(written, kernel_written, diagnostics);
  if (!pushed) return {.program = written, .stored = written, .kernel = kernel_written};
  const lang::Kernel& kernel = pushed->kernel;
  const lang::Program program = lang::assuming(written, pushed->assumed);
  Compilation c{.program = program, .stored = program, .kernel = kernel};
  math::Solver solver(lang::size_assumptions(program));
  const loop::Stmt read = timed(c.times, "read", [&] { return loop::read(*kernel.loops, program); });
  c.loops = timed(c.times, "loops", [&] {
    const loop::Stmt checked = loop::find_updates(loop::check_indices(read, program, solver), program);
    return loop::normalise(checked, program, solver, loop::From::source, loop::Singles::kept);
  });
  finish(c, solver, diagnostics);
  return c;
}

}  // namespace

double StageTimes::total() const {
  double sum = 0;
  for (const Entry& entry : entries) sum += entry.ms;
  return sum;
}

Compilation compile(const lang::Program& program, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  if (kernel.loops) return compile_loops(program, kernel, diagnostics);
  StageTimes times;
  // Equations become fragments with exact dependences; wrong definitions are found here, before any order.
  auto analysis = timed(times, "analyse", [&] { return place::analyse(program, kernel, diagnostics); });
  if (!analysis) return {.program = program, .stored = program, .kernel = kernel, .times = times};
  Compilation c = compile(std::make_shared<const place::Analysis>(std::move(*analysis)), diagnostics, kernel.schedule);
  c.times.entries.insert(c.times.entries.begin(), times.entries.front());
  return c;
}

Compilation compile(std::shared_ptr<const place::Analysis> analysis, text::Diagnostics& diagnostics,
                    const lang::Schedule& schedule) {
  // Loops over tiles are placed like any others; fragments are cut by them first.
  if (schedule.order)
    if (auto fitting = place::tiled(*analysis, *schedule.order)) analysis = std::move(fitting);
  Compilation c{.program = analysis->program,
                .stored = analysis->program,
                .kernel = analysis->kernel,
                .analysis = analysis,
                .order_chosen = !schedule.order};
  c.kernel.schedule = schedule;

  // Fragments go greedily into the user's loop order, with a certificate; or there is a reason why they cannot.
  auto placement = timed(c.times, "place", [&]() -> std::optional<place::Placement> {
    const auto order = place::order_for(*analysis, schedule, diagnostics);
    if (!order) return std::nullopt;
    return place::place(*analysis, *order, place::wanted_in_place(schedule), place::Events::dropped);
  });
  if (!placement) return c;
  if (auto* rejected = std::get_if<place::Rejected>(&*placement)) {
    c.rejected = std::move(*rejected);
    return c;
  }
  c.placed = std::move(std::get<place::Placed>(*placement));

  // Panels of columns, whichever columns they have.
  if (!schedule.supernodes.empty()) {
    c.by_supernodes = timed(c.times, "supernodes", [&] {
      return place::by_partition(*analysis, c.placed->order, schedule.supernodes.front(), diagnostics);
    });
    if (!c.by_supernodes) return c;
  }

  // One buffer for all timesteps, where the user asked for it.
  if (!place::keeps_in_place(*c.placed, schedule, diagnostics)) return c;
  if (!place::masks_one_buffer(*c.placed, schedule, diagnostics)) return c;

  // Guards become bounds, expressions become simple.
  c.loops = timed(c.times, "loops", [&] {
    return loop::normalise(c.placed->nest, c.program, analysis->dependences->solver(), loop::From::placement,
                           singles_under(schedule));
  });

  finish(c, analysis->dependences->solver(), diagnostics);
  return c;
}

Compilation compile_rank(const Compilation& distributed, text::Diagnostics& diagnostics) {
  const distribute::Plan& plan = *distributed.distributed;
  const lang::Program program = distribute::program_of_rank(plan, distributed.program);
  Compilation c{.program = program, .stored = program, .kernel = distributed.kernel};
  math::Solver solver(lang::size_assumptions(program));
  c.loops = distribute::loops_of_rank(plan, program, solver);
  lower(c, c.loops, solver, diagnostics);
  return c;
}

}  // namespace trellis
