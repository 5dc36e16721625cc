#pragma once
// A kernel on several ranks, compiled: each rank is a thread of one child, or a process that MPI starts.

#include "engine/distribute/cuts.hpp"
#include "engine/run/rank_job.hpp"
#include "engine/session/running/execution.hpp"

namespace trellis::session {

/// What all runs of a plan share.
run::RankPlan rank_plan(const distribute::Plan& plan, const Compilation& of_rank);

/// The kernel of each rank; empty is reported.
std::optional<Compilation> compiled_for_ranks(const Compilation& compilation, text::Diagnostics& diagnostics);
/// The same, once for each compilation. Null is reported.
std::shared_ptr<const Compilation> compiled_for_ranks(State& state, const std::shared_ptr<const Compilation>& whole,
                                                      text::Diagnostics& diagnostics);

/// Why ranks are run in step where they are cut so: what depends on the plan alone, or sizes without values of their
/// own; "": they are compiled.
std::string not_compiled(const distribute::Plan& plan, const distribute::Cuts& cuts);

/// Its arguments where it is cut so, on what was prepared. Empty when memory is refused.
std::optional<run::RankJob> job_of_ranks(const Prepared& prepared, const Compilation& of_rank,
                                         const distribute::Cuts& cuts);

struct RanPart {
  run::RanksOutcome how;
  double compile_ms = 0;
};

/// Results are in the bindings of what was prepared. Empty, with `exit`, is reported, by what the kernel found as the
/// user numbers it.
std::optional<RanPart> run_compiled_ranks(State& state, const Prepared& prepared, const check::State& found,
                                          const distribute::Cuts& cuts, run::Backend backend, const run::Limits& limits,
                                          text::Diagnostics& diagnostics, Exit& exit);

/// The same on processes, with native code; E0650 where there is no MPI.
std::optional<RanPart> run_ranks_by_mpi(State& state, const Prepared& prepared, const check::State& found,
                                        const distribute::Cuts& cuts, const run::Limits& limits, text::Span at,
                                        text::Diagnostics& diagnostics, Exit& exit);

}  // namespace trellis::session
