// `run ranks`, `show ranks c`, `export mpi`: what they answer, and numbers of ranks that cannot be.
#include <doctest/doctest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/run/on_mpi.hpp"
#include "engine/run/process.hpp"
#include "tests/environment.hpp"
#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

const std::string shifted =
    "param n = 6; tensor x(n); tensor y(n)\nfill_with x [1, 2, 3, 4, 5, 6]\n"
    "y(i) = x(i) + x(i-1) : 1 <= i\ny(0) = x(0)\n";
const std::string along_p = "ranks p; distribute i over p\n";

}  // namespace

TEST_CASE("ranks run as threads, by either back end, and in step, with the same messages") {
  Transcript t;
  REQUIRE(t.say(shifted + along_p).ok());
  for (const std::string how : {"", " jit", " native", " in step"}) {
    CAPTURE(how);
    const auto ran = t.say("run ranks 3" + how);
    CHECK(ran.ok());
    CHECK(contains(ran.last("run").dump(), "on 3 ranks" + (how == " in step" ? how : "") + ", 2 messages, 16 bytes"));
    CHECK(t.value("y") == "[1 3 5 7 9 11]");
    CHECK(t.say("check").ok());
  }
  CHECK(contains(t.say("show ranks c").output, "ranks->start(ranks, 0, x);"));
}

TEST_CASE("a pipeline is said, shown, and run every way") {
  Transcript t;
  const std::string sweep =
      "param n = 6; tensor u(n, n)\nrandom u seed 1 density 1\n"
      "loops { for i in 1:n { for j in 1:n { u(i,j) = u(i-1,j) + u(i,j-1) } } }\n";
  REQUIRE(t.say(sweep + along_p + "pipeline j 2").ok());
  CHECK(contains(t.say("show schedule").output, "pipeline j 2"));
  const std::string plan = t.say("show ranks 3").output;
  CHECK_MESSAGE(contains(plan, "is handed on from rank to rank: halo 1"), plan);
  CHECK_MESSAGE(contains(plan, "iterations take least"), plan);
  const std::string c = t.say("show ranks c").output;
  CHECK_MESSAGE(contains(c, "ranks->receive(ranks, 0, u);"), c);
  CHECK_MESSAGE(contains(c, "ranks->pass(ranks, 0, u);"), c);
  for (const std::string how : {"", " jit", " native", " in step"}) {
    CAPTURE(how);
    CHECK(t.say("random u seed 1 density 1\nrun ranks 3" + how).ok());
    CHECK(t.say("check").ok());
  }
  CHECK(t.say("pipeline j 0").codes == "E0323");
  CHECK(t.say("pipeline j").codes == "E0323");
  CHECK(t.say("pipeline j 2 3").codes == "E0323");
  CHECK(t.say("pipeline x 2").codes == "E0320");
}

TEST_CASE("numbers of ranks that cannot be, each with its code") {
  Transcript t;
  REQUIRE(t.say(shifted + along_p).ok());
  CHECK(t.say("run ranks 0").codes == "E0601");
  CHECK(t.say("run ranks -2").codes == "E0601");
  CHECK(t.say("run ranks 2x2").codes == "E0601");
  CHECK(t.say("run ranks many").codes == "E0601");
  CHECK(t.say("run ranks 2 in turn").codes == "E0601");
  const auto more = t.say("run ranks 9");  // than rows
  CHECK(more.ok());
  CHECK(more.codes == "W0212");
  CHECK(t.value("y") == "[1 3 5 7 9 11]");
  Transcript whole;
  const auto alone = whole.say(shifted + "run ranks 4");
  CHECK(alone.ok());
  CHECK(contains(alone.codes, "N0209"));
  CHECK(contains(Transcript().say(shifted + "ranks p; distribute i over q").codes, "E0"));
}

TEST_CASE("ranks that cannot be compiled run in step, which is said") {
  Transcript t;
  const auto ran = t.say(
      "param n = 4; tensor A(n, n): csr; tensor C(n, n): bcsr(2, 2)\nrandom A seed 1 density 0.5\n"
      "C(i,j) = 2 * A(i,j)\n" +
      along_p + "run ranks 2\ncheck");
  CHECK(ran.ok());
  CHECK(contains(ran.messages(), "run in step, by the interpreter of loops: C is written, and has a layout"));
}

TEST_CASE("a sparse result of compiled ranks is what one process makes of it") {
  const std::string program =
      "param n = 9; tensor A(n, n): csr; tensor B(n, n): csr; tensor C(n, n): dcsr\nrandom A seed 1 density 0.3\n"
      "random B seed 2 density 0.3\nC(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\n" +
      along_p;
  Transcript alone, ranks;
  REQUIRE(alone.say(program + "run").ok());
  const auto ran = ranks.say(program + "run ranks 3\ncheck");
  REQUIRE_MESSAGE(ran.ok(), ran.messages());
  CHECK_FALSE(contains(ran.messages(), "in step"));
  CHECK(ranks.value("C") == alone.value("C"));
  const auto again = ranks.say("run ranks 4");
  CHECK(again.ok());
  CHECK(ranks.value("C") == alone.value("C"));
}

TEST_CASE("a fault on a rank leaves everything as it was") {
  Transcript t;
  const auto ran = t.say(
      "param n = 6; tensor a(n): i32 fill 7; tensor d(n): i32; tensor q(n): i32\nfill_with d [1, 1, 1, 1, 0, 1]\n"
      "q(i) = a(i) / d(i)\n" +
      along_p + "run ranks 3");
  CHECK(contains(ran.codes, "E0502"));
  CHECK(ran.exit == session::Exit::kernel_failed);
  CHECK(contains(t.say("run ranks 3 in step").codes, "E0502"));
}

TEST_CASE("what `export mpi` writes builds with make and runs with mpiexec alone") {
  const testing::Folder folder;
  Transcript t;
  const auto exported = t.say(shifted + along_p + "export mpi \"" + folder / "out" + "\"");
  REQUIRE_MESSAGE(exported.ok(), exported.messages());
  for (const char* file : {"kernel.c", "rank.c", "Makefile", "job.sh", "job", "kernel", "x.bin", "y.bin"})
    CHECK(std::filesystem::exists(folder.path() / "out" / file));
  if (run::in_path("mpicc").empty() || run::in_path("mpiexec").empty()) {
    std::printf("SKIPPED: export mpi: there is no mpicc or no mpiexec\n");
    return;
  }
  const testing::Environment root("OMPI_ALLOW_RUN_AS_ROOT", "1"), sure("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
      many("OMPI_MCA_rmaps_base_oversubscribe", "1");
  const auto made = run::run_program({"make", "-C", folder / "out"});
  REQUIRE_MESSAGE(made.succeeded(), made.output);
  const auto ran =
      run::run_program({"mpiexec", "-n", "3", folder / "out/rank", folder / "out"}, run::Wait(60), folder / "out");
  REQUIRE_MESSAGE(ran.succeeded(), ran.output);
  CHECK(contains(ran.output, "3 ranks, "));
  CHECK(contains(ran.output, "2 messages, 16 bytes"));
  std::ifstream file(folder.path() / "out" / "y.bin", std::ios::binary);
  double y[6] = {};
  file.read(reinterpret_cast<char*>(y), sizeof y);
  CHECK(y[0] == 1);
  CHECK(y[5] == 11);
}
