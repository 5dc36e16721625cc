// Loops over what an operand stores.

#include <nlohmann/json.hpp>

#include "tests/coiterate/shown.hpp"
#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using namespace trellis::testing;

namespace {

std::string product(const std::string& declarations, const std::string& format, const std::string& schedule) {
  return declarations + "\ntensor A(n, m): " + format + "\ntensor x(m)\ny(i) = A(i,j) * x(j)\norder i j\n" + schedule +
         "\n";
}

}  // namespace

TEST_CASE("lead: diagonals and along them, blocks and in them, rows and columns") {
  CHECK(shown("loops", product("", "dia", "lead A")) == R"(forall i in 0:n {
  y(i) = 0
}
forall j_i in 1:m + n reduces y {
  forall i in max(n - j_i, 0):min(m + n - j_i, n) {
    y(i) += A(j_i,i)*x(i+j_i-n)
  }
}
)");
  CHECK(has(shown("loops", product("", "bcsr(2, 3)", "lead A")), "y(i0+2*i1) += A(i1,j1,i0,j0)*x(j0+3*j1)"));
  CHECK(has(shown("loops", product("", "csc", "lead A")), "forall j in 0:m reduces y {\n  forall i in 0:n {"));
  CHECK(has(shown("schedule", product("", "dia", "lead A")), "lead A   # certified for all sizes"));
}

TEST_CASE("lead: each entry of a symmetric matrix is for both of its elements") {
  const std::string loops = shown("loops", R"(layout sym: (i, j) -> (max(i, j), min(i, j)) {dense, compressed}
tensor A(n, n): sym
tensor x(n)
y(i) = A(i,j) * x(j)
order i j
lead A
)");
  CHECK(has(loops, "forall j in 0:i reduces y {\n    y(i) += A(i,j)*x(j)\n    y(j) += A(i,j)*x(i)\n  }"));
}

TEST_CASE("lead: a sum whose terms come in another order is named, and checked by its equation") {
  const auto said = [](const std::string& to) {
    Transcript t;
    return t
        .say("param n = 12\nlayout own: (i, j) -> (" + to +
             ", i) {compressed, dense}\ntensor A(n, n): own\ntensor x(n)\n"
             "random A seed 1 density 0.4\nrandom x seed 2 density 1\ny(i) = A(i,j) * x(j)\norder i j\nlead "
             "A\nrun\ncheck")
        .output;
  };
  CHECK(has(said("i - j"), "the sum over j in y is added up in another order, by `lead A`: reassociated"));
  CHECK(has(said("j - i"), "main: agrees with the reference on 12 elements"));
}

TEST_CASE("lead: what cannot lead says why") {
  const auto said = [](const std::string& equation) {
    Transcript t;
    const Answer answer = t.say("tensor A(n, n): dia\ntensor x(n)\n" + equation + "\nlead A\nshow loops");
    return answer.codes + " " + answer.messages();
  };
  CHECK(has(said("y(i) = A(i,i) * x(i)"), "E0145"));
  CHECK(has(said("y(i) = A(i,j) * x(j) + A(j,i)"), "A cannot lead: it is read at several indices"));
  CHECK(has(said("y(i) = x(i)"), "A cannot lead: no loop reads it"));
  Transcript scalar;
  const Answer answer = scalar.say("tensor c\ntensor x(3)\ny(i) = c * x(i)\nlead c\nshow loops");
  CHECK(has(answer.messages(), "c cannot lead: it has no index"));
}
