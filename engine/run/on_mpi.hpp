#pragma once
// Ranks as processes that MPI starts: `mpiexec` of a program that the user's `mpicc` compiles (ranks/rank.c), which
// loads the native code of a kernel. Both are looked for when a run asks for them; the engine is built without.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/run/rank_job.hpp"

namespace trellis::run {

/// The sources of a rank, by name: rank.c and what it includes.
extern const std::vector<std::pair<std::string_view, std::string_view>> rank_files;

struct MpiOutcome {
  RanksOutcome ran;
  /// What has to be installed, or fits together badly; "": nothing.
  std::string missing, advice;
};

/// Where a program is that PATH has; "": nowhere.
std::string in_path(const std::string& program);

/// The user's compiler and starter of MPI: `mpicc` and `mpiexec`, or what MPICC and MPIEXEC name.
std::string mpi_compiler();
std::string mpi_starter();
/// Starts so many ranks with so many threads each, of the program whose name and arguments follow. Nothing of what they
/// share is left behind, whatever ends them: it lies in the folder.
std::vector<std::string> mpi_command(const std::string& folder, std::int64_t ranks, int threads);

/// `kernel` is native code. Everything lies in a folder of its own, which is removed: files of the arrays, what ranks
/// share, messages in memory. Results are in the job's arrays, if it ended well; else these are as they were.
MpiOutcome execute_on_mpi(const Kernel& kernel, const RankJob& job, const Limits& limits);

}  // namespace trellis::run
