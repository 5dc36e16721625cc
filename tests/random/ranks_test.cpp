// Random programs on random numbers of ranks and grids, cut anywhere, with empty parts: all ranks in step against the
// reference, and, where ranks are compiled, as threads against those. A rank in step that reads what is neither its own
// nor was sent to it ends the run, and so do copies that differ; of a thread such elements are no numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "engine/distribute/execute.hpp"
#include "engine/distribute/print.hpp"
#include "engine/distribute/renumber.hpp"
#include "engine/flow/interpret.hpp"
#include "engine/session/running/needed_through.hpp"
#include "engine/tensor/convert.hpp"
#include "tests/distribute/filled.hpp"
#include "tests/distribute/on_threads.hpp"
#include "tests/random/candidates.hpp"
#include "tests/random/generate_pipelines.hpp"
#include "tests/random/generate_sparse.hpp"
#include "tests/random/generate_steps.hpp"
#include "tests/random/generate_walks.hpp"
#include "tests/random/random_schedule.hpp"

namespace trellis::randomised {
namespace {

using distribute::testing::same_levels;

Draft equations_on_ranks(Dice& dice) { return on_ranks(generate(dice), dice); }
Draft steps_on_ranks(Dice& dice) { return on_ranks(generate_steps(dice), dice); }
Draft sparse_on_ranks(Dice& dice) { return on_ranks(generate_sparse(dice, SparseWishes{60, 60}), dice); }
Draft by_parts(Dice& dice) { return on_ranks_by_parts(generate_sparse(dice, SparseWishes{60, 60}), dice); }

std::vector<std::int64_t> anywhere(Dice& dice, std::int64_t size, std::int64_t parts) {
  std::vector<std::int64_t> places{0, size};
  while (std::ssize(places) <= parts) places.push_back(dice.below(static_cast<int>(size) + 1));
  std::ranges::sort(places);
  return places;
}

/// Rows in any order: that parts of a graph are what orders them matters to nobody.
std::shared_ptr<const distribute::Numbering> any_numbering(Dice& dice, std::int64_t size) {
  distribute::Numbering numbering;
  for (std::int64_t i = 0; i < size; ++i)
    numbering.from.insert(numbering.from.begin() + dice.below(static_cast<int>(i) + 1), i);
  numbering.to.resize(numbering.from.size());
  for (std::int64_t k = 0; k < size; ++k)
    numbering.to[static_cast<std::size_t>(numbering.from[static_cast<std::size_t>(k)])] = k;
  return std::make_shared<const distribute::Numbering>(std::move(numbering));
}

/// False where memory is refused, or a format has no room.
bool renumber(const Candidate& c, const distribute::Cuts& cuts, distribute::Into into, check::State& state) {
  return std::ranges::all_of(state.tensors, [&](auto& entry) {
    const lang::TensorInfo* info = c.compilation.program.tensor(entry.first);
    auto made =
        info ? distribute::renumbered(*c.compilation.distributed, cuts, *info, entry.second, into) : entry.second;
    if (made) entry.second = *made;
    return made.has_value();
  });
}

/// Foretold and sent have to be the same, in as many executions.
std::string other_volume(const distribute::Plan& plan, const distribute::Cuts& cuts, const distribute::InStep& ran) {
  for (std::size_t k = 0; k < plan.exchanges.size(); ++k) {
    const auto foretold = distribute::volume(plan, cuts, plan.exchanges[k]);
    if (!foretold || foretold->executions != ran.sent[k].executions) continue;
    if (static_cast<const distribute::Sent&>(*foretold) == ran.sent[k]) continue;
    return "of " + plan.exchanges[k].tensor.name + " " + std::to_string(foretold->elements) +
           " elements were foretold in " + std::to_string(foretold->messages) + " messages, and " +
           std::to_string(ran.sent[k].elements) + " sent in " + std::to_string(ran.sent[k].messages);
  }
  return "";
}

bool same_results(const check::State& a, const check::State& b, const std::vector<std::string>& results) {
  return std::ranges::all_of(results, [&](const std::string& name) {
    const tensor::Tensor &one = a.tensors.at(name), &other = b.tensors.at(name);
    bool same = true;
    tensor::for_each_index(one.shape(), [&](const tensor::Index& index) {
      const format::Value x = one.get(index), y = other.get(index);
      same &= x == y || (x.real != x.real && y.real != y.real);
    });
    return same;
  });
}

/// Without entries at the fill, which a rank may store where one process knows that it comes by all elements.
tensor::Tensor without_fills(const tensor::Tensor& t) {
  const auto dropped = tensor::convert(t, t.format(), tensor::ExplicitFills::dropped);
  return dropped ? *dropped : t;
}

/// What ranks appended, joined, is laid out as what one process appends; "": it is, or that ends badly.
std::string laid_out_otherwise(const Candidate& c, const check::State& before, const check::State& on_threads) {
  const check::State alone = clone(before);
  const flow::Execution execution = flow::interpret(c.compilation.flow, {alone.parameters, alone.tensors});
  if (execution.fault) return "";
  for (const std::string& name : c.program.kernel().results())
    if (const tensor::Tensor& one = alone.tensors.at(name), &other = on_threads.tensors.at(name);
        !same_levels(one, other) && !same_levels(without_fills(one), without_fills(other)))
      return "threads lay out " + name + " in another way than one process";
  return "";
}

/// How many runs in step there were, and how many of them on threads as well.
struct Tally {
  int in_step = 0, on_threads = 0, through = 0;  ///< an operand, of those on threads
} tally;

/// With what ranks want of what goes through the operands, which are in the numbers of ranks.
distribute::Cuts with_wants(const Candidate& c, const check::State& before, distribute::Cuts cuts) {
  text::Diagnostics ignored;
  const auto of_rank = session::compiled_for_ranks(c.compilation, ignored);
  if (!of_rank) return cuts;
  std::map<std::pair<std::string, std::size_t>, distribute::Pattern> patterns;
  cuts.wants =
      session::wants_through(*c.compilation.distributed, cuts, *of_rank, false,
                             [&](const std::string& name, std::size_t along) -> const distribute::Pattern* {
                               const auto found = before.tensors.find(name);
                               if (found == before.tensors.end() || found->second.shape().size() != 2) return nullptr;
                               return &(patterns[{name, along}] = distribute::pattern_of(found->second, along));
                             });
  return cuts;
}

/// Ranks as threads against ranks in step, from the same values and with the same cuts; "": they agree, or these ranks
/// are not compiled.
std::string differs_on_threads(const Candidate& c, const check::State& before, const distribute::Cuts& cuts,
                               const check::State& in_step, const distribute::InStep& expected) {
  ++tally.in_step;
  if (!distribute::not_compiled(*c.compilation.distributed).empty()) return "";
  ++tally.on_threads;
  const check::State state = clone(before);
  const auto ran = distribute::testing::run_on_threads(c.compilation, cuts, state.parameters, state.tensors);
  // In step elements are stored as they are set: of a level with room for one, an element for which there is none in
  // the meantime ends it, where threads store what is left in the end.
  const auto& fault = expected.execution.fault;
  if (fault && fault->kind == loop::FaultKind::region_taken) return "";
  const bool none = ran.problem == distribute::testing::no_room;
  if (none || fault) return none || !ran.problem.empty() ? "" : "threads end well, and ranks in step do not";
  if (!ran.problem.empty()) return "on threads: " + ran.problem;
  if (!same_results(state, in_step, c.program.kernel().results()))
    return "threads have other results than ranks in step";
  if (const std::string other = laid_out_otherwise(c, before, state); !other.empty()) return other;
  if (ran.ended_after != expected.execution.ended_after) return "threads end after other steps than ranks in step";
  const distribute::Cuts exact = with_wants(c, before, cuts);
  const auto goes_through = [&](const auto& e) { return distribute::wants(*c.compilation.distributed, exact, e); };
  tally.through += std::ranges::any_of(c.compilation.distributed->exchanges, goes_through);
  for (std::size_t k = 0; k < ran.sent.size(); ++k) {
    const distribute::Exchange& e = c.compilation.distributed->exchanges[k];
    const bool few = !e.lists.empty() && ran.sent[k].elements < expected.sent[k].elements;
    if (few || goes_through(e)) {  // no more than rows of an operand ask for
      const auto foretold = distribute::volume(*c.compilation.distributed, exact, e);
      if (!foretold || foretold->executions != ran.sent[k].executions) continue;
      if (foretold->elements != ran.sent[k].elements || foretold->messages != ran.sent[k].messages)
        return "threads sent " + std::to_string(ran.sent[k].elements) + " elements in " +
               std::to_string(ran.sent[k].messages) + " messages in exchange " + std::to_string(k) + ", of which " +
               std::to_string(foretold->elements) + " in " + std::to_string(foretold->messages) + " were foretold";
      continue;
    }
    // A loop around that walks an operand comes by fewer of its iterations.
    if (ran.sent[k].executions < expected.sent[k].executions && ran.sent[k].elements <= expected.sent[k].elements)
      continue;
    if (ran.sent[k].elements != expected.sent[k].elements || ran.sent[k].messages != expected.sent[k].messages)
      return "threads sent " + std::to_string(ran.sent[k].elements) + " elements in exchange " + std::to_string(k) +
             ", and ranks in step " + std::to_string(expected.sent[k].elements);
  }
  return "";
}

/// On as many ranks as the dice say, cut where they say.
Ending on_some_ranks(const Candidate& c, const check::State& before, Dice& dice) {
  const distribute::Plan& plan = *c.compilation.distributed;
  check::State state = clone(before);
  distribute::Numbers sizes;
  for (const auto& [name, value] : state.parameters)
    if (!format::is_floating(value.type)) sizes[name] = value.as_integer();
  std::vector<std::int64_t> grid;
  for (const lang::RanksInfo& ranks : plan.grid)
    grid.push_back(ranks.count > 0 ? ranks.count : 1 + dice.below(plan.grid.size() == 1 ? 5 : 3));
  auto cuts = distribute::cut(plan, grid, sizes, [&](const distribute::Partition& p, std::int64_t parts) {
    const auto size =
        p.base.evaluate([&](const std::string& name) -> std::optional<std::int64_t> { return sizes.at(name); });
    return std::optional(anywhere(dice, std::max<std::int64_t>(0, *size), parts));
  });
  Ending ending;
  if (!cuts) {
    ending.fault = "a size that is cut has no value";
    return ending;
  }
  for (const distribute::Renumbered& r : plan.renumbered)
    cuts->numberings.push_back(
        any_numbering(dice, std::max<std::int64_t>(0, distribute::number_in(r.size, sizes).value_or(0))));
  if (!renumber(c, *cuts, distribute::Into::ranks, state)) {
    ending.fault = "tensors cannot be numbered anew";
    return ending;
  }
  const check::State found = clone(state);
  const auto ran = distribute::run_in_step(plan, *cuts, {state.parameters, state.tensors, c.program.program.functions});
  ending.fault = ran.astray.empty() ? differs_on_threads(c, found, *cuts, state, ran) : "";
  if (!ending.fault.empty()) return ending;
  if (ran.execution.fault) {
    ending.fault = ran.execution.fault->message;
    ending.has_no_room = ran.execution.fault->kind == loop::FaultKind::region_taken;
    return ending;
  }
  ending.fault = !ran.astray.empty() ? "on ranks: " + ran.astray : other_volume(plan, *cuts, ran);
  ending.ended_after = ran.execution.ended_after;
  if (!renumber(c, *cuts, distribute::Into::user, state)) ending.fault = "results cannot be numbered back";
  for (const std::string& name : c.program.kernel().results()) ending.results.emplace(name, state.tensors.at(name));
  return ending;
}

std::vector<std::string> differences_on_ranks(const Candidate& c) {
  if (!c.compilation.distributed) return {};
  Dice dice(c.seed);
  const std::string found =
      differs(c.program, c.seed, [&](const check::State& before) { return on_some_ranks(c, before, dice); });
  // What one rank gets wrong as well is no question of ranks: execution_test.cpp has it.
  const auto alone = [&](const check::State& before) {
    return interpreted(c.program, c.compilation.distributed->loops, before);
  };
  if (!found.empty() && !differs(c.program, c.seed, alone).empty()) return {};
  return {found.empty() ? "" : found + "\n" + distribute::print(*c.compilation.distributed, nullptr)};
}

/// At least one run of so many; of a few that is chance.
void threads_ran(int of) {
  MESSAGE(tally.on_threads << " of " << tally.in_step << " runs were on threads as well, " << tally.through
                           << " of them through an operand");
  if (tally.in_step >= 50) CHECK(of * tally.on_threads > tally.in_step);
}

TEST_CASE("random programs on ranks: all ranks in step and the reference agree") {
  tally = {};
  try_others(first_seed(910000), wanted(72), equations_on_ranks, differences_on_ranks);
  threads_ran(2);
}
TEST_CASE("random timesteps on ranks: all ranks in step and the reference agree") {
  tally = {};
  try_others(first_seed(920000), wanted(48), steps_on_ranks, differences_on_ranks);
  threads_ran(2);
}
TEST_CASE("random sparse programs on ranks: all ranks in step and the reference agree") {
  tally = {};
  try_others(first_seed(930000), wanted(60), sparse_on_ranks, differences_on_ranks);
  threads_ran(12);
}
TEST_CASE("random sparse programs on ranks with other numbers for rows: ranks in step and the reference agree") {
  tally = {};
  try_others(first_seed(950000), wanted(20), by_parts, differences_on_ranks);
  threads_ran(12);
}
TEST_CASE("random walks on ranks: all ranks in step and the reference agree") {
  tally = {};
  try_others(first_seed(960000), wanted(48), generate_walks, differences_on_ranks);
  threads_ran(2);
  if (tally.on_threads >= 50) CHECK(4 * tally.through > tally.on_threads);
}
TEST_CASE("random pipelines on ranks: all ranks in step and the reference agree") {
  tally = {};
  try_others(first_seed(940000), wanted(48), generate_pipeline, differences_on_ranks);
  threads_ran(2);
}

}  // namespace
}  // namespace trellis::randomised
