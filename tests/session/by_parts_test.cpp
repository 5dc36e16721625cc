// `distribute i over p by parts A` at the prompt: what runs, what is shown, and that nobody sees the numbers of ranks.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
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

/// A chain whose neighbours are seven rows apart, modulo 30: no cut of the file's order is a good one.
const std::string far_neighbours =
    "param n = 30; tensor A(n, n): csr; tensor x(n); tensor y(n); random x seed 2 density 1 range 1:9\n"
    "kernel chain {\n  A(i,j) = (i == j ? 3 : 7*i%30 - 7*j%30 == 1 || 7*j%30 - 7*i%30 == 1 ? -1 : 0)\n  order i j\n}\n"
    "kernel k {\n  y(i) = sum(j)(A(i,j) * x(j))\n  distribute i over p by parts A\n}\nranks p\nrun chain\n";

}  // namespace

TEST_CASE("rows in other numbers: the same results from threads, in step and by MPI, in the user's numbers") {
  Transcript t;
  REQUIRE(t.say(far_neighbours + "run k").ok());
  const std::string expected = t.value("y");
  const testing::Environment root("OMPI_ALLOW_RUN_AS_ROOT", "1"), sure("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
      many("OMPI_MCA_rmaps_base_oversubscribe", "1");
  for (const std::string how : {"", " jit", " native", " in step", " mpi"}) {
    CAPTURE(how);
    if (how == " mpi" && (run::in_path("mpicc").empty() || run::in_path("mpiexec").empty())) {
      std::printf("SKIPPED: ranks as processes: there is no mpicc or no mpiexec\n");
      continue;
    }
    const auto ran = t.say("random y seed 1 density 1\nrun k ranks 3" + how);
    CHECK_MESSAGE(ran.ok(), ran.messages());
    CHECK(t.value("y") == expected);
    CHECK(t.say("check").ok());
  }
  // Two cuts of a chain: an element each way at each of them.
  CHECK(contains(t.say("run k ranks 3").last("run").dump(), "4 messages, 32 bytes"));
  CHECK(contains(t.say("check k").output,
                 "the sum over j in y is added up in another order, with rows numbered by parts of A: reassociated"));
}

TEST_CASE("what cuts by a matrix say: parts, the largest of them, and ghosts with and without other numbers") {
  Transcript t;
  REQUIRE(t.say(far_neighbours).ok());
  const std::string shown = t.say("show ranks 3 k").output;
  CHECK_MESSAGE(contains(shown, "0:n over p: lo_p:hi_p, numbered by parts of A, cut at 0 "), shown);
  CHECK_MESSAGE(contains(shown, "# largest part 1.0"), shown);
  CHECK_MESSAGE(contains(shown, "ghosts through it 0.13 a row, 1."), shown);
  CHECK(contains(t.say("show schedule k").output, "distribute i over p by parts A"));
  // What ranks want of x is known before they run, entry by entry.
  CHECK_MESSAGE(contains(shown, "through A, 32 bytes in 4 messages"), shown);
  CHECK_MESSAGE(!contains(shown, "at most"), shown);
}

TEST_CASE("what a rank wants is counted where operands are filled in, and otherwise is at most all") {
  Transcript t;
  REQUIRE(t.say("param n = 8; tensor A(n, n): csr; tensor x(n); ranks p\n"
                "y(i) = sum(j)(A(i,j) * x(j))\ndistribute i over p")
              .ok());
  CHECK(contains(t.say("show ranks 2").output, "through A, at most 64 bytes in 2 messages"));
  REQUIRE(t.say("fill_with A [[0, 0, 0, 0, 2, 0, 0, 3], [0, 0, 0, 0, 5, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0, 0], "
                "[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], "
                "[0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1]]; random x seed 1 density 1")
              .ok());
  const std::string shown = t.say("show ranks 2").output;
  CHECK_MESSAGE(contains(shown, "through A, 24 bytes in 2 messages"), shown);
  CHECK_MESSAGE(contains(shown, "who sends whom, bytes in all:"), shown);
  CHECK(contains(t.say("run ranks 2").last("run").dump(), "2 messages, 24 bytes"));
  // In step all is sent that sections have.
  CHECK(contains(t.say("run ranks 2 in step").last("run").dump(), "2 messages, 64 bytes"));
}

TEST_CASE("`export mpi` of rows numbered by parts has files as the user numbers them, for so many ranks") {
  const testing::Folder folder;
  Transcript t;
  REQUIRE(t.say(far_neighbours + "run k").ok());
  const std::string expected = t.value("y");
  CHECK(contains(t.say("export mpi k \"" + folder / "any" + "\"").codes, "E0651"));
  CHECK(!std::filesystem::exists(folder.path() / "any"));
  const auto exported = t.say("random y seed 1 density 1\nexport mpi k 3 \"" + folder / "out" + "\"");
  REQUIRE_MESSAGE(exported.ok(), exported.messages());
  CHECK(contains(exported.last("export").dump(), "mpiexec -n 3 ./rank"));
  if (run::in_path("mpicc").empty() || run::in_path("mpiexec").empty()) {
    std::printf("SKIPPED: export mpi: there is no mpicc or no mpiexec\n");
    return;
  }
  const testing::Environment root("OMPI_ALLOW_RUN_AS_ROOT", "1"), sure("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
      many("OMPI_MCA_rmaps_base_oversubscribe", "1");
  const auto made = run::run_program({"make", "-C", folder / "out"});
  REQUIRE_MESSAGE(made.succeeded(), made.output);
  const auto ran_on = [&](const char* ranks) {
    return run::run_program({"mpiexec", "-n", ranks, folder / "out/rank", folder / "out"}, run::Wait(60),
                            folder / "out");
  };
  const auto others = ran_on("2");
  CHECK(!others.succeeded());
  CHECK_MESSAGE(contains(others.output, "another number of ranks than the job is for"), others.output);
  const auto ran = ran_on("3");
  REQUIRE_MESSAGE(ran.succeeded(), ran.output);
  CHECK(contains(ran.output, "4 messages, 32 bytes"));
  std::ifstream file(folder.path() / "out" / "y.bin", std::ios::binary);
  std::vector<double> y(30);
  file.read(reinterpret_cast<char*>(y.data()), 30 * sizeof(double));
  std::string list;
  for (const double value : y) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    list += (list.empty() ? "" : ", ") + std::string(text);
  }
  REQUIRE(t.say("tensor z(n)\nfill_with z [" + list + "]").ok());
  CHECK(t.value("z") == expected);
}

TEST_CASE("files of `export mpi` have all that ranks take, which the session does not hold in their numbers") {
  const testing::Folder folder;
  Transcript t;
  REQUIRE(
      t.say("param n = 700; param m = 2; tensor A(n, n): csr; tensor X(n, m); tensor w(n); ranks p\n"
            "random A seed 1 density 0.004 range 1:9; random X seed 2 density 1; random w seed 3 density 1 range 1:9\n"
            "kernel all {\n  a = sum(i,j)(A(i,j))\n}\n"
            "kernel k {\n  Y(i,c) = sum(j)(A(i,j) * X(j,c))\n  s = sum(i)(w(i))\n"
            "  distribute i over p by parts A\n}\nrun all")
          .ok());
  const auto exported = t.say("export mpi k 3 \"" + folder / "out" + "\"");
  REQUIRE_MESSAGE(exported.ok(), exported.messages());
  const auto doubles = [&](const char* name) {
    std::ifstream file(folder.path() / "out" / name, std::ios::binary);
    std::vector<double> all;
    for (double x = 0; file.read(reinterpret_cast<char*>(&x), sizeof x);) all.push_back(x);
    return all;
  };
  const std::vector<double> entries = doubles("A.bin");
  double sum = 0;
  for (const double x : entries) sum += x;
  CHECK(entries.size() > 1000);
  CHECK(std::stod(t.value("a")) == sum);
  CHECK(doubles("Y.bin").size() == 1400);
  CHECK(doubles("w.bin").size() == 700);
}

TEST_CASE("by a matrix without other numbers: the largest part is said as well") {
  Transcript t;
  REQUIRE(t.say("param n = 8; tensor A(n, n): csr; tensor x(n); random A seed 1 density 0.4; ranks p\n"
                "y(i) = sum(j)(A(i,j) * x(j))\ndistribute i over p by A")
              .ok());
  const std::string shown = t.say("show ranks 3").output;
  CHECK_MESSAGE(contains(shown, "by rows and entries of A, cut at 0 "), shown);
  CHECK_MESSAGE(contains(shown, " of the mean, in rows and entries of A; ghosts through it "), shown);
}

TEST_CASE("what `by parts` may stand with") {
  const std::string start =
      "param n = 6; tensor A(n, n): csr; tensor B(n, n): csr; tensor x(n)\nranks p\n"
      "y(i) = sum(j)(A(i,j) * x(j))\n";
  CHECK(Transcript().say(start + "distribute i over p by parts").codes == "E0201");
  CHECK(contains(Transcript().say(start + "distribute i over p by parts A B").codes, "E0323"));
  CHECK(contains(Transcript().say(start + "distribute i over p by parts A; distribute i over p by A").codes, "E0152"));
}

TEST_CASE("pictures have cells in the user's order, each of the rank that has the row") {
  Transcript t;
  REQUIRE(t.say("param n = 12; tensor A(n, n): csr; tensor x(n); tensor y(n); random x seed 2 density 1\n"
                "kernel pairs {\n  A(i,j) = (i == j || i%6 == j%6 ? 1 : 0)\n  order i j\n}\n"
                "kernel k {\n  y(i) = sum(j)(A(i,j) * x(j))\n  distribute i over p by parts A\n}\nranks p\nrun pairs")
              .ok());
  // Rows i and i + 6 are together, whichever rank has them.
  const std::string shown = t.say("show ranks 2 k").output;
  INFO(shown);
  const std::size_t at = shown.find("  y over (p)\n    ");
  REQUIRE(at != std::string::npos);
  const std::string line = shown.substr(at + 17, 23);
  CHECK(line.substr(0, 11) == line.substr(12));
  CHECK(std::ranges::count(line, '0') == 6);
  CHECK(std::ranges::count(line, '1') == 6);
}
