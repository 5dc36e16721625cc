// suggest, tune.
#include <algorithm>

#include "engine/run/timing.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/command/compute.hpp"
#include "engine/session/running/execution.hpp"
#include "engine/session/running/suggestions.hpp"
#include "engine/session/running/trial.hpp"

namespace trellis::session {
namespace {

constexpr std::size_t most_measured = 3;  // beside what stands
constexpr double hopeless = 4;            // times the fastest: not measured again
constexpr double clearly = 0.95;          // of what stands: what takes less is kept

/// A schedule, or what stands, with what its runs took.
struct Contestant {
  State state;
  std::shared_ptr<Prepared> prepared = nullptr;
  const run::Kernel* code = nullptr;
  std::optional<double> ms = std::nullopt;  ///< the least median of its rounds
};

struct TuneOptions {
  std::optional<lang::syntax::Name> kernel;
  run::Backend backend = run::Backend::native;
  double seconds = 5;
  int threads = 1;
};

std::optional<TuneOptions> read_tune(const State& state, Words& words) {
  TuneOptions options;
  options.threads = state.options.limits.threads;
  while (!words.at_end()) {
    if (words.accept("jit")) options.backend = run::Backend::jit;
    else if (words.accept("native")) options.backend = run::Backend::native;
    else if (words.accept("seconds")) {
      const auto seconds = words.number("a number of seconds");
      if (!seconds) return std::nullopt;
      if (!(*seconds > 0 && *seconds <= 3600)) {
        words.diagnostics().error("E0601", words.whole(), "`tune` measures for up to 3600 seconds", "");
        return std::nullopt;
      }
      options.seconds = *seconds;
    } else if (words.accept("threads")) {
      const auto threads = words.integer("a number of threads");
      if (!threads) return std::nullopt;
      if (*threads < 1 || *threads > 1024) {
        words.diagnostics().error("E0601", words.whole(), "`tune` needs between 1 and 1024 threads", "");
        return std::nullopt;
      }
      options.threads = static_cast<int>(*threads);
    } else if (!options.kernel && words.peek()->kind == lang::syntax::Word::Kind::name) {
      options.kernel = words.optional_name();
    } else {
      words.unexpected("a kernel, `jit`, `native`, `threads N` or `seconds N`",
                       {"jit", "native", "threads", "seconds"});
      return std::nullopt;
    }
  }
  return options;
}

/// False: it cannot run as it stands; why is in `diagnostics`.
bool make_ready(Contestant& one, const std::string& name, run::Backend backend, Words& words,
                text::Diagnostics& diagnostics) {
  Exit exit = Exit::success;
  const lang::Kernel* kernel = one.state.kernel(lang::syntax::Name{name, words.whole()}, words.whole(), diagnostics);
  auto prepared = kernel ? prepare(one.state, *kernel, words.whole(), diagnostics, exit) : std::nullopt;
  if (!prepared) return false;
  one.prepared = std::make_shared<Prepared>(std::move(*prepared));
  one.code = one.state.machine_code(*one.prepared->compilation, backend, diagnostics, exit);
  return one.code != nullptr;
}

/// One round of it; what fails is left out from then on.
void measure(Contestant& one, int threads, double seconds) {
  run::Limits limits = one.state.options.limits;
  limits.threads = threads;
  const run::Timing timing =
      run::repeat_until_stable(*one.code, one.prepared->bindings, limits, {.runs = 30, .seconds = seconds});
  if (timing.outcome.status != run::Outcome::Status::ok || timing.ms.empty()) {
    one.code = nullptr;
    return;
  }
  one.ms = std::min(one.ms.value_or(timing.median), timing.median);
}

}  // namespace

CommandResult suggest(State& state, Words& words) {
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  auto suggested = kernel ? suggestions_for(state, *kernel, words.diagnostics()) : std::nullopt;
  if (!suggested) return {};
  state.offer = {{}, suggested->kernel};
  for (const explore::Suggestion& s : suggested->suggestions) state.offer.fixes.push_back({s.command, s.reason, 0});
  return {std::move(*suggested)};
}

CommandResult tune(State& state, Words& words) {
  const auto options = read_tune(state, words);
  const lang::Kernel* found = options ? state.kernel(options->kernel, words.whole(), words.diagnostics()) : nullptr;
  if (!found) return {};
  const lang::Kernel kernel = *found;
  CommandResult result;
  if (!run_operands_of(state, kernel, words, result.exit)) return result;
  auto suggested = suggestions_for(state, kernel, words.diagnostics());
  if (!suggested) return result;
  drop_parallel(*suggested, options->threads);
  if (suggested->suggestions.size() > most_measured) suggested->suggestions.resize(most_measured);
  std::vector<Contestant> all;
  all.reserve(1 + suggested->suggestions.size());  // their codes lie in their states
  all.push_back({state});
  if (!make_ready(all.front(), kernel.name, options->backend, words, words.diagnostics())) return result;
  for (const explore::Suggestion& one : suggested->suggestions) {
    text::Diagnostics ignored;
    state.tell({"compiling", std::ssize(all), std::ssize(suggested->suggestions), one.command});
    auto trial = tried_with(state, kernel.name, one.command);
    all.push_back({trial ? std::move(trial->state) : state});
    if (!trial || !make_ready(all.back(), kernel.name, options->backend, words, ignored)) all.back().code = nullptr;
  }
  constexpr int rounds = 2;
  const double share = options->seconds / (rounds * static_cast<double>(all.size()));
  std::optional<double> least;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < all.size() && !state.cancel.requested(); ++k) {
      if (!all[k].code || (least && all[k].ms && *all[k].ms > hopeless * *least)) continue;
      state.tell({"measuring", std::ssize(all) * round + static_cast<std::ptrdiff_t>(k) + 1, std::ssize(all) * rounds,
                  k == 0 ? "as it stands" : suggested->suggestions[k - 1].command});
      measure(all[k], options->threads, share);
      if (all[k].ms) least = std::min(least.value_or(*all[k].ms), *all[k].ms);
    }
  if (state.cancel.requested() || !all.front().ms) {
    words.diagnostics().error("E0506", words.whole(), "nothing was measured to its end, and nothing has changed", "");
    result.exit = Exit::interrupted;
    return result;
  }
  Suggested::Tuned tuned{run::name_of(options->backend), *all.front().ms, {}, std::nullopt};
  for (std::size_t k = 1; k < all.size(); ++k) {
    tuned.ms.push_back(all[k].ms);
    if (all[k].ms && *all[k].ms == *least && *least < clearly * tuned.now_ms) tuned.kept = k;
  }
  if (tuned.kept) take_lines(state, kernel.name, suggested->suggestions[*tuned.kept - 1].command, words.diagnostics());
  suggested->tuned = std::move(tuned);
  result.result = std::move(*suggested);
  return result;
}

}  // namespace trellis::session
