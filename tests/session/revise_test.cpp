// A session that follows a text as it is edited: what did not change stays, in memory and as it was compiled, and
// nothing piles up.
#include <doctest/doctest.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/lang/parse.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {
namespace {

using session::Session;

const std::string two_kernels =
    "param n = 4\ntensor A(n, n)\ntensor x(n)\nrandom A seed 1\nrandom x seed 2\n"
    "kernel product { y(i) = A(i,j) * x(j) }\n"
    "kernel twice { z(i) = 2 * x(i) }\n";

std::string edited(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

Session::Revised revise(Transcript& t, const std::string& text) {
  Session::Revised revised = t.session().revise("edited.tr", text);
  if (revised.accepted) t.session().refill([](const session::Reply& reply) { CHECK(reply.ok()); });
  return revised;
}

std::shared_ptr<const Compilation> compiled(Transcript& t, const std::string& kernel) {
  text::Diagnostics said;
  const lang::Program* program = t.session().state().program(said);
  REQUIRE(program);
  return t.session().state().compilation(*program->kernel(kernel), said);
}

}  // namespace

TEST_CASE("revise: an edit compiles the kernel that reads what was touched, and no other") {
  Transcript t;
  REQUIRE(revise(t, two_kernels).accepted);
  const auto product = compiled(t, "product"), twice = compiled(t, "twice");
  REQUIRE(product);
  for (const auto& [from, to] :
       {std::pair("A(n, n)", "A(n, n): csr"), {"A(i,j) * x(j)", "A(j,i) * x(j)"}, {"A(i,j)", "3 * A(i,j)"}}) {
    CAPTURE(to);
    REQUIRE(revise(t, edited(two_kernels, from, to)).accepted);
    CHECK(compiled(t, "product") != product);
    CHECK(compiled(t, "twice") == twice);
  }
  // Lines that come and go above, remarks, and another kernel are no reason either.
  for (const std::string& text : {"# above\n\n" + two_kernels, edited(two_kernels, "2 * x", "5 * x"),
                                  two_kernels + "w(i) = x(i)\n", two_kernels}) {
    REQUIRE(revise(t, text).accepted);
    CHECK(compiled(t, "product") == product);
  }
}

TEST_CASE("revise: messages say where things stand now") {
  Transcript t;
  const std::string kernel = "param n = 3\ntensor x(n); tensor y(n)\ny(i) = x(i-1)\n";
  REQUIRE(revise(t, kernel).accepted);
  const auto place_of_error = [&] {
    text::Diagnostics said;
    const lang::Program* program = t.session().state().program(said);
    CHECK(!t.session().state().compilation(program->kernels.front(), said));
    REQUIRE(said.has_errors());
    const std::string message = text::render(said.all().back(), t.session().sources(), text::Colour::off);
    return message.substr(0, message.find(": error"));
  };
  CHECK(place_of_error() == "edited.tr:3:8");
  REQUIRE(revise(t, "\n# two lines more\n" + kernel).accepted);
  CHECK(place_of_error() == "edited.tr:5:8");
  REQUIRE(revise(t, edited(kernel, "tensor y(n)\n", "tensor y(n)\n\n")).accepted);
  CHECK(place_of_error() == "edited.tr:4:8");
}

TEST_CASE("revise: a wrong text leaves the program as it was") {
  Transcript t;
  REQUIRE(revise(t, two_kernels).accepted);
  REQUIRE(t.say("run").ok());
  for (const auto& [from, to] : {std::pair("y(i) =", "y(i ="), {"* x(j)", "* x(j, j)"}, {"random x", "randon x"}}) {
    CAPTURE(to);
    const auto wrong = revise(t, edited(two_kernels, from, to));
    CHECK_FALSE(wrong.accepted);
    CHECK(wrong.diagnostics.has_errors());
    CHECK(contains(t.say("print z").output, "z = ["));
  }
  CHECK(revise(t, two_kernels).accepted);
}

TEST_CASE("revise: data and results stay while what made them stands") {
  Transcript t;
  REQUIRE(revise(t, two_kernels).accepted);
  REQUIRE(t.say("run").ok());
  const std::string y = t.value("y"), z = t.value("z"), a = t.value("A");
  const auto& state = t.session().state();
  REQUIRE(revise(t, "# a remark\n" + two_kernels).accepted);
  CHECK(t.value("y") == y);
  // Another equation: its result goes, nothing else.
  REQUIRE(revise(t, edited(two_kernels, "2 * x", "5 * x")).accepted);
  CHECK(state.data.has("y"));
  CHECK_FALSE(state.data.has("z"));
  CHECK(t.value("A") == a);
  // Another command fills anew; a size does, too; without the command there is nothing.
  REQUIRE(revise(t, edited(two_kernels, "seed 1", "seed 7")).accepted);
  CHECK(t.value("A") != a);
  REQUIRE(revise(t, edited(two_kernels, "n = 4", "n = 5")).accepted);
  CHECK(state.data.held("x")->shape() == tensor::Index{5});
  REQUIRE(revise(t, edited(two_kernels, "random x seed 2\n", "")).accepted);
  CHECK_FALSE(state.data.has("x"));
  CHECK(state.data.has("A"));
  // What somebody entered beside the text stays.
  REQUIRE(t.enter({"fill_with x [1, 2, 3, 4]"}).ok());
  REQUIRE(revise(t, edited(edited(two_kernels, "random x seed 2\n", ""), "2 * x", "7 * x")).accepted);
  CHECK(t.value("x") == "[1 2 3 4]");
}

TEST_CASE("revise: what fills a tensor takes the place of what filled it before, and nothing adds up") {
  Transcript t;
  const auto back_and_forth = [&](int times) {
    for (int k = 0; k < times; ++k) {
      CHECK(revise(t, edited(two_kernels, "A seed 1", "A seed " + std::to_string(2 + k % 5))).accepted);
      CHECK(revise(t, two_kernels).accepted);
    }
  };
  back_and_forth(20);
  const auto& state = t.session().state();
  const auto actions = state.actions.until(state.last_action());
  REQUIRE(actions.size() == 2);
  CHECK(lang::to_string(actions[0].statement) == "random A seed 1");
  CHECK(lang::to_string(actions[1].statement) == "random x seed 2");
#ifndef __SANITIZE_ADDRESS__  // which counts differently
  const std::size_t before = mallinfo2().uordblks;
  back_and_forth(300);
  CHECK(mallinfo2().uordblks < before + 100'000);
#endif
}

TEST_CASE("revise: what is interrupted is not done") {
  Transcript t;
  REQUIRE(revise(t, two_kernels).accepted);
  t.session().interrupt();
  bool told = false;
  REQUIRE(
      t.session().revise("edited.tr", edited(two_kernels, "seed 1", "seed 3")).accepted);  // nothing in it takes long
  CHECK_FALSE(
      t.session().refill([&](const session::Reply& reply) { told = reply.exit == session::Exit::interrupted; }));
  CHECK(told);
}

namespace {

// Without what is free inside: one edit that takes much once is no growth.
double resident_mebibytes() {
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

std::string example(const std::string& name) {
  std::ifstream file(std::string(TRELLIS_SOURCE_DIR) + "/examples/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// One character becomes another, goes, or comes; now and then all is as it was.
class Editor {
 public:
  explicit Editor(std::string text) : original_(text), text_(std::move(text)) {}

  const std::string& next() {
    if (draw(4) == 0) return text_ = original_;
    const std::string characters = "ijkn0123456789+-*/(),:=ALVx \n";
    const std::size_t at = draw(text_.size());
    const char c = characters[draw(characters.size())];
    switch (draw(3)) {
      case 0: text_[at] = c; break;
      case 1: text_.erase(at, 1); break;
      default: text_.insert(at, 1, c);
    }
    return text_;
  }

 private:
  std::size_t draw(std::size_t below) { return random_() % below; }
  std::mt19937 random_{7};
  std::string original_, text_;
};

}  // namespace

TEST_CASE("revise: edits without end take no more memory than some") {
  // TRELLIS_EDITS=10000 for the long test.
  const char* wanted = std::getenv("TRELLIS_EDITS");
  const int edits = wanted ? std::atoi(wanted) : 1200;
  for (const std::string name : {"cholesky.tr", "viterbi.tr", "spgemm_rows.tr"}) {
    CAPTURE(name);
    Transcript t;
    Editor editor(example(name));
    int accepted = 0;
    double warm = 0;
    for (int k = 0; k < edits; ++k) {
      if (k == edits * 2 / 3) warm = resident_mebibytes();
      const auto revised = t.session().revise(name, editor.next());
      accepted += revised.accepted;
      CHECK(revised.accepted != revised.diagnostics.has_errors());
      text::Diagnostics said;
      if (const lang::Program* program = revised.accepted ? t.session().state().program(said) : nullptr)
        for (const lang::Kernel& kernel : std::vector(program->kernels)) t.session().state().compilation(kernel, said);
    }
    CHECK(accepted > edits / 10);
    const double grown = resident_mebibytes();
    MESSAGE(name << ": " << accepted << " of " << edits << " accepted, " << warm << " MiB, then " << grown);
#ifndef __SANITIZE_ADDRESS__  // which keeps what is freed
    CHECK(grown < 1.1 * warm);
#endif
  }
}

}  // namespace trellis::testing
