// list, delete, `order auto`, `format A auto`, and what a misused command answers.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "engine/session/command/commands.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Answer;
using testing::contains;
using testing::Transcript;

TEST_CASE("list prints the program as it stands, numbered, and changes nothing") {
  Transcript t;
  CHECK(contains(t.say("list").output, "empty"));
  t.enter({"tensor x(3)", "y(i) = 2*x(i)", "kernel k { z(i) = x(i); order i- }", "y(i) = 3*x(i)", "list"});
  const std::string out = t.say("list").output;
  CHECK(contains(out, "1     tensor x(3)\n2     y(i) = 3 * x(i)\n3     kernel k {\n"));
  CHECK(contains(out, "\n        order i-\n"));
  CHECK(t.say("history").last("history")["done"].size() == 4);
}

TEST_CASE("an order behind an order takes its place, and so does a format of the same tensor") {
  Transcript t;
  t.enter({"tensor A(3, 4): csr", "tensor x(4)", "y(i) = A(i,j)*x(j)", "order j i", "order i j"});
  const std::string program = "1     tensor A(3, 4): csr\n2     tensor x(4)\n3     y(i) = A(i,j) * x(j)\n";
  CHECK(t.say("list").output == program + "4     order i j\n");
  CHECK(t.enter({"undo", "list"}).last("list")["statements"].size() == 4);
  CHECK(contains(t.say("list").output, "order j i"));
  t.enter({"format A csc", "format A dense", "format x dense"});
  CHECK(t.say("list").output == program + "4     order j i\n5     format A dense\n6     format x dense\n");
  CHECK(t.say("order k\norder i j").codes.starts_with("E0320"));  // nobody has looked at the first one yet
}

TEST_CASE("an order that stands before its equations, and what fills tensors between them, waits for them") {
  Transcript t;
  CHECK(t.enter({"order j i\ntensor D(2, 2)\nrandom D seed 1\nE(i,j) = D(i,j)\nrun"}).ok());
  CHECK(t.say("list").output == "1     tensor D(2, 2)\n2     E(i,j) = D(i,j)\n3     order j i\n");
  Transcript mixed;
  CHECK(mixed.enter({"F(0) = 0", "order i\ntensor d(3)\nrandom d seed 1\nG(i) = d(i)\nrun"}).ok());
  Transcript alone;
  CHECK(alone.enter({"order j i\ntensor D(2, 2)\nrandom D seed 1"}).codes == "E0322");
}

TEST_CASE("an entry that ends where its program is not right yet is taken back whole") {
  Transcript t;
  t.enter({"tensor x(3)", "y(i) = 2*x(i)"});
  const std::string before = t.say("list").output;
  const Answer answer = t.enter({"z(i) = y(i) + w(i)\nrandom x seed 1\ntensor w(3)"});
  CHECK(answer.codes.find("E0659") != std::string::npos);
  CHECK(t.say("list").output == before);
  CHECK(t.say("history").last("history")["done"].size() == 2);
  CHECK(t.enter({"run", "undo", "undo", "list"}).last("list")["statements"].size() == 1);
}

TEST_CASE("schedule auto takes out what is said of how a kernel runs, and nothing else") {
  Transcript t;
  t.say(
      "param n = 4\ntensor A(n, n): csr\ntensor x(n)\ny(i) = A(i,j) * x(j)\norder i j\nparallel i\nformat A csc\n"
      "kernel two { z(i) = x(i); unroll i 2; plan off }");
  CHECK(t.say("schedule auto").output == "deleted: order i j\ndeleted: parallel i\n");
  CHECK(testing::contains(t.say("list").output, "format A csc"));
  CHECK(testing::contains(t.say("list").output, "unroll i 2"));
  CHECK(t.say("schedule auto two").output == "deleted: unroll i 2\ndeleted: plan off\n");
  CHECK(t.say("schedule auto two").output == "nothing was said of how it runs\n");
  CHECK(t.say("undo\nundo\nundo").ok());
  CHECK(testing::contains(t.say("list").output, "order i j"));
  CHECK(t.say("schedule").codes != "");
  CHECK(t.say("schedule auto three").codes != "");
}

TEST_CASE("delete takes out what a name stands for, and undo brings it back") {
  Transcript t;
  t.say("tensor x(3)\nfill_with x [1, 2, 4]\ny(0) = 1\ny(i) = y(i-1)*x(i) : 1 <= i\nz(i) = x(i)\norder i");
  CHECK(t.say("delete x").codes.starts_with("E0201"));  // y and z still need it
  CHECK(t.say("delete y(0)").ok());
  CHECK(!contains(t.say("list").output, "y(0)"));
  CHECK(t.say("undo").ok());
  CHECK(t.say("delete y").last("delete")["statements"].size() == 2);
  CHECK(t.value("z") == "[1 2 4]");
  CHECK(t.say("delete z").ok());
  CHECK(t.say("list").output == "1     tensor x(3)\n");  // the order goes with the last equation
  CHECK(t.say("delete 1").ok());
  CHECK(!t.session().state().data.has("x"));
  CHECK(t.say("undo").ok());
  CHECK(t.value("x") == "[1 2 4]");
  CHECK(t.say("delete 2").codes == "E0628");
  CHECK(t.say("delete nothing").codes == "E0628");
  CHECK(t.say("delete").codes == "E0601");
}

TEST_CASE("delete by name takes kernels, parameters and formats along") {
  Transcript t;
  REQUIRE(t.say("param n = 2\ntensor A(n, n)\nkernel k { y(i) = A(i,j) }\nformat A csr").ok());
  CHECK(t.say("delete k").ok());
  CHECK(t.say("delete A").ok());  // with its format, which no tensor has then
  CHECK(t.say("list").output == "1     param n = 2\n");
}

TEST_CASE("order auto and format A auto take back what was given") {
  Transcript t;
  t.say("tensor A(3, 4): csr\ntensor x(4)\nrandom A seed 1 density 0.5\nrandom x seed 2\ny(i) = A(i,j)*x(j)");
  const std::string chosen = t.say("show schedule").output;
  CHECK(t.enter({"order j i", "show schedule"}).output != chosen);
  CHECK(t.enter({"order auto", "show schedule"}).output == chosen);
  const std::string declared = t.say("show formats A").output;
  CHECK(t.enter({"format A csc", "show formats A"}).output != declared);
  CHECK(t.enter({"format A auto", "show formats A"}).output == declared);
  CHECK(t.enter({"format A dense", "format A csr", "show formats A"}).output == declared);
  Transcript named;  // a loop may have that name
  CHECK(named.say("tensor x(3)\ny(auto) = x(auto)\norder auto\nshow schedule").output == "order auto\n");
}

TEST_CASE("a misused command answers with its form and an example, which is one") {
  Transcript t;
  CHECK(contains(t.say("tensor A(2, 2)\nload A").messages(),
                 "its form is `load TENSOR \"file.mtx\" [record N]`, as in `load A \"matrix.mtx\"`"));
  for (const session::CommandInfo& command : session::commands()) {
    CAPTURE(command.name);
    Transcript fresh;
    REQUIRE(fresh
                .say("param n = 3\ntensor A(n, n): csr\ntensor x(n)\nrandom A seed 1\nrandom x seed 2\n"
                     "y(i) = A(i,j)*x(j)\nsnapshot before")
                .ok());
    REQUIRE(!command.example.empty());
    const bool writes = command.name == "export" || command.name == "save";
    if (command.handler && !writes) CHECK(!contains(fresh.say(std::string(command.example)).codes, "E0601"));
  }
}
