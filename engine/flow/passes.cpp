#include "engine/flow/passes.hpp"

#include <cassert>

#include "engine/flow/ask_in_blocks.hpp"
#include "engine/flow/carry_positions.hpp"
#include "engine/flow/close_rows.hpp"
#include "engine/flow/count_appends.hpp"
#include "engine/flow/early_exit.hpp"
#include "engine/flow/fetch_ahead.hpp"
#include "engine/flow/forward_appends.hpp"
#include "engine/flow/join_look_ups.hpp"
#include "engine/flow/keep_readable.hpp"
#include "engine/flow/known_ends.hpp"
#include "engine/flow/leave_guarded.hpp"
#include "engine/flow/leave_unsorted.hpp"
#include "engine/flow/march.hpp"
#include "engine/flow/promote_accumulators.hpp"
#include "engine/flow/run_in_vectors.hpp"
#include "engine/flow/share_updates.hpp"
#include "engine/flow/stream_entries.hpp"
#include "engine/flow/sum_in_lanes.hpp"
#include "engine/flow/unroll_walks.hpp"
#include "engine/text/cancel.hpp"

namespace trellis::flow {

namespace {

struct Pass {
  const char* name;
  std::optional<Flow> (*run)(const Flow&, const lang::Kernel&, text::Diagnostics&);
};

template <Flow (*change)(const Flow&)>
constexpr auto always =
    [](const Flow& flow, const lang::Kernel&, text::Diagnostics&) { return std::optional(change(flow)); };

const Pass passes[] = {
    {"known_ends", always<known_ends>},
    {"forward_appends", always<forward_appends>},
    {"join_look_ups", always<join_look_ups>},
    {"promote_accumulators", always<promote_accumulators>},
    {"sum_in_lanes", always<sum_in_lanes>},
    {"march", march_as_scheduled},
    {"count_appends", count_parallel_appends},
    {"share_updates", always<share_updates>},
    {"close_rows", always<close_rows>},
    {"keep_readable", always<keep_readable>},
    {"leave_unsorted", always<leave_unsorted>},
    {"leave_guarded", always<leave_guarded>},
    {"leave_early", always<leave_early>},
    {"ask_in_blocks", always<ask_in_blocks>},
    {"carry_positions", always<carry_positions>},
    {"stream_entries", always<stream_entries>},
    {"unroll_walks", always<unroll_walks>},
    {"fetch_ahead", always<fetch_ahead>},
    {"run_in_vectors", always<run_in_vectors>},
};

}  // namespace

std::optional<Flow> apply_passes(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  std::optional<Flow> current = flow;
  for (const Pass& pass : passes) {
    text::stop_if_cancelled();
    current = pass.run(*current, kernel, diagnostics);
    if (!current) return std::nullopt;
    assert(verify(*current).empty() && pass.name);
  }
  return current;
}

}  // namespace trellis::flow
