#include "tests/bench/network.hpp"

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "engine/run/cache.hpp"
#include "engine/run/on_mpi.hpp"
#include "engine/run/process.hpp"
#include "tests/bench/contest.hpp"

namespace trellis::bench {
namespace {

/// There and back: half of the least time, of so many bytes. What others do on the machine only makes it longer.
constexpr const char* there_and_back = R"(#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double seconds(char *bytes, int count, int turns) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double least = 1e9;
  for (int turn = 0; turn < turns; turn++) {
    const double start = MPI_Wtime();
    for (int part = 0; part < 2; part++)
      if (part == rank) MPI_Send(bytes, count, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
      else MPI_Recv(bytes, count, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double took = (MPI_Wtime() - start) / 2;
    if (took < least) least = took;
  }
  return least;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int many = 8 << 20;
  char *bytes = calloc(many, 1);
  const double few = seconds(bytes, 8, TURNS), most = seconds(bytes, many, TURNS / 100 + 2);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("took %g %g\n", 1e6 * few, 1e-9 * many / most);
  free(bytes);
  MPI_Finalize();
  return 0;
}
)";

}  // namespace

std::optional<Messages> measured_messages() {
  if (run::in_path(run::mpi_compiler()).empty() || run::in_path(run::mpi_starter()).empty()) return std::nullopt;
  const run::ScratchFolder folder;
  std::ofstream(folder.file("messages.c")) << there_and_back;
  const std::string turns = "-DTURNS=" + std::to_string(only_once() ? 10 : 5000);
  const run::Finished compiled =
      run::run_program({run::mpi_compiler(), "-O2", turns, "-o", folder.file("messages"), folder.file("messages.c")});
  if (!compiled.succeeded()) return std::nullopt;
  std::vector<std::string> command = run::mpi_command(folder.path(), 2, 1);
  command.push_back(folder.file("messages"));
  const run::Finished ran = run::run_program(command, run::Wait(60), folder.path());
  Messages found;
  const std::size_t told = ran.output.find("took ");
  if (told == std::string::npos ||
      std::sscanf(ran.output.c_str() + told, "took %lf %lf", &found.latency, &found.bandwidth) != 2)
    return std::nullopt;
  return found;
}

}  // namespace trellis::bench
