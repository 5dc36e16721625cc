// time.
#include <algorithm>

#include "engine/explore/work.hpp"
#include "engine/flow/leave_early.hpp"
#include "engine/run/timing.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/command/compute.hpp"
#include "engine/session/running/execution.hpp"

namespace trellis::session {
namespace {

struct TimeOptions {
  std::optional<lang::syntax::Name> kernel;
  std::optional<int> runs;
  std::vector<run::Backend> backends;
  run::Limits limits;
};

std::optional<TimeOptions> read_time(const State& state, Words& words) {
  TimeOptions options{{}, {}, {}, state.options.limits};
  const auto in_range = [&](std::optional<std::int64_t> number, const char* what) {
    if (number && (*number < 1 || *number > 1'000'000)) {
      words.diagnostics().error("E0601", words.whole(), std::string("`time` needs a positive number of ") + what, "");
      number.reset();
    }
    return number;
  };
  while (!words.at_end()) {
    if (words.accept("jit")) options.backends.push_back(run::Backend::jit);
    else if (words.accept("native")) options.backends.push_back(run::Backend::native);
    else if (words.accept("threads")) {
      const auto threads = in_range(words.integer("a number of threads"), "threads");
      if (!threads) return std::nullopt;
      options.limits.threads = static_cast<int>(std::min<std::int64_t>(*threads, 1024));
    } else if (!options.runs && words.peek()->kind == lang::syntax::Word::Kind::number) {
      const auto runs = in_range(words.integer("a number of runs"), "runs");
      if (!runs) return std::nullopt;
      options.runs = static_cast<int>(*runs);
    } else if (!options.kernel && words.peek()->kind == lang::syntax::Word::Kind::name) {
      options.kernel = words.optional_name();
    } else {
      words.unexpected("a kernel, a number of runs, `jit`, `native` or `threads N`", {"jit", "native", "threads"});
      return std::nullopt;
    }
  }
  if (options.backends.empty()) options.backends = {run::Backend::jit, run::Backend::native};
  return options;
}

run::Timing measure(const run::Kernel& code, const run::Bindings& bindings, const TimeOptions& options) {
  return options.runs ? run::repeat(code, bindings, options.limits, *options.runs)
                      : run::repeat_until_stable(code, bindings, options.limits, {});
}

/// The floating type that most bytes are of; f64 when there is none.
format::ScalarType main_type(const run::Bindings& bindings) {
  std::size_t single = 0, twice = 0;
  for (const auto& [name, array] : bindings.arrays) {
    const std::size_t bytes = array.array_bytes(-1, format::Array::values);
    (array.type() == format::ScalarType::f32 ? single : twice) += bytes;
  }
  return single > twice ? format::ScalarType::f32 : format::ScalarType::f64;
}

std::size_t bytes_of(const run::Bindings& bindings) {
  std::size_t sum = 0;
  for (const auto& [name, array] : bindings.arrays) sum += array.bytes();
  return sum;
}

/// Empty is reported. Every back end starts from the same values; afterwards the tensors are as after one run.
std::optional<Timed::Kernel> time_kernel(State& state, const lang::Kernel& kernel, const TimeOptions& options,
                                         Words& words, Exit& exit) {
  Timed::Kernel timed;
  timed.kernel = kernel.name;
  auto prepared = prepare(state, kernel, words.whole(), words.diagnostics(), exit);
  if (!prepared) return std::nullopt;
  timed.order = order_that_ran(*prepared->compilation);
  // How many iterations a walk over sparse storage takes depends on what is stored, and so does when a loop is over
  // that ends early.
  const bool sparse =
      std::ranges::any_of(prepared->bindings.arrays, [](const auto& array) { return !array.second.dense(); });
  const bool whole = !flow::leaves_early(prepared->compilation->flow);
  if (!sparse && whole) timed.flops = explore::count_flops(prepared->compilation->loops, prepared->bindings.sizes);
  for (const run::Backend backend : options.backends) {
    const run::Kernel* code = state.machine_code(*prepared->compilation, backend, words.diagnostics(), exit);
    if (!code) return std::nullopt;
    state.tell({"timing", 0, 0, kernel.name + ", " + run::name_of(backend)});
    if (!timed.backends.empty() && !prepared->renew()) break;
    timed.backends.push_back({backend, measure(*code, prepared->bindings, options)});
    exit = report_failure(timed.backends.back().timing.outcome, *prepared->compilation, prepared->before,
                          words.diagnostics());
    if (exit != Exit::success) return std::nullopt;
  }
  if (!prepared->publish(words.whole(), words.diagnostics(), exit)) return std::nullopt;
  timed.bytes = bytes_of(prepared->bindings);
  timed.threads = options.limits.threads;
  if (whole)
    timed.roof = run::measured_roof(timed.bytes, main_type(prepared->bindings), options.limits.threads, state.cancel);
  const Timed::Backend& last = timed.backends.back();
  keep_results(state, kernel, std::move(*prepared), {last.timing.outcome.run_ms, last.backend});
  return timed;
}

}  // namespace

CommandResult time(State& state, Words& words) {
  const auto options = read_time(state, words);
  if (!options) return {};
  Timed timed;
  CommandResult result;
  for (const lang::Kernel& kernel : chosen_kernels(state, options->kernel, words)) {
    if (!run_operands_of(state, kernel, words, result.exit)) break;
    auto one = time_kernel(state, kernel, *options, words, result.exit);
    if (!one) break;
    state.acted(run_of(kernel.name, words.whole()));
    timed.kernels.push_back(std::move(*one));
  }
  result.result = std::move(timed);
  return result;
}

}  // namespace trellis::session
