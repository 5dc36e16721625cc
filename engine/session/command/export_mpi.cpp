#include "engine/session/command/export_mpi.hpp"

#include <algorithm>
#include <filesystem>

#include "engine/distribute/renumber.hpp"
#include "engine/distribute/spmd.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/run/on_mpi.hpp"
#include "engine/session/command/exported_files.hpp"
#include "engine/session/program/files.hpp"
#include "engine/session/running/compiled_ranks.hpp"
#include "engine/session/running/on_ranks.hpp"
#include "engine/session/running/ranks_cuts.hpp"
#include "engine/session/running/renumbered.hpp"
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
  const std::string why = compilation.distributed ? distribute::not_compiled(*compilation.distributed)
                                                  : "nothing of it is dealt out, as `distribute i over p` does";
  if (why.empty()) return true;
  diagnostics.error("E0651", at, "kernel " + compilation.kernel.name + " cannot be exported for MPI: " + why, "");
  return false;
}

/// How many ranks it is for: as was asked, or the program says; empty: any number. False where nobody says, and it has
/// to be said, which is reported.
bool say_how_many(const distribute::Plan& plan, std::vector<std::int64_t>& grid, const std::string& kernel,
                  text::Span at, text::Diagnostics& diagnostics) {
  if (grid.empty()) grid = ranks_of_program(plan);
  if (!grid.empty() || plan.renumbered.empty()) return true;
  diagnostics
      .error("E0651", at,
             "kernel " + kernel +
                 " cannot be exported for any number of ranks: rows are numbered by parts, which are other ones for "
                 "each of them",
             "")
      .notes.push_back({{}, "say how many there will be, as in `export mpi 4 \"folder\"`"});
  return false;
}

/// Flat arrays whose rows have other numbers on ranks, while their files keep the user's: by number in the job.
std::vector<run::OtherPlaces> other_places(const run::RankJob& job, const Prepared& prepared,
                                           const distribute::Cuts& cuts) {
  const Compilation& compilation = *prepared.compilation;
  std::vector<run::OtherPlaces> made;
  for (std::size_t k = 0; k < job.arrays.size() && !cuts.numberings.empty(); ++k) {
    const lang::TensorInfo* const info = compilation.program.tensor(job.arrays[k].tensor);
    if (!info || job.arrays[k].level >= 0 || !info->format.all_dense()) continue;
    const auto bound = prepared.bindings.arrays.find(info->name);  // unless ranks alone take it
    const tensor::Index& shape =
        (bound == prepared.bindings.arrays.end() ? prepared.before.tensors.at(info->name) : bound->second).shape();
    const auto numbers = distribute::numbers_along(*compilation.distributed, cuts, *info, distribute::Into::user);
    run::OtherPlaces one{k, {}};
    for (std::size_t level = 0; level < shape.size(); ++level) {
      const std::size_t d = format::dimension_of(info->format, level);
      one.levels.push_back({shape[d], numbers[d]});
    }
    if (std::ranges::any_of(one.levels, [](const auto& level) { return level.numbers != nullptr; }))
      made.push_back(std::move(one));
  }
  return made;
}

/// A job, and what has its arrays besides the session.
struct ToExport {
  run::RankJob job;
  Prepared on_ranks;
};

/// What ranks run on, with files in the user's numbers where ranks can tell. Empty is reported, or memory is refused.
std::optional<ToExport> job_to_export(const Prepared& prepared, const Compilation& of_rank,
                                      const distribute::Cuts& cuts, text::Span at, text::Diagnostics& diagnostics,
                                      Exit& exit) {
  auto on_ranks = in_numbers_of_ranks(prepared, cuts, at, diagnostics, exit);
  auto job = on_ranks ? job_of_ranks(*on_ranks, of_rank, cuts) : std::nullopt;
  if (!job) return std::nullopt;
  if (cuts.numberings.empty()) return ToExport{std::move(*job), std::move(*on_ranks)};
  for (const run::RankJob::Array& array : job->arrays)
    if (array.result == run::RankJob::Result::sparse) {
      diagnostics.error("E0651", at,
                        "kernel " + prepared.compilation->kernel.name + " cannot be exported for MPI: " + array.tensor +
                            " has a sparse format, and its rows are numbered by parts",
                        "");
      return std::nullopt;
    }
  const auto as_user = job_of_ranks(prepared, of_rank, cuts);
  if (!as_user) return std::nullopt;
  const std::vector<run::OtherPlaces> places = other_places(*job, prepared, cuts);
  for (const run::OtherPlaces& one : places) job->arrays[one.array] = as_user->arrays[one.array];
  run::keep_numbers_of_files(*job, places);
  return ToExport{std::move(*job), std::move(*on_ranks)};
}

/// `4` in place of the number of ranks that is written.
std::string for_ranks(std::string_view text, std::int64_t ranks) {
  std::string made(text);
  for (const std::string before : {"mpiexec -n ", "--ntasks="})
    if (const std::size_t at = made.find(before + "4"); at != std::string::npos)
      made.replace(at + before.size(), 1, std::to_string(ranks));
  return made;
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
  bool sound = true;
  auto asked = ranks_word(words, sound);
  const auto kernel_name = sound ? words.optional_name() : std::nullopt;
  if (sound && !asked) asked = ranks_word(words, sound);
  if (!sound) return {};
  const auto name = words.string("a folder in quotes");
  if (!name || !words.finish()) return {};
  const auto allowed = path_of(state, *name, words.diagnostics());
  const lang::Kernel* kernel = allowed ? state.kernel(kernel_name, words.whole(), words.diagnostics()) : nullptr;
  CommandResult result;
  const auto prepared =
      kernel ? prepare(state, *kernel, words.whole(), words.diagnostics(), result.exit) : std::nullopt;
  if (!prepared || !has_ranks(*prepared->compilation, words.whole(), words.diagnostics())) return result;
  const distribute::Plan& plan = *prepared->compilation->distributed;
  std::vector<std::int64_t> grid = asked.value_or(std::vector<std::int64_t>{});
  if (!say_how_many(plan, grid, kernel->name, words.whole(), words.diagnostics())) return result;
  const bool any_number = grid.empty();
  if (any_number) grid.assign(plan.grid.size(), 1);
  const auto cuts = cuts_for(state, *prepared->compilation, grid, words.whole(), words.diagnostics());
  const auto of_rank = cuts ? compiled_for_ranks(state, prepared->compilation, words.diagnostics()) : nullptr;
  auto exported = of_rank ? job_to_export(*prepared, *of_rank, *cuts, words.whole(), words.diagnostics(), result.exit)
                          : std::nullopt;
  if (!exported) return result;
  run::RankJob& job = exported->job;
  if (any_number) job.ranks = 0;
  const std::int64_t ranks = any_number ? 4 : job.ranks;
  const std::filesystem::path folder(*allowed);
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const auto in_folder = [&](std::string_view file) { return (folder / file).string(); };
  std::vector<ExportedFile> files{{in_folder("kernel.c"), of_rank->module.source},
                                  {in_folder("Makefile"), for_ranks(makefile, ranks)},
                                  {in_folder("job.sh"), for_ranks(slurm, ranks)},
                                  {in_folder("job"), bytes_of(run::numbers_of(job))}};
  for (const auto& [file, text] : run::rank_files) files.push_back({in_folder(file), std::string(text)});
  std::string names = "kernel.so\n" + of_rank->module.entry + "\n";
  for (const run::RankJob::Array& array : job.arrays) {
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
  result.result = Exported{
      "mpi", kernel->name, written, "",
      "make -C " + shell_folder + " && cd " + shell_folder + " && mpiexec -n " + std::to_string(ranks) + " ./rank"};
  return result;
}

}  // namespace trellis::session
