// Results that take the arrays of an operand, and those that cannot.

#include <nlohmann/json.hpp>

#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using namespace trellis::testing;

namespace {

const char* const tensors =
    "param n = 7\nparam r = 3\ntensor A(n, n): csr\ntensor B(n, n): csr\ntensor T(n, n, n): csf\n"
    "tensor D(n, r)\ntensor E(r, n)\ntensor C(n, n): csr\n"
    "tensor Y(n, n, r): {compressed, compressed, dense}\nrandom A seed 1 density 0.4\n"
    "random B seed 2 density 0.3\nrandom T seed 3 density 0.1\nrandom D seed 4; random E seed 5\n";

bool shares(const std::string& equation) {
  Transcript t;
  return has(t.say(tensors + equation + "\nshow formats").output, "whose arrays it shares");
}

}  // namespace

TEST_CASE("sharing: scaled, sampled and contracted tensors append nothing, in any order and on threads") {
  for (const std::string equation :
       {"C(i,j) = 2 * A(i,j)\norder i j\nparallel i", "C(i,j) = A(i,j) * D(i,k) * E(k,j)\norder i j k\nparallel i",
        "C(i,j) = A(i,j) * D(i,k) * E(k,j)\norder k i j", "Y(i,j,l) = T(i,j,k) * D(k,l)\norder i j k l\nparallel i",
        "Y(i,j,l) = T(i,j,k) * D(k,l)\norder i j l k", "C(i,j) = A(i,j) / 2 + A(i,j) * A(i,j)\norder i j"}) {
    CAPTURE(equation);
    CHECK(shares(equation));
    check_agrees(tensors + equation + "\n");
    const std::string c = shown("c", tensors + equation + "\n");
    CHECK_FALSE(has(c, "capacity"));
    CHECK_FALSE(has(c, "find("));
  }
}

TEST_CASE("sharing: entries that the loops leave out, or another operand decides about, are appended") {
  for (const std::string equation :
       {"C(i,j) = A(i,j) : j <= i\norder i j", "C(i,j) = A(i,j) * B(i,j)\norder i j", "C(i,j) = A(i,j) + 1\norder i j",
        "C(i,j) = A(i,j) + B(i,j)\norder i j", "C(i,j) = A(j,i)\norder i j", "C(i,j) = max(A(i,j), 1)\norder i j"}) {
    CAPTURE(equation);
    CHECK_FALSE(shares(equation));
    check_agrees(tensors + equation + "\n");
  }
}

TEST_CASE("sharing: a result of which the operand has changed takes its new arrays") {
  Transcript t;
  REQUIRE(t.say("tensor A(3, 3): csr\ntensor C(3, 3): csr\nfill_with A [[1, 0, 2], [0, 0, 0], [3, 0, 0]]\n"
                "C(i,j) = 2 * A(i,j)\nrun")
              .ok());
  CHECK(t.value("C(0,2)") == "4");
  REQUIRE(t.say("fill_with A [[0, 5, 0], [0, 0, 0], [0, 0, 7]]").ok());
  CHECK(t.value("C(0,2)") == "0");
  CHECK(t.value("C(2,2)") == "14");
}

TEST_CASE("sharing: blocks of a layout are scaled where they are") {
  Transcript t;
  const Answer answer = t.say(
      "tensor A(8, 8): bcsr(2, 2)\ntensor C(8, 8): bcsr(2, 2)\nrandom A seed 1 density 0.2\n"
      "C(i,j) = 3 * A(i,j)\norder i j\nrun\ncheck\nshow formats");
  CHECK(answer.ok());
  CHECK(has(answer.output, "agrees with the reference"));
}

TEST_CASE("sharing: a dense level that begins elsewhere in each row is nobody else's") {
  const std::string program =
      "layout shifted: (i, j) -> (i, i + j) {compressed, dense} : 0 <= j\n"
      "tensor B(3, 3): {compressed, dense}\ntensor Y(3, 3): shifted\nrandom B seed 1\nY(j,k) = B(j,k)\norder k j\n";
  Transcript t;
  const Answer answer = t.say(program + "run\ncheck\nshow formats");
  CHECK_FALSE(has(answer.output, "whose arrays it shares"));
  CHECK(has(answer.output, "agrees with the reference on 9 elements"));
}

TEST_CASE("sharing: a last level that could repeat coordinates stores what one does that could not") {
  Transcript t;
  const Answer answer = t.say(
      "tensor C(3): {compressed(nonunique)}\ntensor Y(3): {compressed}\nrandom C seed 1\nY(i) = 2*C(i)\nrun\ncheck\n"
      "show formats");
  CHECK(has(answer.output, "whose arrays it shares"));
  CHECK(has(answer.output, "agrees with the reference"));
}
