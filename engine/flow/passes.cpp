#include "engine/flow/passes.hpp"

#include <cassert>

#include "engine/flow/ask_in_blocks.hpp"
#include "engine/flow/carry_positions.hpp"
#include "engine/flow/carry_segments.hpp"
#include "engine/flow/carry_values.hpp"
#include "engine/flow/close_rows.hpp"
#include "engine/flow/count_appends.hpp"
#include "engine/flow/deal_out.hpp"
#include "engine/flow/early_exit.hpp"
#include "engine/flow/fetch_ahead.hpp"
#include "engine/flow/forward_appends.hpp"
#include "engine/flow/jam_loops.hpp"
#include "engine/flow/join_look_ups.hpp"
#include "engine/flow/keep_readable.hpp"
#include "engine/flow/keep_values.hpp"
#include "engine/flow/known_ends.hpp"
#include "engine/flow/leave_guarded.hpp"
#include "engine/flow/leave_unsorted.hpp"
#include "engine/flow/map_positions.hpp"
#include "engine/flow/march.hpp"
#include "engine/flow/meet_bounds.hpp"
#include "engine/flow/promote_accumulators.hpp"
#include "engine/flow/run_in_vectors.hpp"
#include "engine/flow/share_bounds.hpp"
#include "engine/flow/share_positions.hpp"
#include "engine/flow/share_updates.hpp"
#include "engine/flow/stream_entries.hpp"
#include "engine/flow/sum_in_lanes.hpp"
#include "engine/flow/tabulate_fibers.hpp"
#include "engine/flow/unroll_walks.hpp"
#include "engine/flow/update_in_pairs.hpp"
#include "engine/flow/wait_in_lists.hpp"
#include "engine/flow/whole_blocks.hpp"
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

// Each row with what it does, and why it stands where it does. A product of a csr matrix with a vector is changed by
// those with a *.
const Pass passes[] = {
    // What is looked up, and how often.
    {"share_positions", always<share_positions>},  // no search for what a loop is at, or was found around
    {"known_ends", always<known_ends>},            // no search for ends that are known
    {"forward_appends", always<forward_appends>},  // no look-up of what was appended just now
    {"join_look_ups", always<join_look_ups>},      // one for statements side by side
    {"jam_loops", jam_loops},                      // several rounds at once, in the loops inside
    {"whole_blocks", always<whole_blocks>},        // blocks that no edge clips have known sizes
    // What is accumulated, and where: lanes are those of local variables.
    {"promote_accumulators", always<promote_accumulators>},  // * elements become local variables
    {"sum_in_lanes", always<sum_in_lanes>},
    {"carry_values", always<carry_values>},  // from round to round
    {"meet_bounds", always<meet_bounds>},    // one look-up for the end of a loop and the begin of the next
    {"march", march_as_scheduled},
    {"tabulate_fibers", always<tabulate_fibers>},  // no merge with a fiber that stays the same in a loop
    {"map_positions", always<map_positions>},      // no search across storage for what is walked again and again
    {"march_where_it_wins", always<march_where_it_wins>},
    {"share_bounds", always<share_bounds>},    // loops begin and end where look-ups around have been
    {"keep_values", always<keep_values>},      // on threads, where the C compiler does not see that they stay
    {"wait_in_lists", always<wait_in_lists>},  // columns by what rows store
    // Who writes what at the same time, and how results grow: not before it is settled which elements are written.
    {"count_appends", count_parallel_appends},
    {"share_updates", always<share_updates>},
    {"check_dealt", check_dealt},  // entries that threads get evenly, whatever the rows
    {"close_rows", always<close_rows>},
    {"keep_readable", always<keep_readable>},
    {"leave_unsorted", always<leave_unsorted>},
    // When loops are over.
    {"leave_guarded", always<leave_guarded>},
    {"leave_early", always<leave_early>},
    {"ask_in_blocks", always<ask_in_blocks>},  // of those two
    // How walks go on: of carried ones alone is it known what comes next, and none is left early.
    {"carry_positions", always<carry_positions>},  // * the next row begins where this one ends
    {"stream_entries", always<stream_entries>},    // * entries come from memory ahead of time
    {"unroll_walks", always<unroll_walks>},        // * two entries a round
    {"fetch_ahead", always<fetch_ahead>},
    {"carry_segments", always<carry_segments>},    // all of a coordinate's entries in one go
    {"update_in_pairs", always<update_in_pairs>},  // two entries a round that update elements of their own
    {"run_in_vectors", always<run_in_vectors>},    // what all the others have left simple enough
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
