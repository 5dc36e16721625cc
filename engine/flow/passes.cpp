#include "engine/flow/passes.hpp"

#include <algorithm>

#include "engine/flow/ask_in_blocks.hpp"
#include "engine/flow/assert_verified.hpp"
#include "engine/flow/by_supernodes.hpp"
#include "engine/flow/carry_positions.hpp"
#include "engine/flow/carry_segments.hpp"
#include "engine/flow/carry_values.hpp"
#include "engine/flow/clear_where_read.hpp"
#include "engine/flow/close_rows.hpp"
#include "engine/flow/count_appends.hpp"
#include "engine/flow/fetch_ahead.hpp"
#include "engine/flow/forward_appends.hpp"
#include "engine/flow/fuse_products.hpp"
#include "engine/flow/hoist_conditions.hpp"
#include "engine/flow/hold_in_registers.hpp"
#include "engine/flow/hold_panels.hpp"
#include "engine/flow/join_look_ups.hpp"
#include "engine/flow/keep_readable.hpp"
#include "engine/flow/keep_values.hpp"
#include "engine/flow/known_ends.hpp"
#include "engine/flow/leave_early.hpp"
#include "engine/flow/leave_guarded.hpp"
#include "engine/flow/leave_unsorted.hpp"
#include "engine/flow/list_entries.hpp"
#include "engine/flow/map_positions.hpp"
#include "engine/flow/march.hpp"
#include "engine/flow/meet_bounds.hpp"
#include "engine/flow/merge_paths.hpp"
#include "engine/flow/name_remainders.hpp"
#include "engine/flow/promote_accumulators.hpp"
#include "engine/flow/run_in_vectors.hpp"
#include "engine/flow/share_bounds.hpp"
#include "engine/flow/share_positions.hpp"
#include "engine/flow/share_updates.hpp"
#include "engine/flow/stream_entries.hpp"
#include "engine/flow/sum_in_lanes.hpp"
#include "engine/flow/tabulate_fibers.hpp"
#include "engine/flow/unroll_and_jam.hpp"
#include "engine/flow/unroll_walks.hpp"
#include "engine/flow/update_in_pairs.hpp"
#include "engine/flow/wait_in_lists.hpp"
#include "engine/flow/whole_blocks.hpp"
#include "engine/flow/whole_sides.hpp"
#include "engine/text/cancel.hpp"

namespace trellis::flow {

namespace {

struct Pass {
  const char* name;
  std::optional<Flow> (*run)(const Flow&, const lang::Kernel&, text::Diagnostics&);
  const char* reason;
};

template <Flow (*change)(const Flow&)>
constexpr auto always =
    [](const Flow& flow, const lang::Kernel&, text::Diagnostics&) { return std::optional(change(flow)); };

// In their order, each with what it does, as `show flow each` says it. A product of a csr matrix with a vector is
// changed by those with a *.
const Pass passes[] = {
    // What is looked up, and how often.
    {"share_positions", always<share_positions>, "nothing is sought that a loop stands at, or that was found around"},
    {"known_ends", always<known_ends>, "no fiber is searched for the end of a loop that is known, or does not matter"},
    {"forward_appends", always<forward_appends>, "what was appended just now is not looked up"},
    {"join_look_ups", always<join_look_ups>, "statements side by side share a look-up"},
    {"hoist_conditions", always<hoist_conditions>, "what no iteration changes is asked once, before the loop"},
    {"by_supernodes", by_supernodes, "columns with like rows are panels, as the schedule says"},
    {"unroll_and_jam", unroll_and_jam, "several iterations run at once in the loops inside, as the schedule says"},
    {"hold_in_registers", hold_in_registers, "a tile is a local array while a loop adds to it, as the schedule says"},
    {"hold_panels", always<hold_panels>, "a panel is a local array while its rows are solved, one after the other"},
    {"whole_sides", always<whole_sides>, "what no register holds of a tile goes in vectors where its sides are whole"},
    {"whole_blocks", always<whole_blocks>, "loops over blocks that no edge clips have a known length"},
    // What is accumulated, and where: lanes are those of local variables.
    {"promote_accumulators", always<promote_accumulators>,
     "elements become local variables while loops add to them"},  // *
    {"sum_in_lanes", always<sum_in_lanes>, "floating sums are added up in several parts"},
    {"carry_values", always<carry_values>, "values go on from iteration to iteration in local variables"},
    {"clear_where_read", always<clear_where_read>, "a workspace is cleared at those elements alone that are read"},
    // What is found once, or by pointers, and what is read at one place.
    {"meet_bounds", always<meet_bounds>, "one look-up is the end of a loop and the begin of the next"},
    {"march", march_as_scheduled, "look-ups go on from where the one before ended, as the schedule says"},
    {"tabulate_fibers", always<tabulate_fibers>, "a fiber that stays the same in a loop is a table, not merged with"},
    {"map_positions", always<map_positions>, "what is walked again and again is not searched for across storage"},
    {"march_where_it_wins", always<march_where_it_wins>, "look-ups that rise go on from where the one before ended"},
    {"share_bounds", always<share_bounds>, "loops begin and end where look-ups around have been"},
    {"keep_values", always<keep_values>, "what the innermost loop of a thread reads at one place is read before it"},
    {"wait_in_lists", always<wait_in_lists>, "columns wait in lists for the rows that store them"},
    // Who writes what at the same time, and how results grow: not before it is settled which elements are written.
    {"count_appends", count_parallel_appends, "threads count what they append before they append it"},
    {"share_updates", always<share_updates>, "threads have parts of what they update together, or update atomically"},
    {"check_merge_paths", check_merge_paths,
     "threads get as many entries each, whatever the rows, as the schedule says"},
    {"close_rows", always<close_rows>, "the end of an iteration is that of a row of the result"},
    {"keep_readable", always<keep_readable>,
     "a result that is read meanwhile has fibers that end where they do so far"},
    {"list_entries", always<list_entries>,
     "what is only added up in a workspace is listed, and put in order in the end, as the schedule says"},
    {"leave_unsorted", always<leave_unsorted>, "entries that are only counted come in any order"},
    // When loops are over.
    {"leave_guarded", always<leave_guarded>, "loops end when the condition that guards all they do cannot hold again"},
    {"leave_early", always<leave_early>, "loops end when nothing can change what they accumulate"},
    {"ask_in_blocks", always<ask_in_blocks>, "whether a loop is over is asked once for several iterations"},
    // How walks go on: of carried ones alone is it known what comes next, and none is left early.
    {"carry_positions", always<carry_positions>, "the next row begins where this one ends"},              // *
    {"stream_entries", always<stream_entries>, "entries come from memory before they are needed"},        // *
    {"unroll_walks", always<unroll_walks>, "two entries an iteration, where the processor gains by it"},  // *
    {"fetch_ahead", always<fetch_ahead>, "rows that entries choose come from memory before they are needed"},
    {"carry_segments", always<carry_segments>, "all entries of a coordinate are walked in one go"},
    {"update_in_pairs", always<update_in_pairs>,
     "two entries that update elements apart are read before either is written"},
    {"run_in_vectors", always<run_in_vectors>, "loops wanted in vectors whose iterations meet run one after the other"},
    {"fuse_products", fuse_products, "products are not rounded before they are added to a sum, as the schedule says"},
    {"name_remainders", always<name_remainders>,
     "in which buffer a step is is computed before a loop in vectors, not in it"},
};

bool changed(const Flow& before, const Flow& after) {
  const auto listed = [](const Tensor& a, const Tensor& b) { return a.listed == b.listed; };
  return !before.root.same(after.root) || !std::ranges::equal(before.tensors, after.tensors, listed) ||
         !std::ranges::equal(before.functions, after.functions, [](const Function& a, const Function& b) {
           return a.body.same(b.body) && a.result.same(b.result);
         });
}

/// What the pass leaves, each node with a number of its own.
std::optional<Flow> run(const Pass& pass, const Flow& flow, const lang::Kernel& kernel,
                        text::Diagnostics& diagnostics) {
  text::stop_if_cancelled();
  std::optional<Flow> after = pass.run(flow, kernel, diagnostics);
  if (after && changed(flow, *after)) after = number(*after);
  if (after) assert_verified(*after);
  return after;
}

}  // namespace

std::optional<Flow> apply_passes(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  std::optional<Flow> current = flow;
  for (const Pass& pass : passes)
    if (current) current = run(pass, *current, kernel, diagnostics);
  return current;
}

const std::vector<PassName>& pass_names() {
  static const std::vector<PassName> names = [] {
    std::vector<PassName> all;
    for (const Pass& pass : passes) all.push_back({pass.name, pass.reason});
    return all;
  }();
  return names;
}

std::optional<Flow> apply_pass(const std::string& name, const Flow& flow, const lang::Kernel& kernel,
                               text::Diagnostics& diagnostics) {
  for (const Pass& pass : passes)
    if (name == pass.name) return run(pass, flow, kernel, diagnostics);
  return std::nullopt;
}

std::vector<Flow> after_each_pass(const Flow& flow, const lang::Kernel& kernel) {
  text::Diagnostics diagnostics;
  std::vector<Flow> all;
  for (const Pass& pass : passes) {
    auto after = run(pass, all.empty() ? flow : all.back(), kernel, diagnostics);
    if (!after) break;
    all.push_back(std::move(*after));
  }
  return all;
}

}  // namespace trellis::flow
