// Results in sparse formats to which parallel loops append: counted ahead, or refused with a reason.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

const std::string operands =
    "param n = 4; tensor A(n, n): csr; tensor B(n, n): csr; tensor C(n, n): csr\n"
    "fill_with A [[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0], [4, 0, 0, 5]]\n"
    "fill_with B [[0, 1, 1, 0], [2, 0, 0, 0], [0, 0, 0, 3], [0, 0, 1, 0]]\n";

int times(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string refusal(const std::string& commands) {
  Transcript t;
  const auto reply = t.say(operands + commands);
  CHECK(reply.codes.find("E0147") != std::string::npos);
  return reply.messages();
}

}  // namespace

TEST_CASE("what parallel iterations append is counted first") {
  Transcript t;
  REQUIRE(t.say(operands + "C(i,j) = A(i,j) + B(i,j)\norder i j\nparallel i\nrun\ncheck").ok());
  CHECK(t.value("C") ==
        "csr 4 x 4, 9 entries\n  (0,0)  1\n  (0,1)  1\n  (0,2)  3\n  (1,0)  2\n  (2,1)  3\n  (2,3)  3\n  (3,0)  4\n  "
        "(3,2)  1\n  (3,3)  5");
  const std::string c = t.say("show c").output;
  CHECK(times(c, "#pragma omp parallel if(i_pays") == 2);
  CHECK(c.find("pC += C_pos[i + 1];") != std::string::npos);
  CHECK(t.say("show flow").output.find(" counting") != std::string::npos);
  // Which operands have an entry makes no difference to how many there are.
  CHECK(times(c, "if (jA == jB)") == 1);
  CHECK(times(c, "if (jA < jB)") == 1);
}

TEST_CASE("threads have workspaces of their own, without values where entries are counted") {
  for (const char* kind : {"bytemap", "hash", "sort", "dense"}) {
    Transcript t;
    REQUIRE(t.say(operands + "C(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\nworkspace w for C(i,:) " + kind +
                  "\nparallel i\nrun\ncheck")
                .ok());
    CHECK(t.value("C") ==
          "csr 4 x 4, 6 entries\n  (0,1)  1\n  (0,2)  1\n  (0,3)  6\n  (2,0)  6\n  (3,1)  4\n  (3,2)  9");
    const std::string c = t.say("show c").output;
    CHECK(times(c, " reduction(|:refused)\n") == 2);
    CHECK(times(c, "free(w);") == (std::string(kind) == "dense" ? 2 : 1));
  }
}

TEST_CASE("a workspace that several cases of a lattice declare is one on each thread") {
  for (const char* kind : {"bytemap", "hash", "dense"}) {
    Transcript t;
    const std::string program =
        "tensor D(n): {compressed}; tensor E(n, n): csr fill 3; tensor X(n, n, n): {dense, dense, compressed}; "
        "fill_with D [1, 0, 2, 0]; random E seed 1\n";
    REQUIRE(t.say(operands + program + "X(i,j,k) = D(j) * E(i,j)\norder i j k-\nworkspace w for X(i,j,:) " + kind +
                  "\nparallel i\nrun\ncheck")
                .ok());
    CHECK(times(t.say("show flow").output, "if pE here") == 2);
  }
}

TEST_CASE("an atomic update evaluates only what has a value") {
  Transcript t;
  const std::string program =
      "tensor b(n): bool; tensor e(n): bool {compressed(unordered)}; tensor F(n, n): bool; fill_with b [0, 1, 0, 0]; "
      "fill_with e [0, 0, 1, 0]\n";
  REQUIRE(
      t.say(operands + program + "x(i) = any(j)(F(j,i) || (b(i) && e(i)))\norder j i\nparallel j\nrun native\ncheck")
          .ok());
  const std::string c = t.say("show c").output;
  CHECK(c.find("const uint8_t x_update = ") != std::string::npos);
  CHECK(c.find("#pragma omp atomic\n      x[i] |= x_update;") != std::string::npos);
}

TEST_CASE("every format of a result takes what threads append") {
  for (const char* format : {"csr", "dcsr", "coo", "{dense, hashed}", "{dense, bytemap}", "{compressed, dense}"}) {
    Transcript t;
    REQUIRE(t.say(operands + "tensor D(n, n): " + format +
                  "\nD(i,j) = A(i,j) + 2*B(i,j)\norder i j\nparallel i\nrun\ncheck")
                .ok());
    const std::string d = t.value("D");
    for (const char* entry : {"(0,2)  4\n", "(1,0)  4\n", "(2,3)  6\n", "(3,3)  5"})
      CHECK_MESSAGE(d.find(entry) != std::string::npos, format);
  }
}

TEST_CASE("threads append what is stored by entries, which a serial loop would go along") {
  for (const char* format : {"dcsr", "coo", "{compressed, compressed} @ (1, 0)", "{hashed, compressed}"})
    for (const char* equation :
         {"C(i,j) = 2 * A(i,j) : j <= i", "C(i,j) = A(i,j) * B(i,j)", "C(i,j) = A(i,j) + B(i,j)"}) {
      CAPTURE(std::string(format));
      CAPTURE(std::string(equation));
      Transcript t;
      const Answer answer = t.say(std::string("param n = 40; tensor A(n, n): ") + format +
                                  "; tensor B(n, n): dcsr; "
                                  "tensor C(n, n): dcsr\nrandom A density 0.1 seed 1; random B density 0.1 seed 2\n" +
                                  equation + "\norder i j\nparallel i\nrun native\ncheck");
      CHECK_MESSAGE(answer.output.find("agrees with the reference") != std::string::npos, answer.output);
    }
}

TEST_CASE("a parallel loop that cannot count ahead says why") {
  CHECK(refusal("C(i,j) = 2 * A(i,j) : j <= i\norder i j\nparallel j\nrun")
            .find("j is not the index that C is stored by first") != std::string::npos);
  CHECK(refusal("C(i,j) = 2 * A(i,j)\norder i j\nvectorize j\nrun")
            .find("cannot run in vectors: its iterations append to C") != std::string::npos);
  CHECK(refusal("tensor D(n, n): csc\nD(i,j) = 2 * A(i,j)\norder i j\nparallel i\nrun").find("share D_w") !=
        std::string::npos);
  CHECK(refusal("C(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\nworkspace w for C(:,:) hash\nparallel i\nrun")
            .find("its iterations share w") != std::string::npos);
}

TEST_CASE("of iterations that wait for each other nobody says that they share nothing") {
  const std::string factor =
      "param n = 1500; tensor A(n, n); tensor L(n, n)\n"
      "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
      "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\norder i j k\n";
  Transcript t;
  REQUIRE(t.say(factor).ok());
  const auto suggested = t.say("suggest").last("suggest");
  for (const auto& one : suggested["suggestions"])
    if (one["command"] == "parallel i") CHECK(!testing::contains(one["reason"].get<std::string>(), "share nothing"));
  const auto parallel = t.say("parallel i\nshow schedule");
  CHECK_MESSAGE(testing::contains(parallel.output, "iterations of i wait for each other in loop j"), parallel.output);
  // Columns add up for later rows.
  const auto refused = t.say("order j k i\nparallel j\nrun");
  CHECK(refused.codes.find("E0107") != std::string::npos);
  CHECK_MESSAGE(testing::contains(refused.messages(), "whose left side has the index j itself"), refused.messages());
}
