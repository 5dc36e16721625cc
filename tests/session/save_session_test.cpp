// A saved session is a program: replayed, it declares what was declared and makes the tensors what they were.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Answer;
using testing::Folder;
using testing::Transcript;

namespace {

std::string written(const Folder& folder) {
  std::ifstream stream(folder / "work.tr");
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The codes when these entries are saved.
std::string codes_of(std::vector<std::string> entries) {
  const Folder folder;
  Transcript session;
  session.enter(entries);
  return session.say("save \"" + (folder / "work.tr") + "\"").codes;
}

}  // namespace

TEST_CASE("save \"f.tr\": what is declared now, and what made the tensors") {
  const Folder folder;
  folder.file("x.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n4\n");
  Transcript session;
  session.enter(
      {"tensor x(n)", "tensor c(n)", "load x \"x.mtx\"", "y(i) = 5*x(i)", "fill_with c [7, 7, 7]", "undo",
       "y(i) = 2*x(i)",
       "kernel twice {\n  tensor A(4, 4): csr\n  random A density 0.5 seed 3\n  B(i,j) = 2*A(j,i)\n  order j i\n}",
       "run main", "check twice"},
      folder / "typed");
  const Answer saved = session.say("save \"" + (folder / "work.tr") + "\"");
  CHECK(saved.codes == "");
  CHECK(saved.last("save")["statements"] == 4);
  CHECK(saved.last("save")["actions"] == 4);
  CHECK(written(folder) ==
        "# A saved session: `trellis work.tr` goes on from here.\n"
        "\n"
        "tensor x(n)\ntensor c(n)\ny(i) = 2 * x(i)\nkernel twice {\n  tensor A(4, 4): csr\n  B(i,j) = 2 * A(j,i)\n  "
        "order j i\n}\n"
        "\n"
        "load x \"x.mtx\"\nrandom A density 0.5 seed 3\nrun main\nrun twice\n");

  Transcript again;
  CHECK(again.run(written(folder), folder / "work.tr").ok());
  for (const char* name : {"x", "y", "A", "B"}) CHECK(again.value(name) == session.value(name));
  CHECK(again.value("y") == "[2 4 8]");
}

TEST_CASE("save \"f.tr\" replays what ran for being shown") {
  const Folder folder;
  Transcript session;
  session.enter({"tensor x(1)", "fill_with x [1]", "x[t](i) = 2*x[t-1](i) : t < 3", "print x", "time main 1 jit",
                 "save \"" + (folder / "work.tr") + "\""});
  CHECK(written(folder).ends_with("fill_with x [1]\nrun main\nrun main\n"));
  Transcript again;
  CHECK(again.run(written(folder), folder / "work.tr").ok());
  CHECK(again.value("x") == session.value("x"));
}

TEST_CASE("save \"f.tr\" prunes what was pruned, where there was something to prune") {
  const Folder folder;
  folder.file("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 0\n1 2 3\n");
  Transcript session;
  session.enter({"tensor A(2, 2): csr", "load A \"a.mtx\"", "prune A", "prune A"}, folder / "typed");
  REQUIRE(session.say("save \"" + (folder / "work.tr") + "\"").ok());
  CHECK(written(folder).ends_with("load A \"a.mtx\"\nprune A\n"));
  Transcript again;
  CHECK(again.run(written(folder), folder / "work.tr").ok());
  CHECK(again.say("print A").last("print")["entries"].size() == 1);
}

TEST_CASE("save \"f.tr\" says when a run was of other equations, and of those only") {
  const std::vector<std::string> ran = {"tensor x(3)", "random x", "y(i) = x(i)", "kernel K { z(i) = 3*x(i) }",
                                        "run K"};
  const auto and_then = [&](const std::string& entry) {
    std::vector<std::string> entries = ran;
    entries.push_back(entry);
    return codes_of(entries);
  };
  CHECK(codes_of(ran) == "");
  CHECK(and_then("y(i) = 2*x(i)") == "");
  CHECK(and_then("tensor other(3)") == "");
  CHECK(and_then("kernel K { z(i) = 4*x(i) }") == "W0602");
  CHECK(and_then("tensor x(3): i64") == "W0602");
}

TEST_CASE("save \"f.tr\" names the options of the command line, and refuses other endings") {
  const Folder folder;
  session::Options options;
  options.orders["main"] = *lang::parse_order("i j-");
  options.parameters["m"] = format::Value::of_integer(format::ScalarType::i64, 3);
  Transcript session(options);
  CHECK(session.run("param m = 2\ntensor A(m, m): f64 fill 1\nB(i,j) = A(i,j)\nsave \"work.tr\"", folder / "typed")
            .codes == "N0201");
  CHECK(written(folder).starts_with(
      "# A saved session: `trellis -D m=3 --set main.order=i,j- work.tr` goes on from here.\n"));
  CHECK(session.say("save \"work.txt\"").codes == "E0617");
  CHECK(session.say("save \"nowhere/work.tr\"").codes == "E0412");
}
