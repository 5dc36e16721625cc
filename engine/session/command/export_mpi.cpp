#include "engine/session/command/export_mpi.hpp"

#include <filesystem>

#include "engine/distribute/spmd.hpp"
#include "engine/run/on_mpi.hpp"
#include "engine/session/command/exported_files.hpp"
#include "engine/session/program/files.hpp"
#include "engine/session/running/compiled_ranks.hpp"
#include "engine/session/running/ranks_cuts.hpp"
#include "engine/text/glyphs.hpp"

namespace trellis::session {
namespace {

constexpr std::string_view makefile =
    R"(# Written by Trellis. `make`, then `mpiexec -n 4 ./rank` here: it reads and overwrites the files named in `kernel`.
MPICC ?= mpicc
CFLAGS ?= -O3 -march=native

all: rank kernel.so

rank: rank.c trellis_ranks.h sections.h arithmetic.h lanes.h calls.h collectives.h job.h entries.h paths.h files.h
	$(MPICC) -std=c99 -O2 rank.c -o $@ -ldl -lm

kernel.so: kernel.c
	$(CC) -std=c99 -fwrapv $(CFLAGS) -fopenmp -shared -fPIC kernel.c -o $@ -lm

clean:
	rm -f rank kernel.so

.PHONY: all clean
)";

constexpr std::string_view slurm =
    R"(#!/bin/sh
# Written by Trellis, for Slurm: `sbatch job.sh`.
#SBATCH --ntasks=4
#SBATCH --time=00:10:00
cd "${SLURM_SUBMIT_DIR:-.}" || exit 1
exec srun ./rank
)";

std::string bytes_of(const std::vector<std::int64_t>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int64_t)};
}

/// False when the kernel has no ranks to export, which is reported.
bool has_ranks(const Compilation& compilation, text::Span at, text::Diagnostics& diagnostics) {
  const std::string why = !compilation.distributed ? "nothing of it is dealt out, as `distribute i over p` does"
                          : !compilation.distributed->renumbered.empty()
                              ? "rows are numbered by parts, which are other ones for each number of ranks"
                              : distribute::not_compiled(*compilation.distributed);
  if (why.empty()) return true;
  diagnostics.error("E0651", at, "kernel " + compilation.kernel.name + " cannot be exported for MPI: " + why, "");
  return false;
}

/// The file that holds the array under a name of its own; "": there is none.
std::string file_that_stays(const run::RankJob::Array& array) {
  if (!array.place) return "";
  std::error_code problem;
  const std::filesystem::path named = std::filesystem::read_symlink(array.place->path, problem);
  if (problem || !std::filesystem::equivalent(named, array.place->path, problem)) return "";
  return named.string();
}

}  // namespace

CommandResult export_mpi(State& state, Words& words) {
  const auto kernel_name = words.optional_name();
  const auto name = words.string("a folder in quotes");
  if (!name || !words.finish()) return {};
  const auto allowed = path_of(state, *name, words.diagnostics());
  const lang::Kernel* kernel = allowed ? state.kernel(kernel_name, words.whole(), words.diagnostics()) : nullptr;
  CommandResult result;
  const auto prepared =
      kernel ? prepare(state, *kernel, words.whole(), words.diagnostics(), result.exit) : std::nullopt;
  if (!prepared || !has_ranks(*prepared->compilation, words.whole(), words.diagnostics())) return result;
  const distribute::Plan& plan = *prepared->compilation->distributed;
  const auto cuts = cuts_for(state, *prepared->compilation, std::vector<std::int64_t>(plan.grid.size(), 1),
                             words.whole(), words.diagnostics());
  const auto of_rank = cuts ? compiled_for_ranks(*prepared->compilation, words.diagnostics()) : std::nullopt;
  auto job = of_rank ? job_of_ranks(*prepared, *of_rank, *cuts) : std::nullopt;
  if (!job) return result;
  job->ranks = 0;
  const std::filesystem::path folder(*allowed);
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const auto in_folder = [&](std::string_view file) { return (folder / file).string(); };
  std::vector<ExportedFile> files{{in_folder("kernel.c"), of_rank->module.source},
                                  {in_folder("Makefile"), std::string(makefile)},
                                  {in_folder("job.sh"), std::string(slurm)},
                                  {in_folder("job"), bytes_of(run::numbers_of(*job))}};
  for (const auto& [file, text] : run::rank_files) files.push_back({in_folder(file), std::string(text)});
  std::string names = "kernel.so\n" + of_rank->module.entry + "\n";
  for (const run::RankJob::Array& array : job->arrays) {
    const std::string there = array.result == run::RankJob::Result::none ? file_that_stays(array) : "";
    if (!there.empty()) {
      names += std::to_string(array.place->begin) + " " + there + "\n";
      continue;
    }
    names += "0 " + array.file + "\n";
    files.push_back({in_folder(array.file), {static_cast<const char*>(array.data), array.held}});
  }
  files.push_back({in_folder("kernel"), names});
  if (!write_all(files, *name, words.diagnostics())) return result;
  std::vector<std::string> written;
  for (const ExportedFile& file : files) written.push_back(file.path);
  const std::string shell_folder = text::shell_word(folder.string());
  result.result = Exported{"mpi", kernel->name, written, "",
                           "make -C " + shell_folder + " && cd " + shell_folder + " && mpiexec -n 4 ./rank"};
  return result;
}

}  // namespace trellis::session
