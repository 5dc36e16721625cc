// What is known of a result while it is appended to: the entry that has just gone in, and where its last row ends.
#include "tests/coiterate/shown.hpp"

using namespace trellis::testing;

namespace {

const std::string cholesky =
    "param n = 9; tensor A(n, n): csr; tensor L(n, n): csr; random A seed 1 spd density 0.3\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j)   : k < j < i\n"
    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))               : k < i\n"
    "order i j k\n";

}  // namespace

TEST_CASE("an entry that was appended just now is not looked up") {
  const std::string flow = shown("flow", cholesky);
  CHECK(has(flow, "append L(i, j) = L_value\n"));
  CHECK(has(flow, "tL2 += L_value^2"));
  CHECK_FALSE(has(flow, "find L.2 below [i] at j"));
  check_agrees(cholesky);
}

TEST_CASE("a value that may not be stored is the fill to its reader then") {
  const std::string program =
      "param n = 6; tensor x(n); tensor L(n): {compressed}; tensor y(n)\n"
      "fill_with x [3, 0, 4, 1, 0, -2]\n"
      "L(i) = x(i) * -2\ny(i) = exp(L(i))\norder i\n";
  CHECK(has(shown("flow", program), "y[i] = exp(L_value != 0 ? L_value : 0)"));
  check_agrees(program);
}

TEST_CASE("what was appended before the present entry is still looked up") {
  const std::string program =
      "param n = 6; tensor x(n): {compressed}; tensor y(n): {compressed}; random x seed 2 density 0.6\n"
      "y(i) = x(i) + 0.5 * y(i-1) : i > 0\ny(0) = x(0)\norder i\n";
  CHECK(has(shown("flow", program), "find y.1 at i - 1"));
  check_agrees(program);
}

TEST_CASE("a row that is appended to ends before the present entry, unlike the finished ones") {
  const std::string c = shown("c", cholesky);
  CHECK(has(c, "const int64_t pL_end = L_pos[i + 1];"));
  CHECK(has(c, "pL_2_end = seek_last(L_crd, pL_2_begin, pL_2_stop, j);"));
  CHECK(has(c, "const int64_t pA_2_end = A_pos[i + 1];"));
  // The row of an operand may go on behind the bound.
  const std::string solve =
      "param n = 9; tensor L(n, n): csr; tensor b(n); tensor x(n); random L seed 3 spd density 0.4; random b seed 4\n"
      "x(i) = (b(i) - sum(j)(L(i,j) * x(j))) / L(i,i) : j < i\norder i j\n";
  CHECK(has(shown("c", solve), "seek_last("));
  check_agrees(solve);
}

TEST_CASE("a row that ends behind the bound is clipped") {
  // C(i,j) comes last in its row; D's rows go on, and C's own are read up to another bound than the present entry.
  const std::string program =
      "param n = 7; tensor A(n, n): csr; tensor C(n, n): csr; random A seed 5 density 0.5\n"
      "C(i,j) = A(i,j) + sum(k)(C(i,k) * A(j,k)) : k < j - 1\norder i j k\n";
  CHECK(has(shown("c", program), "seek_last("));
  check_agrees(program);
}
