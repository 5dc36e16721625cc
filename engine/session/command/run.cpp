// run, check.
#include <algorithm>
#include <cstdio>

#include "engine/session/command/commands.hpp"
#include "engine/session/command/compute.hpp"
#include "engine/session/running/back_end.hpp"
#include "engine/session/running/execution.hpp"
#include "engine/session/running/hints.hpp"
#include "engine/session/running/long_rows.hpp"
#include "engine/session/running/on_ranks.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/session/running/steps_taken.hpp"
#include "engine/session/running/threads_that_pay.hpp"
#include "engine/session/running/unfilled.hpp"
#include "engine/session/running/wrong_values.hpp"
#include "engine/session/stages/look_ups.hpp"
#include "engine/session/state/patterns.hpp"
#include "engine/text/deadline.hpp"

namespace trellis::session {
namespace {

struct RunOptions {
  std::optional<lang::syntax::Name> kernel;
  std::optional<run::Backend> backend;  ///< that was named
  run::Limits limits;
  std::optional<RanksAsked> ranks = {};
};

std::optional<RunOptions> read_run(const State& state, Words& words) {
  RunOptions options{{}, {}, state.options.limits};
  while (!words.at_end()) {
    if (words.accept("jit")) options.backend = run::Backend::jit;
    else if (words.accept("native")) options.backend = run::Backend::native;
    else if (words.accept("ranks")) {
      bool sound = true;
      auto grid = ranks_word(words, sound);
      if (sound && !grid) words.unexpected("a number of ranks, such as 4 or 2x3");
      if (!grid) return std::nullopt;
      options.ranks = {std::move(*grid)};
      if (words.accept("in")) {
        if (!words.accept("step")) {
          words.unexpected("`step`", {"step"});
          return std::nullopt;
        }
        options.ranks->how = RanksAsked::How::in_step;
      } else if (words.accept("mpi")) {
        options.ranks->how = RanksAsked::How::mpi;
      }
    } else if (words.accept("threads")) {
      const auto threads = words.integer("a number of threads");
      if (!threads) return std::nullopt;
      if (*threads < 1 || *threads > 1024) {
        words.diagnostics().error("E0601", words.whole(),
                                  "`run` needs between 1 and 1024 threads, not " + std::to_string(*threads), "");
        return std::nullopt;
      }
      options.limits.threads = static_cast<int>(*threads);
    } else if (!options.kernel && words.peek()->kind == lang::syntax::Word::Kind::name) {
      options.kernel = words.optional_name();
    } else {
      words.unexpected("a kernel, `jit`, `native`, `threads N` or `ranks N`", {"jit", "native", "threads", "ranks"});
      return std::nullopt;
    }
  }
  return options;
}

/// Kernels that find the patterns of this one; nobody wrote them, so nobody need ask for them.
std::vector<lang::Kernel> patterns_for(State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  const lang::Program* program = state.program(diagnostics);
  std::vector<lang::Kernel> found = program ? program->kernels : std::vector<lang::Kernel>{};
  std::erase_if(found, [&](const lang::Kernel& other) { return other.pattern_of != kernel.name; });
  return found;
}

}  // namespace

std::optional<Ran::Kernel> run_kernel(State& state, const lang::Kernel& kernel, const BackEnd& chosen,
                                      const run::Limits& limits, text::Span at, text::Diagnostics& diagnostics,
                                      Exit& exit) try {
  const run::Backend backend = chosen.backend;
  if (auto pattern = run_pattern(state, kernel, at, diagnostics, exit)) {
    if (pattern->ran) tell_of_pattern(state, kernel, pattern->work, diagnostics);
    return std::move(pattern->ran);
  }
  auto prepared = prepare(state, kernel, at, diagnostics, exit);
  if (!prepared) return std::nullopt;
  const std::shared_ptr<const Compilation> compilation = prepared->compilation;
  const run::Kernel* code = state.machine_code(*compilation, backend, diagnostics, exit);
  if (!code) return std::nullopt;
  run::Limits own = limits;
  if (backend == run::Backend::native)
    own.threads = threads_that_pay(state, *compilation, limits.threads, at, diagnostics);
  const run::Outcome outcome = run::execute(*code, prepared->bindings, own, run::AfterFailure::abandoned);
  exit = report_failure(outcome, *compilation, prepared->before, diagnostics);
  if (exit != Exit::success || !prepared->publish(at, diagnostics, exit)) return std::nullopt;
  keep_results(state, kernel, std::move(*prepared), {outcome.run_ms, backend});
  if (backend == run::Backend::native) warn_of_long_rows(state, *compilation, own.threads, at, diagnostics);
  tell_of_steps(state, kernel, diagnostics);
  tell_of_loop_steps(state, kernel, diagnostics);
  tell_of_workspaces(state, kernel, diagnostics);
  tell_of_laid_out(state, kernel, *compilation, diagnostics);
  warn_of_searches(state, kernel, *compilation, diagnostics);
  warn_of_unfilled(state, kernel, diagnostics);
  if (!kernel.pattern_of.empty()) tell_of_pattern(state, kernel, "", diagnostics);
  judge_masks(state, kernel, at, diagnostics);
  std::optional<Ran::Steps> steps;
  if (const FinishedRun* finished = state.finished(kernel)) {
    steps = steps_taken(kernel, *finished, outcome.ended_after);
    constexpr double some = 2e5;  // a few milliseconds
    warn_of_odd_values(kernel, *finished, at, diagnostics);
    warn_of_wraps(compilation->program, compilation->kernel, *finished, some, at, diagnostics);
  }
  note_coarse_sums(state, compilation->kernel, diagnostics);
  hint_at_sparse_results(state, kernel, *compilation, diagnostics);
  if (backend == run::Backend::jit && chosen.why.empty())
    hint_at_native(state, kernel, *compilation, outcome.run_ms, diagnostics);
  return Ran::Kernel{kernel.name,
                     backend,
                     order_that_ran(*compilation),
                     compilation->order_chosen,
                     code->compile_ms(),
                     outcome.run_ms,
                     compilation->times,
                     kernel.results(),
                     "",
                     steps,
                     chosen.why};
} catch (const text::Cancelled&) {  // on the way to running it
  diagnostics.error("E0506", kernel.span, "kernel " + kernel.name + " was interrupted", "");
  exit = Exit::interrupted;
  return std::nullopt;
}

CommandResult run(State& state, Words& words) {
  const auto options = read_run(state, words);
  if (!options) return {};
  Ran ran;
  CommandResult result;
  const std::vector<lang::Kernel> kernels = chosen_kernels(state, options->kernel, words);
  if (options->kernel && kernels.size() == 1) {
    const auto patterns = patterns_for(state, kernels.front(), words.diagnostics());
    if (!run_unfinished(state, patterns, words, result.exit)) return result;
  }
  for (const lang::Kernel& kernel : kernels) {
    if (kernels.size() > 1)
      state.tell({"running kernel", std::ssize(ran.kernels) + 1, std::ssize(kernels), kernel.name});
    const BackEnd backend =
        options->backend ? BackEnd{*options->backend} : back_end_for(state, kernel, words.diagnostics());
    auto one = options->ranks ? run_on_ranks(state, kernel, *options->ranks, backend.backend, options->limits,
                                             words.whole(), words.diagnostics(), result.exit)
                              : run_kernel(state, kernel, backend, options->limits, words.whole(), words.diagnostics(),
                                           result.exit);
    if (!one) break;
    ran.kernels.push_back(std::move(*one));
  }
  result.result = std::move(ran);
  return result;
}

CommandResult check(State& state, Words& words) {
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  Checked checked;
  CommandResult result;
  const std::vector<lang::Kernel> kernels = chosen_kernels(state, name, words);
  if (!run_unfinished(state, kernels, words, result.exit)) return result;
  for (const lang::Kernel& kernel : kernels) {
    const FinishedRun& finished = *state.finished(kernel);
    const lang::Program& program = *state.program(words.diagnostics());
    const double terms = check::estimate_terms(program, kernel, finished.before);
    constexpr double takes_a_while = 1e7;
    if (kernels.size() > 1 || terms > takes_a_while) {
      char about[64];
      std::snprintf(about, sizeof about, ", about %.0e terms", terms);
      const std::string which = kernel.name + (terms > takes_a_while ? about : "");
      const bool several = kernels.size() > 1;
      state.tell({"checking kernel", several ? std::ssize(checked.kernels) + 1 : 0, std::ssize(kernels), which});
    }
    check::Report report = check::compare(program, kernel, finished.before, finished.after, finished.checked_by(), [&] {
      text::wish_the_end_if_late();
      return state.cancel.requested();
    });
    if (report.problem) words.diagnostics().add(*report.problem);
    if (report.first) result.exit = Exit::difference;
    constexpr double all = 1e8;
    if (!report.problem)
      warn_of_wraps(*state.program(words.diagnostics()), kernel, finished, all, words.whole(), words.diagnostics());
    checked.kernels.push_back({kernel.name, std::move(report), finished.reassociated});
  }
  result.result = std::move(checked);
  return result;
}

double Checked::max_rel_error() const {
  double worst = 0;
  for (const Kernel& kernel : kernels) worst = std::max(worst, kernel.report.max_rel_error);
  return worst;
}

bool Checked::sampled() const {
  return std::ranges::any_of(kernels,
                             [](const Kernel& k) { return k.report.coverage == check::Report::Coverage::sampled; });
}

const check::Difference* Checked::first_difference() const {
  for (const Kernel& kernel : kernels)
    if (kernel.report.first) return &*kernel.report.first;
  return nullptr;
}

}  // namespace trellis::session
