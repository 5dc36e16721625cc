// run, check.
#include <algorithm>

#include "engine/place/definitions.hpp"
#include "engine/session/commands.hpp"

namespace trellis::session {
namespace {

struct RunOptions {
  std::optional<lang::syntax::Name> kernel;
  run::Backend backend;
  run::Limits limits;
};

std::optional<RunOptions> read_run(const State& state, Words& words) {
  RunOptions options{{}, state.options.backend, state.options.limits};
  while (!words.at_end()) {
    if (words.accept("jit")) options.backend = run::Backend::jit;
    else if (words.accept("native")) options.backend = run::Backend::native;
    else if (words.accept("threads")) {
      const auto threads = words.integer("a number of threads");
      if (!threads) return std::nullopt;
      if (*threads < 1 || *threads > 1024) {
        words.diagnostics().error("E0601", words.whole(), "`run` needs between 1 and 1024 threads, not " + std::to_string(*threads), "");
        return std::nullopt;
      }
      options.limits.threads = static_cast<int>(*threads);
    } else if (!options.kernel && words.peek()->kind == lang::syntax::Word::Kind::name) {
      options.kernel = words.optional_name();
    } else {
      words.unexpected("a kernel, `jit`, `native` or `threads N`", {"jit", "native", "threads"});
      return std::nullopt;
    }
  }
  return options;
}

/// The kernels that a command without a kernel's name is about: all of them, in the order in which they begin.
std::vector<lang::Kernel> chosen(State& state, const std::optional<lang::syntax::Name>& name, Words& words) {
  const lang::Kernel* one = state.kernel(name, words.whole(), words.diagnostics());
  if (!one) return {};
  if (name) return {*one};
  return state.program(words.diagnostics())->kernels;
}

std::optional<run::Bindings> bind(State& state, const Compilation& compilation, text::Span at, text::Diagnostics& diagnostics) {
  run::Bindings bindings;
  for (const emit::Argument& argument : compilation.module.arguments) {
    if (argument.kind != emit::Argument::Kind::array) continue;
    const tensor::Tensor* value = state.tensor(*compilation.program.tensor(argument.name), at, diagnostics);
    if (!value) return std::nullopt;
    bindings.arrays[argument.name] = *value;
  }
  for (const emit::Argument& argument : compilation.module.arguments) {
    if (argument.kind == emit::Argument::Kind::array) continue;
    const auto value = state.parameter(argument.name);
    if (!value) {
      state.report_unknown_size(argument.name, "kernel " + compilation.kernel.name, at, diagnostics);
      return std::nullopt;
    }
    if (argument.kind == emit::Argument::Kind::size) bindings.sizes[argument.name] = value->as_integer();
    else bindings.reals[argument.name] = value->as_double();
  }
  return bindings;
}

/// Reads were proven in range for tensors that are not empty; with an empty one they are proven again, for the sizes there are.
bool stays_in_range(const State& state, const Compilation& compilation, const run::Bindings& bindings, text::Diagnostics& diagnostics) {
  if (std::ranges::none_of(bindings.arrays, [](const auto& array) { return array.second.count() == 0; })) return true;
  std::vector<math::Constraint> sizes;
  for (const lang::ParameterInfo& p : compilation.program.parameters)
    if (const auto value = state.parameter(p.name); value && !p.real)
      sizes.push_back({math::Affine::name(p.name), math::Relation::equal, math::Affine(value->as_integer())});
  place::check_ranges(*compilation.analysis, sizes, diagnostics);
  return !diagnostics.has_errors();
}

check::State snapshot(State& state, const lang::Kernel& kernel, const lang::Program& program, text::Span at,
                      text::Diagnostics& diagnostics) {
  check::State before;
  for (const lang::ParameterInfo& p : program.parameters)
    if (const auto value = state.parameter(p.name)) before.parameters[p.name] = *value;
  auto keep = [&](const std::string& name) {
    if (const tensor::Tensor* value = state.tensor(*program.tensor(name), at, diagnostics)) before.tensors[name] = *value;
  };
  for (const std::string& name : kernel.operands()) keep(name);
  for (const std::string& name : kernel.results()) keep(name);
  return before;
}

Exit report_failure(const run::Outcome& outcome, const Compilation& compilation, text::Diagnostics& diagnostics) {
  using Status = run::Outcome::Status;
  const std::string name = "kernel " + compilation.kernel.name;
  text::Span at = compilation.kernel.span;
  switch (outcome.status) {
    case Status::ok: return Exit::success;
    case Status::fault: {
      std::string what = outcome.message;
      if (outcome.site >= 0 && outcome.site < static_cast<int>(compilation.module.sites.size())) {
        const emit::FaultSite& site = compilation.module.sites[static_cast<std::size_t>(outcome.site)];
        if (site.span.known()) at = site.span;
        what = outcome.fault == emit::FaultKind::division_by_zero     ? "integer division by zero"
               : outcome.fault == emit::FaultKind::division_overflow ? "the smallest integer was divided by -1"
                                                                     : site.what + " is out of range";
      }
      diagnostics.error("E0502", at, name + " stopped: " + what, "")
          .notes.push_back({{}, "all tensors are as they were before the run"});
      return Exit::kernel_failed;
    }
    case Status::out_of_memory:
      diagnostics.error("E0503", at, name + " ran out of memory", "").notes.push_back({{}, "`--memory SIZE` sets the limit; " + outcome.message});
      return Exit::kernel_failed;
    case Status::timed_out:
      diagnostics.error("E0504", at, name + " did not finish in time", "").notes.push_back({{}, "`--timeout S` sets the limit; " + outcome.message});
      return Exit::kernel_failed;
    case Status::crashed:
      diagnostics.error("E0505", at, name + " crashed", "").notes.push_back({{}, outcome.message});
      return Exit::kernel_failed;
    case Status::interrupted:
      diagnostics.error("E0506", at, name + " was interrupted", "");
      return Exit::interrupted;
  }
  return Exit::kernel_failed;
}

}  // namespace

std::optional<Ran::Kernel> run_kernel(State& state, const lang::Kernel& kernel, run::Backend backend, const run::Limits& limits,
                                      text::Span at, text::Diagnostics& diagnostics, Exit& exit) {
  const auto compilation = state.compilation(kernel, diagnostics);
  if (!compilation) return std::nullopt;
  auto bindings = bind(state, *compilation, at, diagnostics);
  if (!bindings) return std::nullopt;
  if (!stays_in_range(state, *compilation, *bindings, diagnostics)) return std::nullopt;
  const run::Kernel* code = state.machine_code(*compilation, backend, diagnostics);
  if (!code) return std::nullopt;
  check::State before = snapshot(state, kernel, compilation->program, at, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;

  // Tensors in memory are never changed, only replaced: what ran before stays comparable.
  for (const std::string& name : kernel.results())
    if (const auto array = bindings->arrays.find(name); array != bindings->arrays.end()) {
      array->second = array->second.clone();
      if (array->second) continue;
      diagnostics.error("E0503", at, "there is no memory to keep " + name + " as it is beside its new values", "");
      exit = Exit::kernel_failed;
      return std::nullopt;
    }
  const run::Outcome outcome = run::execute(*code, *bindings, limits);
  exit = report_failure(outcome, *compilation, diagnostics);
  if (exit != Exit::success) return std::nullopt;
  State::Finished finished{std::move(before), {}};
  for (const std::string& name : kernel.results())
    if (const auto array = bindings->arrays.find(name); array != bindings->arrays.end()) {
      state.put(name, array->second);
      finished.after[name] = array->second;
    }
  state.finish(kernel, std::move(finished));
  return Ran::Kernel{kernel.name, backend, compilation->placed->order, compilation->order_chosen, code->compile_ms(),
                     outcome.run_ms, compilation->times, kernel.results()};
}

CommandResult run(State& state, Words& words) {
  const auto options = read_run(state, words);
  if (!options) return {};
  Ran ran;
  CommandResult result;
  for (const lang::Kernel& kernel : chosen(state, options->kernel, words)) {
    auto one = run_kernel(state, kernel, options->backend, options->limits, words.whole(), words.diagnostics(), result.exit);
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
  for (const lang::Kernel& kernel : chosen(state, name, words)) {
    if (!state.finished(kernel) &&
        !run_kernel(state, kernel, state.options.backend, state.options.limits, words.whole(), words.diagnostics(), result.exit))
      break;
    const State::Finished& finished = *state.finished(kernel);
    check::Report report = check::compare(*state.program(words.diagnostics()), kernel, finished.before, finished.after);
    if (report.problem) words.diagnostics().add(*report.problem);
    if (report.first) result.exit = Exit::difference;
    checked.kernels.push_back({kernel.name, std::move(report)});
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
  return std::ranges::any_of(kernels, [](const Kernel& k) { return k.report.coverage == check::Report::Coverage::sampled; });
}

const check::Difference* Checked::first_difference() const {
  for (const Kernel& kernel : kernels)
    if (kernel.report.first) return &*kernel.report.first;
  return nullptr;
}

}  // namespace trellis::session
