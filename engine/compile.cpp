// The pipeline, stage by stage: each line below is one arrow of docs/pipeline.md, and one folder.
// To see an equation on its way: tests/golden/spmv.golden has it after each stage, docs/sparse.md says why it looks so.
#include "engine/compile.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "engine/coiterate/find_operands.hpp"
#include "engine/coiterate/lower_with_copies.hpp"
#include "engine/coiterate/store_sparsely.hpp"
#include "engine/emit/emit.hpp"
#include "engine/flow/passes.hpp"
#include "engine/flow/scan_look_ups.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/loop/arrange.hpp"
#include "engine/loop/check_indices.hpp"
#include "engine/loop/find_updates.hpp"
#include "engine/loop/in_storage.hpp"
#include "engine/loop/normalise.hpp"
#include "engine/loop/read.hpp"
#include "engine/place/dependences.hpp"
#include "engine/place/in_place.hpp"
#include "engine/schedule/apply.hpp"
#include "engine/schedule/apply_masks.hpp"
#include "engine/schedule/insert_workspaces.hpp"
#include "engine/schedule/share_results.hpp"
#include "engine/schedule/stored_masks.hpp"
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
                           !schedule.finds.empty() || !schedule.workspaces.empty();
  return names_loops ? loop::Singles::kept : loop::Singles::inlined;
}

/// From loops to C, the same for equations and loop programs.
void finish(Compilation& c, math::Solver& solver, text::Diagnostics& diagnostics) {
  // Each schedule command is a checked step from loops to loops.
  auto scheduled = timed(c.times, "schedule", [&] { return schedule::apply(c.loops, c.kernel, c.program, solver, diagnostics); });
  if (!scheduled) return;
  c.steps = std::move(scheduled->steps);

  // What layouts store takes the place of tensors. Loops become those that walk it: an operand each, and a digit each.
  // A result in a sparse format is appended to; where the loops cannot do that, they collect it in a workspace first.
  // Masks are patterns to them, unless their values count.
  auto insertion = timed(c.times, "workspaces", [&]() -> std::optional<schedule::Insertion> {
    auto masks = schedule::stored_masks(scheduled->loops, c.kernel, c.program);
    c.program = std::move(masks.program);
    c.kernel = std::move(masks.kernel);
    const auto [by_element, as_stored] = schedule::masks_apart(c.kernel.schedule.masks, masks.seen);
    lang::Kernel kernel = c.kernel;
    kernel.schedule.masks = by_element;
    const loop::Stmt elements = schedule::apply_masks(scheduled->loops, kernel, masks.seen);
    auto stored = loop::in_storage(elements, masks.seen, solver, diagnostics);
    if (!stored) return std::nullopt;
    c.stored = std::move(stored->program);
    kernel.schedule.masks = as_stored;
    const loop::Stmt arranged = loop::arrange(stored->loops, c.stored, solver);
    const loop::Stmt shared = schedule::share_results(arranged, kernel, c.stored, solver);
    const loop::Stmt masked = schedule::apply_masks(shared, kernel, c.stored);
    return schedule::insert_workspaces(masked, kernel, c.stored, solver, diagnostics);
  });
  if (!insertion) return;
  c.loops = insertion->loops;
  c.written = std::move(insertion->written);

  // Logical arrays become positions in storage (coiterate/lower.hpp). The lattice of each loop says which of its
  // operands are walked, and what is left to do as they run out (coiterate/lattice.hpp); passes then settle how
  // (flow/passes.cpp). From here on nothing but control flow is read.
  auto flow = timed(c.times, "cfir", [&] {
    coiterate::Wishes wishes;
    for (const schedule::Written& one : c.written) {
      using How = schedule::Written::How;
      if (one.how == How::masked || one.how == How::shared) wishes.masked[one.tensor] = one.mask;
      if (one.how == How::shared) wishes.starting_at_fill.insert(one.tensor);
    }
    for (const lang::Schedule::March& march : c.kernel.schedule.marches) wishes.found_as_told.insert(march.tensor);
    for (const lang::Schedule::Find& find : c.kernel.schedule.finds) wishes.found_as_told.insert(find.tensor);
    auto found = coiterate::find_operands(c.loops, c.kernel, c.stored, wishes);
    std::ranges::copy(found.written, std::back_inserter(c.written));
    c.choices = found.choices;
    auto lowered = coiterate::lower_with_copies(found.loops, c.stored, c.kernel.name, wishes);
    // What users declare in programs of loops stays as they declared it.
    if (!c.kernel.loops) lowered = coiterate::store_sparsely(std::move(lowered), c.stored, c.kernel.name, wishes);
    auto scanned = flow::scan_look_ups(lowered.lowered.flow, c.kernel, c.stored);
    c.scans = std::move(scanned.proofs);
    if (!flow::check_scans(c.scans, c.kernel, diagnostics)) return std::optional<flow::Flow>();
    lowered.lowered.flow = std::move(scanned.flow);
    if (!coiterate::check_finds(found, lowered.lowered.flow, c.kernel, diagnostics)) return std::optional<flow::Flow>();
    c.loops = std::move(lowered.loops);
    std::ranges::move(lowered.written, std::back_inserter(c.written));
    c.lattices = std::move(lowered.lowered.lattices);
    return flow::apply_passes(lowered.lowered.flow, c.kernel, diagnostics);
  });
  if (!flow) return;
  c.flow = std::move(*flow);
  c.flow.tells_steps = c.kernel.until.has_value();
  c.module = timed(c.times, "c", [&] { return emit::emit(c.flow); });
}

/// A loop program says itself what comes after what: there is nothing to place, and nobody has proven its indices.
Compilation compile_loops(const lang::Program& written, const lang::Kernel& kernel_written,
                          text::Diagnostics& diagnostics) {
  const auto pushed = lang::push_shapes(written, kernel_written, diagnostics);
  if (!pushed) return {written, written, kernel_written, {}, {}, {}, {}, {}, {}, {}, false};
  const lang::Kernel& kernel = pushed->kernel;
  const lang::Program program = lang::assuming(written, pushed->assumed);
  Compilation c{program, program, kernel, {}, {}, {}, {}, {}, {}, {}, false};
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
  if (!analysis) return {program, program, kernel, {}, {}, {}, {}, {}, {}, times, false};
  Compilation c = compile(std::make_shared<const place::Analysis>(std::move(*analysis)), diagnostics, kernel.schedule);
  c.times.entries.insert(c.times.entries.begin(), times.entries.front());
  return c;
}

Compilation compile(std::shared_ptr<const place::Analysis> analysis, text::Diagnostics& diagnostics,
                    const lang::Schedule& schedule) {
  Compilation c{analysis->program, analysis->program, analysis->kernel, analysis, {}, {}, {}, {}, {}, {},
                !schedule.order};
  c.kernel.schedule = schedule;

  // Fragments go greedily into the user's loop order, with a certificate; or there is a reason why they cannot.
  auto placement = timed(c.times, "place", [&]() -> std::optional<place::Placement> {
    const auto order = place::order_for(*analysis, schedule, diagnostics);
    if (!order) return std::nullopt;
    return place::place(*analysis, *order, place::wanted_in_place(schedule));
  });
  if (!placement) return c;
  if (auto* rejected = std::get_if<place::Rejected>(&*placement)) {
    c.rejected = std::move(*rejected);
    return c;
  }
  c.placed = std::move(std::get<place::Placed>(*placement));

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

}  // namespace trellis
