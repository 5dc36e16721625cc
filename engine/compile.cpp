// The pipeline, stage by stage: each line below is one arrow of DESIGN.md's diagram, and one folder.
#include "engine/compile.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "engine/coiterate/count_appends.hpp"
#include "engine/coiterate/early_exit.hpp"
#include "engine/coiterate/forward_appends.hpp"
#include "engine/coiterate/known_ends.hpp"
#include "engine/coiterate/look_ups.hpp"
#include "engine/coiterate/lower.hpp"
#include "engine/coiterate/offers.hpp"
#include "engine/coiterate/march.hpp"
#include "engine/coiterate/promote_accumulators.hpp"
#include "engine/emit/emit.hpp"
#include "engine/loop/check_indices.hpp"
#include "engine/loop/normalise.hpp"
#include "engine/loop/read.hpp"
#include "engine/place/dependences.hpp"
#include "engine/schedule/apply.hpp"
#include "engine/schedule/apply_masks.hpp"
#include "engine/schedule/copy_operand.hpp"
#include "engine/schedule/insert_workspaces.hpp"

namespace trellis {
namespace {

/// Runs one stage and notes how long it took.
template <class F>
auto timed(StageTimes& times, const char* stage, F&& run) {
  const auto start = std::chrono::steady_clock::now();
  auto result = run();
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  times.entries.push_back({stage, elapsed.count()});
  return result;
}

/// `inplace D`: one buffer for all timesteps, or the read whose value another step would overwrite.
bool keeps_in_place(const place::Placed& placed, const lang::Schedule& schedule, text::Diagnostics& diagnostics) {
  bool kept = true;
  for (const lang::Schedule::Inplace& wanted : schedule.inplace) {
    const auto found = placed.not_in_place.find(wanted.tensor);
    if (found == placed.not_in_place.end()) continue;
    kept = false;
    const place::Overwrite& overwrite = found->second;
    auto& e = diagnostics.error("E0120", wanted.span, "order " + lang::to_string(placed.order) + " cannot keep " + wanted.tensor + " in place",
                                "one buffer loses values that are still read");
    e.notes.push_back({overwrite.span, "this would read a later step"});
    e.notes.push_back({overwrite.write_span, "which this has written by then"});
    const text::Instance& i = overwrite.instance;
    e.instance_text = (i.sizes.empty() ? "" : "with " + text::to_string(i.sizes) + " ") + "at " + text::to_string(i.at) + " it reads " +
                      text::element_text(i.read, i.element) + ", which is overwritten at " + text::to_string(i.written_at);
    e.instance = i;
  }
  return kept;
}

/// The order to place in: the user's, with what it leaves out innermost, or the cheapest legal one.
std::optional<lang::Order> order_for(const place::Analysis& analysis, const lang::Schedule& schedule, text::Diagnostics& diagnostics) {
  if (!schedule.order) return place::choose_order(analysis);
  const lang::Order all = place::completed(analysis, *schedule.order);
  if (all.size() == schedule.order->size()) return all;
  const lang::Order added(all.begin() + static_cast<std::ptrdiff_t>(schedule.order->size()), all.end());
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.code = "N0204";
  note.span = schedule.order_span;
  note.message = "order " + lang::to_string(all) + ": what is not listed goes innermost";
  note.label = lang::to_string(added) + (added.size() == 1 ? " is left out" : " are left out");
  diagnostics.add(std::move(note));
  return all;
}

/// `march L i`, one after the other; empty, and E0912, when one is of no use.
std::optional<coiterate::Flow> marched(coiterate::Flow flow, const lang::Schedule& schedule, text::Diagnostics& diagnostics) {
  bool all = true;
  for (const lang::Schedule::March& wanted : schedule.marches) {
    auto result = coiterate::march(flow, wanted.tensor, wanted.variable);
    if (const auto* none = std::get_if<coiterate::NoMarch>(&result)) {
      diagnostics.error("E0912", wanted.span, wanted.tensor + " does not march along " + wanted.variable + " here", none->reason);
      all = false;
    } else {
      flow = std::move(std::get<coiterate::Flow>(result));
    }
  }
  return all ? std::optional(std::move(flow)) : std::nullopt;
}

/// What parallel iterations append is counted ahead; empty, and E0147, where a loop cannot run as it was asked to.
std::optional<coiterate::Flow> counted(const coiterate::Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  auto result = coiterate::count_appends(flow);
  const auto* none = std::get_if<coiterate::NotApart>(&result);
  if (!none) return std::move(std::get<coiterate::Flow>(result));
  text::Span span = kernel.span;
  for (const lang::ScheduleStep& step : kernel.schedule.steps) {
    const bool asked = step.kind == lang::ScheduleStep::Kind::parallel;
    if (asked && step.loops.front() == none->variable) span = step.span;
  }
  diagnostics.error("E0147", span, "loop " + none->variable + " cannot run in parallel: " + none->reason, "")
      .notes.push_back({{}, none->note});
  return std::nullopt;
}

/// Where entries that have no order would be tried one after the other, again and again, the loops read a copy that has one.
/// (COITERATION rule 9.)
coiterate::Lowered lowered(Compilation& c) {
  for (std::set<std::string> copies;;) {
    auto result = coiterate::lower(c.loops, c.program, c.kernel.name);
    const std::set<std::string> written = coiterate::written_in(c.loops);
    bool copied = false;
    for (const coiterate::LookUp& one : coiterate::look_ups(result.flow).all) {
      const lang::TensorInfo* const operand = written.count(one.tensor) ? nullptr : c.program.tensor(one.tensor);
      if (copied || !operand || !one.scans() || !one.again || !copies.insert(one.tensor).second) continue;
      auto copy = schedule::copy_operand(c.loops, *operand, operand->name + "_w", lang::Schedule::Workspace::Kind::hash, c.program);
      if (!copy) continue;
      c.loops = loop::number(copy->loops);
      c.written.push_back(std::move(copy->written));
      copied = true;
    }
    if (!copied) return result;
  }
}

/// From loops to C, the same for equations and loop programs.
void finish(Compilation& c, math::Solver& solver, text::Diagnostics& diagnostics) {
  // Each schedule command is a checked step from loops to loops.
  auto scheduled = timed(c.times, "schedule", [&] { return schedule::apply(c.loops, c.kernel, c.program, solver, diagnostics); });
  if (!scheduled) return;
  c.steps = std::move(scheduled->steps);

  // A result in a sparse format is appended to; where the loops cannot do that, they collect it in a workspace first.
  auto insertion = timed(c.times, "workspaces", [&] {
    const loop::Stmt masked = schedule::apply_masks(scheduled->loops, c.kernel, c.program);
    return schedule::insert_workspaces(masked, c.kernel, c.program, solver, diagnostics);
  });
  if (!insertion) return;
  c.loops = insertion->loops;
  c.written = std::move(insertion->written);

  // Logical arrays become positions in storage; from here on nothing but control flow is read.
  // The lattice of each loop says which of its operands are walked, and what is left to do as they run out.
  auto flow = timed(c.times, "cfir", [&] {
    coiterate::Lowered control = lowered(c);
    c.lattices = std::move(control.lattices);
    const coiterate::Flow appending = coiterate::forward_appends(coiterate::known_ends(control.flow));
    auto marching = marched(coiterate::promote_accumulators(appending), c.kernel.schedule, diagnostics);
    auto complete = marching ? counted(*marching, c.kernel, diagnostics) : std::nullopt;
    return complete ? std::optional(coiterate::leave_early(*complete)) : std::nullopt;
  });
  if (!flow) return;
  c.flow = std::move(*flow);
  c.module = timed(c.times, "c", [&] { return emit::emit(c.flow); });
}

/// A loop program says itself what comes after what: there is nothing to place, and nobody has proven its indices.
Compilation compile_loops(const lang::Program& program, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  Compilation c{program, kernel, {}, {}, {}, {}, {}, {}, {}, false};
  math::Solver solver(lang::size_assumptions(program));
  const loop::Stmt written = timed(c.times, "read", [&] { return loop::read(*kernel.loops, program); });
  c.loops = timed(c.times, "loops", [&] {
    return loop::normalise(loop::check_indices(written, program, solver), program, solver, loop::From::source);
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
  if (!analysis) return {program, kernel, {}, {}, {}, {}, {}, {}, times, false};
  Compilation c = compile(std::make_shared<const place::Analysis>(std::move(*analysis)), diagnostics, kernel.schedule);
  c.times.entries.insert(c.times.entries.begin(), times.entries.front());
  return c;
}

Compilation compile(std::shared_ptr<const place::Analysis> analysis, text::Diagnostics& diagnostics,
                    const lang::Schedule& schedule) {
  Compilation c{analysis->program, analysis->kernel, analysis, {}, {}, {}, {}, {}, {}, !schedule.order};
  c.kernel.schedule = schedule;

  // Fragments go greedily into the user's loop order, with a certificate; or there is a reason why they cannot.
  auto placement = timed(c.times, "place", [&]() -> std::optional<place::Placement> {
    const auto order = order_for(*analysis, schedule, diagnostics);
    return order ? std::optional(place::place(*analysis, *order)) : std::nullopt;
  });
  if (!placement) {
    diagnostics.error("E0105", c.kernel.span, "no loop order of kernel " + c.kernel.name + " is legal", "")
        .notes.push_back({{}, "`orders down` says why, order by order"});
    return c;
  }
  if (auto* rejected = std::get_if<place::Rejected>(&*placement)) {
    c.rejected = std::move(*rejected);
    return c;
  }
  c.placed = std::move(std::get<place::Placed>(*placement));

  if (!keeps_in_place(*c.placed, schedule, diagnostics)) return c;

  // Guards become bounds, expressions become simple.
  c.loops = timed(c.times, "loops", [&] { return loop::normalise(c.placed->nest, c.program, analysis->dependences->solver()); });

  finish(c, analysis->dependences->solver(), diagnostics);
  return c;
}

}  // namespace trellis
