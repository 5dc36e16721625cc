// `show memory`: what a kernel allocates, how many steps it keeps and why.
#include <doctest/doctest.h>

#include "tests/session/transcript.hpp"

using namespace trellis;

namespace {

std::string memory(const std::string& program) {
  testing::Transcript t;
  const auto answer = t.say(program + "\nshow memory");
  CHECK_MESSAGE(answer.ok(), answer.messages());
  return answer.output;
}

}  // namespace

TEST_CASE("the peak is what lives at one time") {
  const std::string kernel = "param n = 4\ntensor A(n, n)\ny(i) = sum(j)(A(i,j))\nz(i) = 2*y(i)\norder i j";
  CHECK(testing::contains(memory(kernel), "peak: 192 bytes at a time\n"));  // A, y and z
  const std::string cholesky =
      "param n = 4\ntensor A(n, n)\ntensor L(n, n)\n"
      "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))/L(j,j) : k < j < i\n"
      "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\norder i j k";
  CHECK(testing::contains(memory(cholesky), "peak: 272 bytes at a time\n"));  // A, L, and two sums
  CHECK(testing::contains(memory("param n = 4\ntensor A(n, n): csr\ny(i) = sum(j)(A(i,j))\norder i j"),
                          "peak: at least "));
  CHECK_FALSE(testing::contains(memory("tensor A(n, n)\ny(i) = sum(j)(A(i,j))\norder i j"), "peak"));
}

TEST_CASE("which read needs how many buffers") {
  const std::string head = "param n = 6\ntensor u(n)\n";
  CHECK(testing::contains(memory(head + "u[t](i) = u[t-1](i) + 1 : t < 9\norder t i"), "\nu has one buffer\n"));
  CHECK(
      testing::contains(memory(head + "u[t](i) = u[t-1](i-1) + u[t-1](i+1) : 1 <= i < n-1, t < 9\norder t i"),
                        "\nu has 2 buffers: u[-1](1) is read at t=0, i=2, and one buffer would lose it at t=0, i=1\n"));
  const std::string sum = "u[t](i) = u[t-1](i) + i : t < 9\ns(i) = sum(r)(u[r](i)) : 0 <= r < 9\norder t i r";
  CHECK(testing::contains(
      memory(head + sum),
      "\nall steps of u are kept: u[0](0) is read at i=0, r=0, and 4 buffers would lose it at t=4, i=0\n"));
}

TEST_CASE("what loops keep beside tensors is listed, and part of the peak") {
  testing::Transcript session;
  const auto said = session.say(
      "param n = 70\ntensor A(n, n): csc\ntensor L(n, n): csc\ntensor U(n, n): csc\nrandom A seed 1 density 0.1\n"
      "kernel lu {\n"
      "  L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i\n"
      "  U(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j)) : k < i <= j\n  order j k i\n}\nshow memory lu\n");
  REQUIRE(said.ok());
  CHECK(testing::contains(said.output, "tU: temporary, (n) f64, bytemap"));
  CHECK(testing::contains(said.output, "tU_bits: an ordered set, as tU grows while it is walked, 32 bytes"));
  CHECK(testing::contains(said.output, "L_next: a pointer that marches for each fiber of L, 560 bytes"));
  testing::Transcript other;
  const auto lists = other.say(
      "param n = 10\ntensor A(n, n): csc\ntensor L(n, n): csc\nrandom A seed 1 spd density 0.1\n"
      "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
      "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\norder j k i\nshow memory\n");
  REQUIRE(lists.ok());
  CHECK(testing::contains(lists.output, "L_lists: lists in which fibers of L wait, 240 bytes"));
}
