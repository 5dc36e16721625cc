#include "engine/session/stages/ranks.hpp"

#include <algorithm>

#include "engine/distribute/print.hpp"
#include "engine/distribute/spmd.hpp"
#include "engine/session/running/compiled_ranks.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/ranks_cuts.hpp"

namespace trellis::session {
namespace {

std::string nothing_distributed(const Compilation& compilation) {
  return "# nothing is distributed: rank 0 computes all of " + compilation.kernel.name +
         "\n# as in: ranks p; distribute i over p\n";
}

}  // namespace

std::vector<std::int64_t> ranks_to_show(const State& state, const Compilation& compilation) {
  const distribute::Plan& plan = *compilation.distributed;
  std::vector<std::int64_t> grid = ranks_of_program(plan);
  const auto lanes = last_lanes(state, compilation);
  if (grid.empty() && lanes) grid = lanes->grid;
  if (grid.size() == plan.grid.size()) return grid;
  return plan.grid.size() == 1 ? std::vector<std::int64_t>{4} : std::vector<std::int64_t>(plan.grid.size(), 2);
}

std::shared_ptr<const view::RankLanes> last_lanes(const State& state, const Compilation& compilation) {
  const FinishedRun* run = state.finished(compilation.kernel);
  return run ? run->took.lanes : nullptr;
}

distribute::Network network_of(const State& state) {
  const cost::Machine& machine = state.options.machine;
  return {1e-6 * machine.latency, 1e9 * machine.bandwidth};
}

view::RanksPicture ranks_picture(const State& state, const Compilation& compilation, const distribute::Cuts& cuts,
                                 const distribute::Network& network,
                                 const std::shared_ptr<const view::RankLanes>& lanes) {
  view::RanksPicture picture = view::ranks_picture(*compilation.distributed, cuts);
  const double seconds = estimated_cycles(state, compilation, 1) / (state.options.machine.per_nanosecond * 1e9);
  picture.forecast = distribute::forecast(*compilation.distributed, cuts, seconds, network);
  picture.network = network;
  if (lanes && lanes->grid == cuts.grid) picture.lanes = lanes;
  return picture;
}

std::string ranks_text(State& state, const std::shared_ptr<const Compilation>& compiled, RanksWanted asked,
                       text::Span at, text::Diagnostics& diagnostics,
                       std::shared_ptr<const view::RanksPicture>& picture) {
  const Compilation& compilation = *compiled;
  if (!compilation.distributed) return nothing_distributed(compilation);
  const distribute::Plan& plan = *compilation.distributed;
  if (asked.grid.empty()) asked.grid = ranks_of_program(plan);
  if (asked.grid.empty()) return distribute::print(plan, nullptr);
  const auto cuts = cuts_to_show(state, compiled, std::move(asked.grid), at, diagnostics);
  if (!cuts) return "";
  picture = std::make_shared<const view::RanksPicture>(
      ranks_picture(state, compilation, *cuts, asked.network, last_lanes(state, compilation)));
  return distribute::print(plan, &*cuts) + view::to_string(*picture);
}

std::string c_of_rank(const Compilation& compilation, text::Diagnostics& diagnostics) {
  if (!compilation.distributed) return nothing_distributed(compilation);
  if (const std::string why = distribute::not_compiled(*compilation.distributed); !why.empty())
    return "# ranks run in step, by the interpreter of loops: " + why + "\n";
  const auto of_rank = compiled_for_ranks(compilation, diagnostics);
  return of_rank ? of_rank->module.shown.characters : "";
}

}  // namespace trellis::session
