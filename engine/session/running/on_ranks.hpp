#pragma once
// A kernel on several ranks: how many there are, where they are cut, and a run of all of them in step.

#include <vector>

#include "engine/distribute/cuts.hpp"
#include "engine/session/command/commands.hpp"

namespace trellis::session {

/// `4`, `2x3`: how many ranks, by dimension of their grid. Empty when the next word is no number; `sound` is false
/// where it is one that cannot be (E0601).
std::optional<std::vector<std::int64_t>> ranks_word(Words& words, bool& sound);

/// Tensors that each rank has whole, with the bytes that they take; "" when there are none.
std::string whole_tensors(const State& state, const distribute::Plan& plan);

/// How a run on ranks was asked for.
struct RanksAsked {
  std::vector<std::int64_t> grid;
  /// As threads of a child; by the interpreter of loops, all of them in step; as processes that MPI starts.
  enum class How { threads, in_step, mpi } how = How::threads;
};

/// Runs the kernel on so many ranks, compiled where its plan allows it (distribute::not_compiled), else, which is said,
/// in step. A kernel that is not distributed is left to rank 0, which is said as well (N0209). Empty is reported.
std::optional<Ran::Kernel> run_on_ranks(State& state, const lang::Kernel& kernel, const RanksAsked& asked,
                                        run::Backend backend, const run::Limits& limits, text::Span at,
                                        text::Diagnostics& diagnostics, Exit& exit);

}  // namespace trellis::session
