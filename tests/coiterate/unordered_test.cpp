// Operands whose entries have no order: walked alone, found in a copy beside others.
#include "tests/coiterate/shown.hpp"

using namespace trellis::testing;

namespace {

/// B and x have no order; A has one.
const std::string operands =
    "param n = 9; tensor A(n, n): csr; tensor B(n, n): {dense, compressed(unordered)}; tensor x(n): "
    "{compressed(unordered)}\n"
    "random A seed 1 density 0.4; random B seed 2 density 0.4; random x seed 3 density 0.5\n"
    "tensor C(n, n): csr; tensor y(n); tensor d(n); tensor s\n";

}  // namespace

TEST_CASE("a sum merges an ordered operand with a copy of the other") {
  const std::string program = operands + "C(i,j) = A(i,j) + B(i,j)\norder i j\n";
  CHECK(has(shown("formats", program),
            "B: it is copied to B_w(n, n): {hashed, hashed}, because its entries have no order"));
  const std::string flow = shown("flow", program);
  CHECK(has(flow, "lead pA at A.2 below [i]\n        lead pB_w at B_w.2 below [pB_w1] if pB_w1 >= 0"));
  CHECK_FALSE(has(flow, "find B.2"));
  check_agrees(program);
}

TEST_CASE("what is appended needs an order too") {
  const std::string program = operands + "C(i,j) = 2 * B(i,j)\norder i j\n";
  CHECK(has(shown("formats", program), "B: it is copied to"));
  check_agrees(program);
  check_agrees(operands + "C(i,j) = 2 * B(i,j)\norder j i\n");
}

TEST_CASE("the copy of a vector serves every row") {
  const std::string program = operands + "y(i) = sum(j)(A(i,j) * x(j))\norder i j\n";
  CHECK(has(shown("c", program), "find_entry(&x_w_entries, 0, j)"));
  CHECK_FALSE(has(shown("c", program), "find_any"));
  check_agrees(program);
}

TEST_CASE("an operand that is only walked is not copied") {
  for (const char* equation : {"y(i) = sum(j)(B(i,j))\norder i j\n", "y(j) = sum(i)(2 * B(i,j))\norder i j\n"}) {
    CHECK_FALSE(has(shown("formats", operands + equation), "it is copied"));
    check_agrees(operands + equation);
  }
}

TEST_CASE("one search in each row costs less than a copy") {
  for (const char* equation : {"d(i) = B(i,i)\norder i\n", "s = B(2,3)\n"}) {
    CHECK_FALSE(has(shown("formats", operands + equation), "it is copied"));
    check_agrees(operands + equation);
  }
}

TEST_CASE("a copy that is asked for has the format that is asked for") {
  const std::string program = operands + "C(i,j) = A(i,j) + B(i,j)\norder i j\nworkspace R for B(:,:) dense\n";
  CHECK(has(shown("formats", program), "B: it is copied to R(n, n): dense, because its entries have no order"));
  check_agrees(program);
}

TEST_CASE("entries without an order at several levels are copied whole") {
  const std::string program =
      "param n = 7; tensor B(n, n): {compressed(nonunique, unordered), singleton}; tensor A(n, n): csr; tensor C(n, "
      "n): csr\n"
      "random A seed 1 density 0.4; random B seed 2 density 0.4\nC(i,j) = max(A(i,j), B(j,i))\n";
  for (const char* order : {"order i j\n", "order j i\n"}) {
    CHECK_FALSE(has(shown("c", program + order), "find_any"));
    check_agrees(program + order);
  }
}
