// What is said of plans, once each.
#include <sstream>

#include "engine/session/figures.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

text::Diagnostic note(const char* code, const lang::Kernel& kernel, std::string message) {
  text::Diagnostic d;
  d.severity = text::Severity::note;
  d.code = code;
  d.span = kernel.span;
  d.message = std::move(message);
  return d;
}

double milliseconds_of(const State& state, double cycles) {
  return cycles / state.options.machine.per_nanosecond / 1e6;
}

void tell_of_lists(const lang::Kernel& kernel, const lang::TensorInfo& lists, text::Diagnostics& diagnostics) {
  const std::string& chooser = lists.inverse_of;
  text::Diagnostic d = note("N0612", kernel,
                            "kernel " + kernel.name + " goes through what is stored and looks up in " + lists.name +
                                " where " + chooser + " chooses it, instead of searching for each element");
  d.notes.push_back({{},
                     lists.name + " says for each value where " + chooser + " holds it, and is kept for as long as " +
                         chooser + " stays as it is; `plan off` searches"});
  diagnostics.add(std::move(d));
}

}  // namespace

void tell_of_laid_out(State& state, const lang::Kernel& kernel, const Compilation& ran,
                      text::Diagnostics& diagnostics) {
  for (const std::string& name : ran.kernel.operands()) {
    const lang::TensorInfo& info = *ran.program.tensor(name);
    if (!laid_out_of(state, info) || !state.declarations.first_time("N0610 " + name)) continue;
    if (!info.inverse_of.empty()) {
      tell_of_lists(kernel, info, diagnostics);
      continue;
    }
    text::Diagnostic d =
        note("N0610", kernel,
             info.entries_of + " is read from a copy in " + format::to_string(info.format) +
                 ", in the order of kernel " + kernel.name + "'s loops, which would search it against its storage");
    d.notes.push_back({{},
                       "the copy is kept for as long as " + info.entries_of +
                           " stays as it is; `plan off` reads it as it is stored"});
    diagnostics.add(std::move(d));
  }
}

void tell_of_steps(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  const Plan* plan = plan_for(state, kernel);
  if (!plan || !plan->split || !state.declarations.first_time("N0611 " + kernel.name)) return;
  const Compilation& chosen = *plan->chosen;
  const auto steps = std::ssize(chosen.kernel.equations);
  const bool more = steps > std::ssize(kernel.equations);
  text::Diagnostic d =
      note("N0611", kernel,
           "kernel " + kernel.name + " is computed " +
               (more ? "in " + std::to_string(steps) + " steps" : std::string("with its sums in other places")) +
               ", estimated at " + duration(milliseconds_of(state, plan->cycles)) + " instead of " +
               duration(milliseconds_of(state, plan->cycles_written)));
  std::istringstream lines(lang::print_equations(chosen.program, chosen.kernel).characters);
  for (std::string line; std::getline(lines, line);) d.notes.push_back({{}, line});
  if (plan->rounds) d.notes.push_back({{}, "products of floating numbers are associated anew, which rounds otherwise"});
  d.notes.push_back({{}, "`plan off` computes it as it is written"});
  diagnostics.add(std::move(d));
}

void tell_of_loop_steps(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  const Plan* plan = plan_for(state, kernel);
  if (!plan || plan->chosen == plan->written || plan->chosen->kernel.schedule.steps.empty()) return;
  const std::vector<lang::ScheduleStep>& steps = plan->chosen->kernel.schedule.steps;
  const bool jammed = steps.front().kind == lang::ScheduleStep::Kind::jam;
  const char* code = jammed ? "N0613" : "N0615";
  if (!state.declarations.first_time(code + (" " + kernel.name))) return;
  std::string lines = "`order " + lang::to_string(plan->chosen->placed->order) + "`";
  for (const lang::ScheduleStep& step : steps)
    lines += (&step == &steps.back() ? " and `" : ", `") + lang::to_string(step) + "`";
  const std::string how = jammed ? std::to_string(steps.front().factors.front()) + " iterations of " +
                                       steps.front().loops.front() + " at once"
                                 : std::string("a block of its result in registers");
  text::Diagnostic d = note(code, kernel,
                            "kernel " + kernel.name + " runs with " + how + ", as " + lines + " say, estimated at " +
                                duration(milliseconds_of(state, plan->cycles)) + " instead of " +
                                duration(milliseconds_of(state, plan->cycles_written)));
  d.notes.push_back({{},
                     jammed
                         ? "they share what they load, and sums keep their order; `plan off` runs it as it is written"
                         : "sums keep their order; `fused` rounds otherwise and is faster still, and `plan off` runs "
                           "it as it is written"});
  diagnostics.add(std::move(d));
}

void tell_of_workspaces(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  const Plan* plan = plan_for(state, kernel);
  if (!plan || plan->chosen == plan->written) return;
  for (const lang::Schedule::Workspace& one : plan->chosen->kernel.schedule.workspaces) {
    if (contains(kernel.schedule.workspaces, one) || !state.declarations.first_time("N0614 " + kernel.name)) continue;
    text::Diagnostic d = note("N0614", kernel,
                              "kernel " + kernel.name + " collects " + one.tensor + " as `" + lang::to_string(one) +
                                  "` says, estimated at " + duration(milliseconds_of(state, plan->cycles)) +
                                  " instead of " + duration(milliseconds_of(state, plan->cycles_written)));
    d.notes.push_back({{}, "the result is the same; `plan off` collects it as usual"});
    diagnostics.add(std::move(d));
  }
}

}  // namespace trellis::session
