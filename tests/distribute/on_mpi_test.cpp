// Ranks as processes that MPI starts: the bits of ranks in step, and what happens where one of them is killed, hangs,
// has no room, or cannot be started. Without mpicc and mpiexec all but the last is skipped, which is said.
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "engine/distribute/execute.hpp"
#include "engine/run/on_mpi.hpp"
#include "tests/distribute/filled.hpp"
#include "tests/distribute/on_threads.hpp"
#include "tests/environment.hpp"
#include "tests/folder.hpp"

using namespace trellis;
using namespace trellis::distribute::testing;
using Status = run::Outcome::Status;

namespace {

bool no_mpi(const char* test) {
  if (!run::in_path("mpicc").empty() && !run::in_path("mpiexec").empty()) return false;
  std::printf("SKIPPED: %s: there is no mpicc or no mpiexec\n", test);
  return true;
}

run::MpiOutcome on_mpi(const Made& m, std::vector<std::int64_t> grid, const distribute::Numbers& sizes,
                       const loop::Bindings& own, const run::Limits& limits = {.seconds = 30}) {
  REQUIRE_MESSAGE(m.plan, m.errors);
  const auto cuts = distribute::cut(*m.plan, std::move(grid), sizes);
  const Ready made = ready(*m.compilation, *cuts, own.parameters, own.tensors, run::Backend::native);
  REQUIRE_MESSAGE(made.problem.empty(), made.problem);
  return run::execute_on_mpi(made.kernel, made.job, limits);
}

void agrees(const std::string& program, std::vector<std::int64_t> grid, const distribute::Numbers& sizes) {
  const Made m = made(program);
  REQUIRE_MESSAGE(m.plan, m.errors);
  const loop::Bindings expected = filled(m, sizes), own = filled(m, sizes);
  const distribute::InStep in_step = distribute::run_in_step(*m.plan, *distribute::cut(*m.plan, grid, sizes), expected);
  const run::MpiOutcome outcome = on_mpi(m, grid, sizes, own);
  CHECK(outcome.missing == "");
  CHECK(outcome.ran.outcome.message == "");
  for (const std::string& name : m.compilation->kernel.results())
    CHECK_MESSAGE(same(own.tensors.at(name), expected.tensors.at(name)), name);
  REQUIRE(outcome.ran.sent.size() == in_step.sent.size());
  for (std::size_t k = 0; k < in_step.sent.size(); ++k) CHECK(outcome.ran.sent[k].elements == in_step.sent[k].elements);
}

/// Runs for minutes.
const std::string long_kernel =
    "param n = 8\ntensor x(n)\ntensor s\n"
    "loops { for t in 0:1000000000 { for i in 0:n { s += x(i) } } }\nranks p\ndistribute i over p\n";

/// Files that processes have in memory together, and processes of ranks.
std::ptrdiff_t shared_files() { return std::distance(std::filesystem::directory_iterator("/dev/shm"), {}); }

std::vector<pid_t> ranks_under(const std::string& folder) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "cmdline");
    std::string first;
    std::getline(file, first, '\0');
    if (first.starts_with(folder) && first.ends_with("/rank")) found.push_back(std::stoi(name));
  }
  return found;
}

}  // namespace

TEST_CASE("fourteen programs over MPI have the bits and the messages of ranks in step") {
  if (no_mpi("fourteen programs over MPI")) return;
  const trellis::testing::Folder cache;
  const trellis::testing::Environment apart("XDG_CACHE_HOME", cache.path().string());
  const std::ptrdiff_t before = shared_files();
  agrees(heat, {2}, {{"n", 10}, {"steps", 7}});
  agrees(heat, {4}, {{"n", 10}, {"steps", 8}});
  agrees(heat_2d + along_p, {3}, {{"n", 9}, {"steps", 3}});
  agrees(heat_2d + "ranks p q\ndistribute i over p\ndistribute j over q\n", {2, 2}, {{"n", 7}, {"steps", 4}});
  agrees("param n = 30\ntensor x(n)\ntensor y(n)\ny(i) = x(n-1-i)\n" + along_p, {3}, {{"n", 30}});
  agrees("param n = 8\ntensor x(n)\ntensor s\nloops { for i in 0:n { s += x(i) / 3 } }\n" + along_p, {3}, {{"n", 8}});
  agrees(
      "param n = 8\ntensor x(n)\ntensor y(n)\n"
      "loops { for i in 0:n-1 { y(i) += x(i) / 3\n y(i+1) += x(i) / 7 } }\n" +
          along_p,
      {4}, {{"n", 8}});
  agrees("param n = 8\ntensor A(n, n)\ntensor x(n)\ntensor y(n)\ny(i) = sum(j)(A(i,j) * x(j))\n" + along_p, {2},
         {{"n", 8}});
  agrees(
      "param n = 6\ntensor D(n, n)\ntensor v(n)\nloops { for t in 0:n { for j in 0:n { v(j) = D(t,j) }\n"
      "for i in 0:n { for j in 0:n { D(i,j) min= D(i,t) + v(j) } } } }\n" +
          along_p,
      {4}, {{"n", 6}});
  agrees(
      "param n = 6\ntensor D(n, n)\ntensor v(n)\ntensor w(n)\nloops { for t in 0:n { for j in 0:n { v(j) = D(t,j) }\n"
      "for i in 0:n { w(i) = D(i,t) }\nfor i in 0:n { for j in 0:n { D(i,j) min= w(i) + v(j) } } } }\n"
      "ranks p q\ndistribute i over p\ndistribute j over q\n",
      {2, 2}, {{"n", 6}});
  agrees("param n = 3\ntensor x(n)\ntensor y(n)\ny(i) = x(i) + 1\n" + along_p, {4}, {{"n", 3}});
  agrees("param n = 9\ntensor u(n, n)\nloops { for i in 1:n { for j in 1:n { u(i,j) = u(i-1,j) + 2*u(i,j-1) } } }\n" +
             along_p + "pipeline j 2\n",
         {3}, {{"n", 9}});
  agrees(
      "param n = 9\nparam steps = 3\ntensor u(n, n)\nu[t](i,j) = 0.25*(u[t](i-1,j) + u[t-1](i+1,j) + u[t](i,j-1)) "
      ": 1 <= i < n-1, 1 <= j < n-1, t < steps\norder t i j\ninplace u\n" +
          along_p + "pipeline j 3\n",
      {4}, {{"n", 9}, {"steps", 3}});
  agrees(
      "param n = 9\ntensor D(n, n)\nD[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j)) : k < n\norder k i j\n"
      "ranks p(3)\ndistribute i over p cyclic 2\n",
      {3}, {{"n", 9}});
  CHECK(shared_files() == before);
}

TEST_CASE("a rank that is killed ends the run within two seconds, and nothing is left of it") {
  if (no_mpi("a rank that is killed")) return;
  const trellis::testing::Folder cache;
  const trellis::testing::Environment apart("XDG_CACHE_HOME", cache.path().string());
  const std::ptrdiff_t before = shared_files();
  const Made m = made(long_kernel);
  const distribute::Numbers sizes{{"n", 8}};
  const loop::Bindings own = filled(m, sizes), untouched = filled(m, sizes);
  using Clock = std::chrono::steady_clock;
  Clock::time_point killed;
  std::jthread killer([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const auto ranks = ranks_under(cache.path());
      std::this_thread::sleep_for(std::chrono::milliseconds(ranks.size() < 2 ? 50 : 700));  // until they compute
      if (ranks.size() < 2) continue;
      killed = Clock::now();
      kill(ranks.back(), SIGKILL);
      return;
    }
  });
  const run::MpiOutcome outcome = on_mpi(m, {2}, sizes, own);
  const std::chrono::duration<double> took = Clock::now() - killed;
  killer.request_stop();
  CHECK(outcome.ran.outcome.status == Status::crashed);
  CHECK(outcome.ran.outcome.signal == SIGKILL);
  mentions(outcome.ran.outcome.message, "of kernel `main` was ended by a signal: Killed");
  CHECK(took.count() < 2);
  CHECK(same(own.tensors.at("s"), untouched.tensors.at("s")));
  CHECK(shared_files() == before);
  CHECK(ranks_under(cache.path()).empty());
}

TEST_CASE("ranks that hang are ended at the limit of time") {
  if (no_mpi("ranks that hang")) return;
  const trellis::testing::Folder cache;
  const trellis::testing::Environment apart("XDG_CACHE_HOME", cache.path().string());
  const std::ptrdiff_t before = shared_files();
  const Made m = made(long_kernel);
  const loop::Bindings own = filled(m, {{"n", 8}});
  const run::MpiOutcome outcome = on_mpi(m, {3}, {{"n", 8}}, own, {.seconds = 3});
  CHECK(outcome.ran.outcome.status == Status::timed_out);
  CHECK(shared_files() == before);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(ranks_under(cache.path()).empty());
}

TEST_CASE("ranks whose arrays have no room on the disk are not started") {
  if (no_mpi("no room on the disk")) return;
  const Made m = made("param n = 4096\ntensor x(n)\ntensor y(n)\ny(i) = x(i) + 1\n" + along_p);
  const loop::Bindings own = filled(m, {{"n", 4096}});
  const auto cuts = distribute::cut(*m.plan, {2}, {{"n", 4096}});
  const Ready made = ready(*m.compilation, *cuts, own.parameters, own.tensors, run::Backend::native);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto heard = signal(SIGXFSZ, SIG_IGN);
  const rlimit small{20000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const run::MpiOutcome outcome = run::execute_on_mpi(made.kernel, made.job, {.seconds = 10});
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, heard);
  CHECK(outcome.ran.outcome.status == Status::out_of_memory);
  mentions(outcome.ran.outcome.message, "there is no room for the arrays of kernel `main` in ");
}

TEST_CASE("without MPI a run says what to install") {
  const Made m = made(heat);
  const trellis::testing::Environment nothing("MPIEXEC", "no-such-program");
  const loop::Bindings own = filled(m, {{"n", 10}, {"steps", 2}});
  const run::MpiOutcome outcome = on_mpi(m, {2}, {{"n", 10}, {"steps", 2}}, own);
  CHECK(outcome.missing ==
        (run::in_path("mpicc").empty() ? "`mpicc` is not installed" : "`no-such-program` is not installed"));
  mentions(outcome.advice, "openmpi-bin");
}
