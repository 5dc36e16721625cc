// In what formats undeclared results are stored: of structure alone, never of data.
#include <doctest/doctest.h>

#include "tests/lang/resolved.hpp"

namespace trellis::testing {

namespace {

/// "csr", "dense", "compressed fill inf": of R, beside operands in many formats.
std::string stored(const std::string& equations) {
  const Resolved resolved = resolve(
      "tensor A(n, n): csr; tensor B(n, n): csr; tensor Ac(n, n): csc; tensor Bc(n, n): csc; tensor D(n, n)\n"
      "tensor T(n, n, n): csf; tensor a(n): compressed; tensor b(n): compressed; tensor x(n)\n"
      "tensor W(n, n): csr fill inf; tensor V(n, n): csr fill inf; tensor r(n): rle; tensor L(n, n): bcsr(2, 2)\n"
      "tensor O(n, n): csr fill 1; tensor S(n, n): csr bool\n" +
      equations);
  REQUIRE(resolved.program);
  const lang::TensorInfo& info = *resolved.program->tensor("R");
  return format::to_string(info.format) + (info.fill.is_true() ? " fill " + format::to_string(info.fill) : "");
}

}  // namespace

TEST_CASE("results' formats: sparse where some element need not be stored whatever the sizes") {
  CHECK(stored("R(i,j) = A(i,j) * D(i,j)") == "csr");
  CHECK(stored("R(i,j) = A(i,j) + B(i,j)") == "csr");
  CHECK(stored("R(i,j) = A(i,j) + D(i,j)") == "dense");
  CHECK(stored("R(i,j) = A(i,j) + 1") == "csr fill 1");
  CHECK(stored("R(i,j) = exp(A(i,j))") == "csr fill 1");
  CHECK(stored("R(i,j) = exp(A(i,j)) * x(j)") == "dense");
  CHECK(stored("R(i,k) = A(i,j) * B(j,k)") == "csr");
  CHECK(stored("R(i,k) = A(i,j) * D(j,k)") == "dense");
  CHECK(stored("R(i,k) = min(j)(W(i,j) + V(j,k))") == "csr fill inf");
  CHECK(stored("R(i,k) = any(j)(S(i,j) && S(j,k))") == "csr");
  CHECK(stored("R(i,k) = O(i,j) * O(j,k)") == "dense");  // n ones: of a size
  CHECK(stored("R(i,j) = T(i,j,k) * x(k)") == "csr");
  CHECK(stored("R(i,j,k) = 2 * T(i,j,k)") == "csf");
  CHECK(stored("R(i,j,k) = T(i,j,l) * D(l,k)") == "{compressed, compressed, dense}");
  CHECK(stored("R(i,j,k) = A(i,j) * x(k)") == "{compressed, compressed, dense}");
  CHECK(stored("R(k,i,j) = A(i,j) * x(k)") == "csf");  // k comes first
  CHECK(stored("R(i,j,k) = A(i,j) * x(k) + A(i,k) * x(j)") == "csf");
  CHECK(stored("R(i) = 2 * a(i)") == "compressed");
  CHECK(stored("R(i) = a(i) * x(i) + b(i)") == "compressed");
  CHECK(stored("R(i,j) = a(i) * b(j)") == "csr");
  CHECK(stored("R(i,j) = D(i,j) > 0 ? A(i,j) : B(i,j)") == "csr");  // whatever the condition is
  CHECK(stored("R(i,j) = D(i,j) > 0 ? A(i,j) : 1") == "dense");
  CHECK(stored("R(i,k) = sum(j)(S(i,j) ? A(j,k) : 0)") == "csr");
  CHECK(stored("R(i,j) = 2 * L(i,j)") == "csr");
  CHECK(stored("R(i) = 2 * r(i)") == "dense");  // runs leave nothing out
}

TEST_CASE("results' formats: what a reduction makes of one dimension, recurrences, loops and steps are dense") {
  CHECK(stored("R(i) = A(i,j) * x(j)") == "dense");
  CHECK(stored("R(i) = sum(j)(A(i,j))") == "dense");
  CHECK(stored("R = sum(i,j)(A(i,j))") == "dense");
  CHECK(stored("R(i,j) = A(i,j) * R(i-1,j) : i >= 1") == "dense");
  CHECK(stored("R[0](i) = a(i)\nR[t](i) = R[t-1](i) * a(i) : 1 <= t < 3") == "dense");
  CHECK(stored("loops { R .= 0; for i in 0:n { R(i) = a(i) } }") == "dense");
}

TEST_CASE("results' formats: in the order in which loops walk operands as they are stored") {
  CHECK(stored("R(j,i) = A(i,j)") == "csc");
  CHECK(stored("R(i,j) = 2 * Ac(i,j)") == "csc");
  CHECK(stored("R(i,k) = Ac(i,j) * Bc(j,k)") == "csc");
  CHECK(stored("R(i,k) = Ac(i,j) * B(j,k)") == "csr");
  CHECK(stored("R(i,j) = A(i,j) + A(j,i)") == "csr");
  CHECK(stored("R(i,j) = A(j,i) + A(i,j)") == "csc");
  CHECK(stored("R(k,j,i) = 2 * T(i,j,k)") == "{compressed, compressed, compressed} @ (2, 1, 0)");
}

TEST_CASE("results' formats: results of results, and what was asked for") {
  CHECK(stored("M(i,k) = A(i,j) * B(j,k)\nR(i,k) = M(i,j) * A(j,k)") == "csr");
  CHECK(stored("R(i,k) = M(i,j) * A(j,k)\nM(i,k) = A(i,j) * B(j,k)") == "csr");
  CHECK(stored("M(i,k) = A(i,j) * D(j,k)\nR(i,k) = M(i,j) * A(j,k)") == "dense");
  CHECK(stored("R(i,j) = A(i,j)\nformat R dense") == "dense");
  CHECK(stored("R(i,j) = A(i,j)\nformat R dense; format R auto") == "csr");
  CHECK(stored("M(i,j) = A(i,j) * R(i-1,j) : i >= 1\nR(i,j) = M(i,j)") == "dense");
  CHECK(stored("tensor R(n, n)\nR(i,j) = A(i,j)") == "dense");
  CHECK(stored("R(i,j) = A(i,j) : i < j\nR(i,j) = D(i,j) : i >= j") == "dense");
  CHECK(stored("R(i,j) = A(i,j) : i < j\nR(i,j) = B(i,j) : i >= j") == "csr");
}

}  // namespace trellis::testing
