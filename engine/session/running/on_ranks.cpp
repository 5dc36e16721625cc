#include "engine/session/running/on_ranks.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "engine/distribute/execute.hpp"
#include "engine/session/running/compiled_ranks.hpp"
#include "engine/session/running/execution.hpp"
#include "engine/session/running/kernel_queries.hpp"
#include "engine/session/running/ranks_cuts.hpp"
#include "engine/session/running/renumbered.hpp"
#include "engine/session/running/steps_taken.hpp"
#include "engine/view/rank_lanes.hpp"

namespace trellis::session {
namespace {

constexpr std::int64_t most_ranks = 1 << 20;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = problem == std::errc() && end == text.data() + text.size() && !text.empty();
  return whole ? std::optional(value) : std::nullopt;
}

/// Results of their own, in their formats; the others as they are.
loop::Bindings bindings_of(const Compilation& compilation, const check::State& before) {
  loop::Bindings bindings{before.parameters, before.tensors, compilation.program.functions};
  for (const std::string& name : compilation.kernel.results())
    if (const auto found = bindings.tensors.find(name); found != bindings.tensors.end())
      found->second = found->second.clone();
  return bindings;
}

std::string traffic(const distribute::Plan& plan, const std::vector<distribute::Sent>& sent) {
  std::int64_t messages = 0, bytes = 0;
  for (std::size_t k = 0; k < plan.exchanges.size(); ++k) {
    const auto type = plan.tensors.at(plan.exchanges[k].tensor).type;
    messages += sent[k].messages;
    bytes += sent[k].elements * static_cast<std::int64_t>(format::size_of(type));
  }
  return std::to_string(messages) + (messages == 1 ? " message, " : " messages, ") + std::to_string(bytes) + " bytes";
}

std::string grid_text(const std::vector<std::int64_t>& grid) {
  std::string text;
  for (const std::int64_t count : grid) text += (text.empty() ? "" : "x") + std::to_string(count);
  return text;
}

/// False when it ended badly, which is reported.
bool ended_well(const distribute::InStep& ran, const Compilation& compilation, text::Diagnostics& diagnostics,
                Exit& exit) {
  const std::string name = "kernel " + compilation.kernel.name;
  if (!ran.execution.fault && ran.astray.empty()) return true;
  exit = ran.execution.fault ? Exit::kernel_failed : Exit::fault;
  const text::Span at =
      ran.execution.fault && ran.execution.fault->span.known() ? ran.execution.fault->span : compilation.kernel.span;
  if (ran.execution.fault)
    diagnostics.error("E0502", at, name + " stopped: " + ran.execution.fault->message, "")
        .notes.push_back({{}, "all tensors are as they were before the run"});
  else
    diagnostics.error("E0505", at, name + " went astray on ranks: " + ran.astray, "")
        .notes.push_back({{}, "this is a mistake of the compiler: please report it"});
  return false;
}

}  // namespace

std::optional<std::vector<std::int64_t>> ranks_word(Words& words, bool& sound) {
  sound = true;
  const auto* word = words.peek();
  const bool negative = word && word->kind == lang::syntax::Word::Kind::symbol && word->text == "-";
  if (!word || (!negative && word->kind != lang::syntax::Word::Kind::number)) return std::nullopt;
  const text::Span at = word->span;
  std::string text;
  for (bool first = true; words.peek() && (first || words.peek()->joined || text == "-"); first = false) {
    text += words.peek()->text;
    words.accept(words.peek()->text);
  }
  std::vector<std::int64_t> grid;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto number = whole_number(std::string_view(text).substr(begin, end - begin));
    if (!number || *number < 1 || *number > most_ranks) {
      words.diagnostics()
          .error("E0601", at, "there cannot be " + text + " ranks", "")
          .notes.push_back({{}, "1 to 1048576, as in `4`; of a grid as in `2x3`"});
      sound = false;
      return std::nullopt;
    }
    grid.push_back(*number);
    begin = end + 1;
  }
  return grid;
}

std::string whole_tensors(const State& state, const distribute::Plan& plan) {
  std::string text;
  for (const auto& [tensor, info] : plan.tensors) {
    if (tensor.scope >= 0 || plan.home(tensor) || info.shape.empty()) continue;
    auto bytes = static_cast<std::int64_t>(format::size_of(info.type));
    bool known = true;
    for (const math::Affine& size : info.shape) {
      const auto value = state.value_of(size);
      known &= value.has_value();
      bytes *= value.value_or(1);
    }
    const tensor::Tensor* held = info.format.all_dense() ? nullptr : filled(state, tensor.name);
    if (held) bytes = static_cast<std::int64_t>(held->bytes());
    text += (text.empty() ? "" : ", ") + tensor.name;
    if (known || held) text += " (" + std::to_string(bytes) + " bytes)";
  }
  return text;
}

namespace {

void note(const std::string& message, const std::string& more, text::Span at, text::Diagnostics& diagnostics) {
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.code = "N0209";
  note.span = at;
  note.message = message;
  if (!more.empty()) note.notes.push_back({{}, more});
  diagnostics.add(std::move(note));
}

/// How a run went.
struct Went {
  std::string how;  ///< "in step"
  double compile_ms = 0, ms = 0;
  std::vector<distribute::Sent> sent;
  std::int64_t ended_after = 0;
  std::shared_ptr<const view::RankLanes> lanes = {};
};

std::optional<Went> run_in_step(Prepared& prepared, const distribute::Cuts& cuts, text::Diagnostics& diagnostics,
                                Exit& exit) {
  const Compilation& compilation = *prepared.compilation;
  const loop::Bindings bindings = bindings_of(compilation, prepared.before);
  const auto start = std::chrono::steady_clock::now();
  const distribute::InStep ran = distribute::run_in_step(*compilation.distributed, cuts, bindings);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  if (!ended_well(ran, compilation, diagnostics, exit)) return std::nullopt;
  for (const std::string& name : compilation.kernel.results())
    prepared.bindings.arrays.insert_or_assign(name, bindings.tensors.at(name));
  return Went{"in step", 0, elapsed.count(), ran.sent, ran.execution.ended_after};
}

std::optional<Went> run_compiled(State& state, const Prepared& prepared, const check::State& found,
                                 const distribute::Cuts& cuts, RanksAsked::How how, run::Backend backend,
                                 const run::Limits& limits, text::Span at, text::Diagnostics& diagnostics, Exit& exit) {
  const bool by_mpi = how == RanksAsked::How::mpi;
  const auto ran = by_mpi ? run_ranks_by_mpi(state, prepared, found, cuts, limits, at, diagnostics, exit)
                          : run_compiled_ranks(state, prepared, found, cuts, backend, limits, diagnostics, exit);
  if (!ran) return std::nullopt;
  Went went{by_mpi ? "by MPI" : "", ran->compile_ms, ran->how.outcome.run_ms, {}, ran->how.outcome.ended_after};
  for (const run::RanksSent& sent : ran->how.sent) went.sent.push_back({sent.executions, sent.messages, sent.elements});
  went.lanes = std::make_shared<const view::RankLanes>(
      view::rank_lanes(ran->how.times, cuts.grid, by_mpi ? "by MPI" : "as threads"));
  return went;
}

}  // namespace

std::optional<Ran::Kernel> run_on_ranks(State& state, const lang::Kernel& kernel, const RanksAsked& asked,
                                        run::Backend backend, const run::Limits& limits, text::Span at,
                                        text::Diagnostics& diagnostics, Exit& exit) try {
  if (kernel.schedule.distributions.empty()) {
    note("nothing of kernel " + kernel.name + " is dealt out: rank 0 computes all of it",
         "as in `ranks p` and `distribute i over p`", at, diagnostics);
    return run_kernel(state, kernel, {backend}, limits, at, diagnostics, exit);
  }
  auto prepared = prepare(state, kernel, at, diagnostics, exit);
  if (!prepared) return std::nullopt;
  const std::shared_ptr<const Compilation> compilation = prepared->compilation;
  const distribute::Plan& plan = *compilation->distributed;
  const auto cuts = cuts_for(state, *compilation, asked.grid, at, diagnostics);
  if (!cuts) return std::nullopt;
  const std::string why_not = not_compiled(plan, *cuts);
  using How = RanksAsked::How;
  const bool in_step = asked.how == How::in_step || !why_not.empty();
  auto on_ranks = in_numbers_of_ranks(*prepared, *cuts, at, diagnostics, exit);
  if (!on_ranks) return std::nullopt;
  const auto went = in_step ? run_in_step(*on_ranks, *cuts, diagnostics, exit)
                            : run_compiled(state, *on_ranks, prepared->before, *cuts, asked.how, backend, limits, at,
                                           diagnostics, exit);
  if (!went || (!in_step && !on_ranks->publish(at, diagnostics, exit)) ||
      !take_results_back(*on_ranks, *cuts, *prepared, at, diagnostics, exit))
    return std::nullopt;
  if (const std::string whole = whole_tensors(state, plan); !whole.empty() && cuts->ranks() > 1)
    note("each rank has all of " + whole, "", at, diagnostics);
  if (in_step && asked.how != How::in_step)
    note("the ranks of kernel " + kernel.name + " run in step, by the interpreter of loops: " + why_not, "", at,
         diagnostics);
  keep_results(state, kernel, std::move(*prepared), {went->ms, backend, went->lanes});
  std::optional<Ran::Steps> steps;
  if (const FinishedRun* finished = state.finished(kernel)) steps = steps_taken(kernel, *finished, went->ended_after);
  return Ran::Kernel{kernel.name,
                     backend,
                     order_that_ran(*compilation),
                     compilation->order_chosen,
                     went->compile_ms,
                     went->ms,
                     compilation->times,
                     kernel.results(),
                     "on " + grid_text(cuts->grid) + " ranks" + (went->how.empty() ? "" : " " + went->how) + ", " +
                         traffic(plan, went->sent),
                     steps};
} catch (const text::Cancelled&) {
  diagnostics.error("E0506", kernel.span, "kernel " + kernel.name + " was interrupted", "");
  exit = Exit::interrupted;
  return std::nullopt;
}

}  // namespace trellis::session
