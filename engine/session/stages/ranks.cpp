#include "engine/session/stages/ranks.hpp"

#include <algorithm>

#include "engine/distribute/print.hpp"
#include "engine/distribute/spmd.hpp"
#include "engine/session/running/compiled_ranks.hpp"
#include "engine/session/running/on_ranks.hpp"

namespace trellis::session {

std::string ranks_text(State& state, const Compilation& compilation, std::vector<std::int64_t> asked, text::Span at,
                       text::Diagnostics& diagnostics) {
  if (!compilation.distributed)
    return "# nothing is distributed: rank 0 computes all of " + compilation.kernel.name +
           "\n# as in: ranks p; distribute i over p\n";
  const distribute::Plan& plan = *compilation.distributed;
  if (asked.empty() && std::ranges::all_of(plan.grid, [](const auto& ranks) { return ranks.count > 0; }))
    for (const lang::RanksInfo& ranks : plan.grid) asked.push_back(ranks.count);
  if (asked.empty()) return distribute::print(plan, nullptr);
  const auto cuts = cuts_for(state, compilation, std::move(asked), at, diagnostics);
  return cuts ? distribute::print(plan, &*cuts) : "";
}

std::string c_of_rank(const Compilation& compilation, text::Diagnostics& diagnostics) {
  if (!compilation.distributed)
    return "# nothing is distributed: rank 0 computes all of " + compilation.kernel.name +
           "\n# as in: ranks p; distribute i over p\n";
  if (const std::string why = distribute::not_compiled(*compilation.distributed); !why.empty())
    return "# ranks run in step, by the interpreter of loops: " + why + "\n";
  const auto of_rank = compiled_for_ranks(compilation, diagnostics);
  return of_rank ? of_rank->module.shown.characters : "";
}

}  // namespace trellis::session
