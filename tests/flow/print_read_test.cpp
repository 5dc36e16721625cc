// What `print` writes of a flow reads back as the same flow: those of examples and goldens.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/flow/passes.hpp"
#include "engine/flow/read.hpp"
#include "tests/flow/flow_equal.hpp"
#include "tests/golden/golden_file.hpp"
#include "tests/programs.hpp"
#include "tests/random/wanted.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {
namespace {

/// What the printed text reads as, and where the two differ first.
void check_read_back(const flow::Flow& flow) {
  const std::string printed = flow::print(flow).characters;
  const flow::ReadFlow back = flow::read(printed);
  INFO(printed);
  CHECK(back.problem == "");
  if (!back.flow) return;
  CHECK(flow::print(*back.flow).characters == printed);
  CHECK(difference(flow, *back.flow) == "");
}

std::string source_of(const std::filesystem::path& path) {
  return path.extension() == ".golden" ? parse_golden(read(path)).sections.front().body : read(path);
}

void check_kernels(const std::filesystem::path& path) {
  CAPTURE(path.string());
  Transcript t;
  t.say(source_of(path));
  text::Diagnostics diagnostics;
  session::State& state = t.session().state();
  const lang::Program* program = state.program(diagnostics);
  if (!program) return;
  for (const lang::Kernel& kernel : program->kernels) {
    const auto compilation = state.compilation(kernel, diagnostics);
    if (compilation) check_read_back(compilation->flow);
  }
}

}  // namespace

TEST_CASE("the flows of goldens and examples read back") {
  int number = 0;
  for (const auto& [folder, ending] : {std::pair("tests/golden", ".golden"), std::pair("examples", ".tr")})
    for (const auto& path : files_of(folder, ending))
      if (randomised::is_taken(number++)) check_kernels(path);
}

TEST_CASE("flows read back after each pass") {
  const std::string goldens = "tests/golden/";
  int number = 0;
  for (const char* name : {"spmv", "spgemm_rows", "cholesky_marched", "count_then_fill", "lu_csc", "sliced", "bfs"}) {
    CAPTURE(name);
    Transcript t;
    t.say(source_of(std::filesystem::path(TRELLIS_SOURCE_DIR) / (goldens + name + ".golden")));
    text::Diagnostics diagnostics;
    const lang::Program* program = t.session().state().program(diagnostics);
    REQUIRE(program);
    const auto compilation = t.session().state().compilation(program->kernels.front(), diagnostics);
    REQUIRE(compilation);
    for (const flow::Flow& after : flow::after_each_pass(compilation->lowered, compilation->kernel))
      if (randomised::is_taken(number++)) check_read_back(after);
  }
}

TEST_CASE("what is wrong with the text of a flow is said, and where") {
  const std::string head = "size n\noperand A[n]{n}: f64\nresult y[n]: f64\n";
  const auto problem = [&](const std::string& rest) { return flow::read(head + rest).problem; };
  CHECK(problem("loop i in 0:n\n  y[i] = 0\n") == "");
  CHECK(problem("y[i] = 0\n") == "4:3: nothing is called `i` here");
  CHECK(problem("z = 0\n") == "4:3: there is no tensor `z` before this");
  CHECK(problem("loop i in 0\n  y[i] = 0\n") == "4:12: `:` is missing, as the line ends here");
  CHECK(problem("loop i in 0:n\ny[0] = 0\n") ==
        "5:1: what belongs to the line before, or `pass`, is missing before `y`");
  CHECK(problem("loop i in 0:n twice\n  pass\n") == "4:15: `twice` is too much here");
  CHECK(problem("loop i in 0:n\n  y[i] = 1.5.2\n") == "5:13: `.` is too much here");
  CHECK(problem("y[0] = 0x\n") == "4:9: `x` is too much here");
  CHECK(problem("y[1.5] = 0\n") == "4:3: `1.5` is no i64");
  CHECK(problem("y[0] = (1 + 2\n") == "4:14: `)` is missing, as the line ends here");
  CHECK(problem("y[0] = sin(1, \n") == "4:15: an expression is missing, as the line ends here");
  CHECK(problem("y[0] = sine(1)\n") == "4:12: there is no function `sine`");
  CHECK(problem("y = 0\n") == "4:3: `y` needs the position of an element");
  CHECK(problem("y[0][0] = 0\n") == "4:9: `y` has fewer levels");
  CHECK(problem("lop i in 0:n\n  pass\n") == "4:5: no statement begins with `lop`");
  CHECK(problem("coiterate i in 0:n\n  lead p at A.3\n") == "5:16: `A` has no level 3");
  CHECK(problem("coiterate i in 0:n\n  lead p at A.2 below [0]\n  while q\n    pass\n") ==
        "6:10: there is no cursor `q` in this loop");
  CHECK(problem("loop i in 0:n\n    y[i] = 0\n  y[i] = 1\n") == "6:3: this line is indented like none before it");
  CHECK(problem("y[0] = $\n") == "4:8: nothing begins with this character");
  CHECK(flow::read("operand A[3: loose]: f64\npass\n").problem == "1:19: no level stores what it has so");
  CHECK(flow::read("operand A[3]: f46\npass\n").problem == "1:15: a type is missing before `f46`");
}

}  // namespace trellis::testing
