#include "engine/session/running/compiled_ranks.hpp"

#include "engine/distribute/spmd.hpp"
#include "engine/distribute/words.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/run/on_mpi.hpp"
#include "engine/session/running/needed_through.hpp"

namespace trellis::session {
namespace {

/// Of the kernel of a rank: what it takes beside what the whole kernel does is known as well.
run::Bindings bindings_of_rank(const Prepared& prepared, const Compilation& of_rank, const run::RankPlan& plan,
                               const distribute::Cuts& cuts) {
  run::Bindings own = prepared.bindings;
  for (const emit::Argument& a : of_rank.module.arguments) {
    if (a.kind == emit::Argument::Kind::array) own.arrays.try_emplace(a.name, prepared.before.tensors.at(a.name));
    if (a.kind == emit::Argument::Kind::real)
      own.reals.try_emplace(a.name, prepared.before.parameters.at(a.name).as_double());
  }
  for (const std::string& size : plan.sizes) own.sizes[size] = cuts.sizes.at(size);
  return own;
}

}  // namespace

run::RankPlan rank_plan(const distribute::Plan& plan, const Compilation& of_rank) {
  std::vector<std::string> sizes;
  for (const emit::Argument& a : of_rank.module.arguments)
    if (a.kind == emit::Argument::Kind::size) sizes.push_back(a.name);
  distribute::Words words = distribute::words_of(plan, sizes);
  run::RankPlan made{std::move(words.plan), std::move(words.sizes), std::move(words.symbols), {}, {}, {}, {}};
  for (const auto& [tensor, number] : words.tensors)
    if (tensor.scope < 0 && plan.home(tensor)) made.cut.emplace(tensor.name, number);
  const std::vector<std::string> results = of_rank.kernel.results();
  made.results.insert(results.begin(), results.end());
  for (const std::string& name : results) {
    const auto info = plan.tensors.find({name, -1});
    const distribute::Home* const home = plan.home({name, -1});
    if (info == plan.tensors.end() || info->second.format.layout || !home) continue;
    for (std::size_t level = 0; level < home->size(); ++level)
      made.parts[name].push_back((*home)[format::dimension_of(info->second.format, level)]);
  }
  made.through = needed_through(plan, of_rank);
  return made;
}

std::optional<Compilation> compiled_for_ranks(const Compilation& compilation, text::Diagnostics& diagnostics) {
  Compilation of_rank = compile_rank(compilation, diagnostics);
  return of_rank.module.entry.empty() ? std::nullopt : std::optional(std::move(of_rank));
}

std::shared_ptr<const Compilation> compiled_for_ranks(State& state, const std::shared_ptr<const Compilation>& whole,
                                                      text::Diagnostics& diagnostics) {
  const auto same = [&](const KnownRank& one) { return one.whole == whole; };
  if (const KnownRank* known = state.caches.of_ranks.find(same)) return known->of_rank;
  auto made = compiled_for_ranks(*whole, diagnostics);
  if (!made) return nullptr;
  return state.caches.of_ranks.add({whole, std::make_shared<const Compilation>(std::move(*made))}).of_rank;
}

std::string not_compiled(const distribute::Plan& plan, const distribute::Cuts& cuts) {
  const std::string why = distribute::not_compiled(plan);
  if (!why.empty()) return why;
  for (const std::string& size : distribute::words_of(plan, {}).sizes)
    if (!cuts.sizes.contains(size)) return "a size is " + size;
  return "";
}

std::optional<run::RankJob> job_of_ranks(const Prepared& prepared, const Compilation& of_rank,
                                         const distribute::Cuts& cuts) {
  const run::RankPlan words = rank_plan(*prepared.compilation->distributed, of_rank);
  return run::rank_job(of_rank.module, words, bindings_of_rank(prepared, of_rank, words, cuts), cuts.grid, cuts.places,
                       false);
}

namespace {

/// What a run needs, whatever its ranks are.
struct Ready {
  std::shared_ptr<const Compilation> of_rank;
  const run::Kernel* code;
  run::RankJob job;
};

std::optional<Ready> ready(State& state, const Prepared& prepared, const distribute::Cuts& cuts, run::Backend backend,
                           text::Diagnostics& diagnostics, Exit& exit) {
  const auto of_rank = compiled_for_ranks(state, prepared.compilation, diagnostics);
  const run::Kernel* code = of_rank ? state.machine_code(*of_rank, backend, diagnostics, exit) : nullptr;
  if (!code) return std::nullopt;
  auto job = job_of_ranks(prepared, *of_rank, cuts);
  if (job) return Ready{of_rank, code, std::move(*job)};
  diagnostics.error("E0503", prepared.compilation->kernel.span, "there is no memory that ranks can share results in",
                    "");
  exit = Exit::kernel_failed;
  return std::nullopt;
}

std::optional<RanPart> ended(run::RanksOutcome ran, const Ready& what, const check::State& found,
                             text::Diagnostics& diagnostics, Exit& exit) {
  exit = report_failure(ran.outcome, *what.of_rank, found, diagnostics);
  return exit == Exit::success ? std::optional(RanPart{std::move(ran), what.code->compile_ms()}) : std::nullopt;
}

}  // namespace

std::optional<RanPart> run_compiled_ranks(State& state, const Prepared& prepared, const check::State& found,
                                          const distribute::Cuts& cuts, run::Backend backend, const run::Limits& limits,
                                          text::Diagnostics& diagnostics, Exit& exit) {
  const auto what = ready(state, prepared, cuts, backend, diagnostics, exit);
  if (!what) return std::nullopt;
  return ended(run::execute_on_threads(*what->code, what->job, limits), *what, found, diagnostics, exit);
}

std::optional<RanPart> run_ranks_by_mpi(State& state, const Prepared& prepared, const check::State& found,
                                        const distribute::Cuts& cuts, const run::Limits& limits, text::Span at,
                                        text::Diagnostics& diagnostics, Exit& exit) {
  const auto what = ready(state, prepared, cuts, run::Backend::native, diagnostics, exit);
  if (!what) return std::nullopt;
  run::MpiOutcome outcome = run::execute_on_mpi(*what->code, what->job, limits);
  if (outcome.missing.empty()) return ended(std::move(outcome.ran), *what, found, diagnostics, exit);
  text::Diagnostic& d = diagnostics.error("E0650", at, "ranks cannot be started: " + outcome.missing, "");
  d.notes.push_back({{}, outcome.advice});
  d.notes.push_back({{}, "`run ranks N` without `mpi` has threads for ranks, and needs none of this"});
  exit = Exit::kernel_failed;
  return std::nullopt;
}

}  // namespace trellis::session
