// Kernels on ranks that MPI starts, beside the same by hand: slabs with a row of ghosts on each side, persistent
// requests, and the inside while messages travel. Both say how long their ranks took between two barriers.
#include <cstdio>
#include <fstream>
#include <memory>

#include "engine/distribute/cuts.hpp"
#include "engine/lang/parse.hpp"
#include "engine/run/backends.hpp"
#include "engine/run/cache.hpp"
#include "engine/run/on_mpi.hpp"
#include "engine/run/process.hpp"
#include "engine/session/running/compiled_ranks.hpp"
#include "tests/bench/contest.hpp"

namespace trellis::bench {
namespace {

constexpr int ranks = 2;

struct RankHeat {
  std::int64_t n;
  int steps;  ///< even: the last one writes the array itself
};

std::string program_of(const RankHeat& h) {
  return "param n = " + std::to_string(h.n) + "\nparam steps = " + std::to_string(h.steps) +
         "\ntensor u(n, n)\n"
         "u[t](i,j) = u[t-1](i,j) + 0.1 * (u[t-1](i-1,j) + u[t-1](i+1,j) + u[t-1](i,j-1) + u[t-1](i,j+1)"
         " - 4*u[t-1](i,j)) : 1 <= i < n-1, 1 <= j < n-1, t < steps\norder t i j\nvectorize j\nranks p\n"
         "distribute i over p\n";
}

/// N and STEPS are defined. Reads and writes the file `u`, prints milliseconds.
constexpr const char* by_hand_source = R"(#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double *restrict u[2];
static long low, high;
static void rows(const double *restrict a, double *restrict b, long from, long to) {
  for (long i = from; i < to; i++)
    for (long j = 1; j < N - 1; j++) {
      const long p = (i - low + 1) * N + j;
      b[p] = a[p] + 0.1 * (a[p - N] + a[p + N] + a[p - 1] + a[p + 1] - 4 * a[p]);
    }
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  low = N * (long)rank / ranks, high = N * (long)(rank + 1) / ranks;
  const size_t row = sizeof(double) * N, own = (size_t)(high - low) * row;
  for (int b = 0; b < 2; b++) u[b] = calloc((size_t)(high - low + 2), row);
  FILE *file = fopen(argv[1], "r+b");
  fseek(file, (long)row * low, SEEK_SET);
  if (fread(u[0] + N, 1, own, file) != own) return 1;
  memcpy(u[1] + N, u[0] + N, own);
  MPI_Request request[2][4];
  int count = 0;
  for (int b = 0; b < 2; b++) {
    count = 0;
    if (rank > 0) {
      MPI_Recv_init(u[b], N, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &request[b][count++]);
      MPI_Send_init(u[b] + N, N, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, &request[b][count++]);
    }
    if (rank + 1 < ranks) {
      MPI_Recv_init(u[b] + N * (high - low + 1), N, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, &request[b][count++]);
      MPI_Send_init(u[b] + N * (high - low), N, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &request[b][count++]);
    }
  }
  const long first = low > 1 ? low : 1, last = high < N - 1 ? high : N - 1;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int t = 0; t < STEPS; t++) {
    const int b = t % 2;
    MPI_Startall(count, request[b]);
    const long inner = rank > 0 ? first + 1 : first, outer = rank + 1 < ranks ? last - 1 : last;
    rows(u[b], u[1 - b], inner, outer);
    MPI_Waitall(count, request[b], MPI_STATUSES_IGNORE);
    rows(u[b], u[1 - b], first, inner);
    rows(u[b], u[1 - b], outer, last);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double ms = 1e3 * (MPI_Wtime() - start);
  fseek(file, (long)row * low, SEEK_SET);
  fwrite(u[0] + N, 1, own, file);
  fclose(file);
  if (rank == 0) printf("took %f ms\n", ms);
  MPI_Finalize();
  return 0;
}
)";

tensor::Tensor filled(const RankHeat& h) { return random_matrix(h.n, h.n, 1); }

/// What a run of ours needs.
struct Ours {
  run::Kernel kernel;
  run::RankJob job;
  std::shared_ptr<run::Bindings> written;
};

std::optional<Measured> ours(const RankHeat& h) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto file = lang::parse(sources, sources.add("heat", program_of(h)), diagnostics);
  const auto program = lang::resolve(file, diagnostics);
  if (!program) return std::nullopt;
  const Compilation whole = compile(*program, program->kernels.front(), diagnostics);
  const auto cuts =
      whole.distributed ? distribute::cut(*whole.distributed, {ranks}, {{"n", h.n}, {"steps", h.steps}}) : std::nullopt;
  const auto of_rank = cuts ? session::compiled_for_ranks(whole, diagnostics) : std::nullopt;
  if (!of_rank) return std::nullopt;
  const run::RankPlan plan = session::rank_plan(*whole.distributed, *of_rank);
  run::Bindings bindings;
  for (const std::string& size : plan.sizes) bindings.sizes[size] = cuts->sizes.at(size);
  bindings.arrays = {{"u", filled(h)}};
  auto made = run::compile(of_rank->module, run::Backend::native, {});
  auto* const kernel = std::get_if<run::Kernel>(&made);
  auto job = kernel ? run::rank_job(kernel->module(), plan, bindings, cuts->grid, cuts->places, false) : std::nullopt;
  if (!job) return std::nullopt;
  const auto held = std::make_shared<Ours>(
      Ours{std::move(*kernel), std::move(*job), std::make_shared<run::Bindings>(std::move(bindings))});
  const auto run = [held] {
    const run::MpiOutcome ran = run::execute_on_mpi(held->kernel, held->job, {.seconds = 120});
    if (!ran.ran.outcome.message.empty()) std::fprintf(stderr, "trellis: %s\n", ran.ran.outcome.message.c_str());
    return ran.ran.outcome.run_ms;
  };
  return Measured(run, held->written);
}

struct Hand {
  run::ScratchFolder folder;
  std::shared_ptr<run::Bindings> written = std::make_shared<run::Bindings>();

  std::string array() const { return folder.file("u"); }
  void* data() const { return written->arrays.at("u").array(-1, format::Array::values); }
};

std::optional<Measured> heat_with_mpi(const RankHeat& h) {
  const auto held = std::make_shared<Hand>();
  held->written->arrays = {{"u", filled(h)}};
  const std::size_t bytes = static_cast<std::size_t>(h.n * h.n) * sizeof(double);
  std::ofstream(held->folder.file("heat.c")) << by_hand_source;
  std::ofstream(held->array(), std::ios::binary)
      .write(static_cast<const char*>(held->data()), static_cast<std::streamsize>(bytes));
  const run::Finished compiled = run::run_program({run::mpi_compiler(), "-O3", "-march=native", "-falign-loops=64",
                                                   "-DN=" + std::to_string(h.n), "-DSTEPS=" + std::to_string(h.steps),
                                                   "-o", held->folder.file("heat"), held->folder.file("heat.c")});
  if (!compiled.succeeded()) return std::nullopt;
  const auto run = [held, bytes] {
    std::vector<std::string> command = run::mpi_command(held->folder.path(), ranks, 1);
    command.insert(command.end(), {held->folder.file("heat"), held->array()});
    const run::Finished ran = run::run_program(command, run::Wait(120), held->folder.path());
    const std::size_t told = ran.output.find("took ");
    if (only_once())
      std::ifstream(held->array(), std::ios::binary)
          .read(static_cast<char*>(held->data()), static_cast<std::streamsize>(bytes));
    return told == std::string::npos ? 0 : std::atof(ran.output.c_str() + told + 5);
  };
  return Measured(run, held->written);
}

}  // namespace

Table bench_ranks(const Options&) {
  if (run::in_path(run::mpi_compiler()).empty() || run::in_path(run::mpi_starter()).empty())
    return {"ranks", "SKIPPED: there is no mpicc or no mpiexec", {}};
  std::vector<std::optional<Row>> rows;
  for (const RankHeat& h : {RankHeat{sized(1024, 24), static_cast<int>(sized(400, 4))}}) {
    const std::string name = "heat, " + std::to_string(h.n) + " x " + std::to_string(h.n) + ", " +
                             std::to_string(h.steps) + " steps, 2 ranks";
    rows.push_back(contest(name, {"", ours(h)}, {"MPI by hand", heat_with_mpi(h)}, 9, 0.9));
  }
  Table table = table_of("ranks", std::move(rows));
  table.remark = "2 ranks over MPI, native, in turns, medians";
  return table;
}

}  // namespace trellis::bench
