// Results whose entries come fiber by fiber in turn: counted, then put where they belong; and those that cannot be.

#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using namespace trellis::testing;

namespace {

const char* const matrices =
    "param n = 7\nparam m = 5\ntensor A(n, m): csr\ntensor B(n, m): csr\ntensor D(n, m)\ntensor S(n, m, n): csf\n"
    "tensor T(m, n): csr\ntensor U(m, n, n): {dense, dense, compressed}\nrandom A seed 1 density 0.4\n"
    "random B seed 2 density 0.3\nrandom D seed 3\nrandom S seed 4 density 0.2\n";

bool scatters(const std::string& equation) {
  Transcript t;
  return has(t.say(matrices + equation + "\nshow formats").output, "entries are counted, fiber by fiber");
}

}  // namespace

TEST_CASE("scattered: transposed and converted, of one operand or several, under conditions") {
  for (const std::string equation :
       {"T(j,i) = A(i,j)\norder i j", "T(j,i) = A(i,j) * B(i,j)\norder i j", "T(j,i) = A(i,j) + B(i,j)\norder i j",
        "T(j,i) = A(i,j) : j <= i\norder i j", "T(j,i) = D(i,j) > 0.5 ? D(i,j) : 0\norder i j",
        "U(j,i,k) = S(i,j,k)\norder i j k", "U(j,k,i) = S(i,j,k)\norder i j k"}) {
    CAPTURE(equation);
    CHECK(scatters(equation));
    check_agrees(matrices + equation + "\n");
    const std::string c = shown("c", matrices + equation + "\n");
    CHECK_FALSE(has(c, "insert("));
  }
}

TEST_CASE("scattered: pointers that march begin anew once all is counted") {
  Transcript t;
  const Answer answer = t.say(
      "tensor A(4, 2): i32 csc\ntensor B(4, 2): i32 {compressed, compressed}\ntensor C(8, 2): i32 csr\n"
      "tensor R(8, 2): i32 csr\nrandom A seed 1 density 0.8; random B seed 2 density 0.3; random C seed 3 density 0.6\n"
      "R(i,j) = concat(A(k,j), B(l,j), (k,l)->i) * C(i,j)\norder j i\nrun\ncheck\nshow flow");
  CHECK(has(answer.output, "scatter R counting"));
  CHECK(has(answer.output, "march C_next again in C.2"));
  CHECK(has(answer.output, "agrees with the reference on 16 elements"));
}

TEST_CASE("scattered: not where entries of a fiber fall or repeat, loops run on threads or do other things") {
  Transcript threads;
  CHECK(threads.say(std::string(matrices) + "T(j,i) = A(i,j)\norder i j\nparallel i\nrun").codes.find("E0147") !=
        std::string::npos);
  for (const std::string equation :
       {"T(j,i) = A(i,j)\norder i- j", "T(j,i) = S(i,j,k)\norder k i j", "T(j,i) = A(i,j)\nx(i) = A(i,j)\norder i j"}) {
    CAPTURE(equation);
    CHECK_FALSE(scatters(equation));
    check_agrees(matrices + equation + "\n");
  }
}

TEST_CASE(
    "scattered: empty, stored zeros, wide indices and patterns; and a result that is too large ends with a fault") {
  for (const std::string format : {"csr", "{dense, compressed(wide)}"}) {
    Transcript t;
    const Answer answer = t.say("param n = 3\ntensor A(n, n): csr\ntensor T(n, n): " + format +
                                "\nT(j,i) = A(i,j)\nrun\ncheck\nfill_with A [[1, 0, 2], [0, 0, 0], [3, 4, 0]]\nrun\n"
                                "check\nprint T\n");
    CHECK(answer.ok());
    CHECK(has(answer.output, "  (0,0)  1\n  (0,2)  3\n  (1,2)  4\n  (2,0)  2\n"));
  }
  Transcript none;
  CHECK(none.say("tensor A(0, 4): csr\ntensor T(4, 0): csr\nT(j,i) = A(i,j)\nrun\ncheck").ok());
  Transcript truth;
  CHECK(
      truth
          .say("tensor A(4, 5): bool {dense, compressed, pattern}\ntensor T(5, 4): bool {dense, compressed, pattern}\n"
               "random A seed 1 density 0.4\nT(j,i) = A(i,j)\nrun\ncheck")
          .ok());
}
