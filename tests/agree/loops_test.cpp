// Loop programs, and what must not depend on loop orders: reference, interpreter, jit and native leave what was worked
// out by hand.
#include <doctest/doctest.h>

#include "tests/agree/agree.hpp"

using trellis::testing::run_on_every_back_end;

namespace {

void check(const std::string& program, const std::string& expected) {
  INFO(program);
  CHECK(run_on_every_back_end(program) == expected);
}

const std::string graph =
    "tensor A(6, 6): bool; tensor P(6): i64 fill -1\n"
    "fill_with A [[0,1,1,0,0,0],[1,0,0,1,0,0],[1,0,0,1,0,0],[0,1,1,0,1,0],[0,0,0,1,0,0],[0,0,0,0,0,0]]\n";

}  // namespace

TEST_CASE("Breadth-first search pushes along edges") {
  check(graph +
            "loops {\n"
            "  F(0) = true; V(0) = true\n"
            "  while any(i)(F(i)) {\n"
            "    N .= false\n"
            "    for j, k { if F(j) && A(j,k) && !V(k) { N(k) ||= true; P(k) choose(-1)= j } }\n"
            "    F .= false\n"
            "    for k { if N(k) { F(k) = true; V(k) = true } }\n"
            "  }\n"
            "}\n",
        "F = [false false false false false false]\nV = [true true true true true false]\n"
        "N = [false false false false false false]\nP = [-1 0 0 1 3 -1]\n");
}

TEST_CASE("A matrix is factored in place, with pivots") {
  check(
      "param n = 3; tensor A(n, n); tensor piv(n): i64; fill_with A [[1, 2, 3], [4, 4, 8], [2, 4, 2]]\n"
      "loops {\n"
      "  for k in 0:n {\n"
      "    piv(k) = argmax(i >= k)(abs(A(i,k)))\n"
      "    let p = piv(k) { for j { let top = A(k,j) { A(k,j) = A(p,j); A(p,j) = top } } }\n"
      "    for i in k+1:n { A(i,k) /= A(k,k); for j in k+1:n { A(i,j) -= A(i,k)*A(k,j) } }\n"
      "  }\n"
      "}\n",
      "piv = [1 2 2]\nA = [[   4    4    8]\n     [ 0.5    2   -2]\n     [0.25  0.5    2]]\n");
}

TEST_CASE("Gather and scatter, updates and early exits") {
  check("tensor a(5): i64; tensor bins(3): i64; fill_with a [2, 0, 2, 1, 2]\nloops { for i { bins(a(i)) += 1 } }\n",
        "bins = [1 1 3]\n");
  check(
      "tensor a(4): i64; fill_with a [5, -7, 6, 9]\n"
      "loops { for i { a(i) /= 2; a(i) %= 3; a(i) <<= 2; a(i) xor= 1; a(i) choose(9)= 100 } }\n",
      "a = [100 100 1 5]\n");
  check(
      "tensor x(5); loops { for i { let v = f64(i) { if i % 2 == 0 { x(i) = v } else if i > 2 { x(i) = -v } else { "
      "x(i) = 0.5 } } } }\n",
      "x = [0 0.5 2 -3 4]\n");
}

TEST_CASE("Reductions in expressions, under the conditions that need them") {
  check(
      "param n = 4; tensor x(n); tensor c: i64; fill_with x [1, 5, 2, 5]\n"
      "loops { best = argmax(i)(x(i)); total = sum(i)(x(i)) + max(i)(x(i)); none = argmin(i < 0)(x(i))\n"
      "  if c != 0 && sum(0 <= i, i < n)(i / c) > 0 { total = 0 } }\n",
      "best = 1\ntotal = 18\nnone = -1\n");
  check(
      "param n = 0; tensor x(n); loops { s = sum(i)(x(i)); m = max(i)(x(i)); a = argmin(i)(x(i)); for i { x(i) = 1 } "
      "}\n",
      "s = 0\nm = -inf\na = -1\nx = []\n");
}

TEST_CASE("Padded tensors and missing values in loops") {
  check(
      "tensor x(3): pad fill 7; fill_with x [1, 2, 3]\nloops { for i in 0:5 { y(i) = x(i-1); z(i) = coalesce(x(~i), "
      "-1) } }\n",
      "y = [7 1 2 3 7]\nz = [1 2 3 -1 -1]\n");
}

TEST_CASE("argmin and argmax pass over what is no number, in every order") {
  const std::string values =
      "param n = 4; tensor A(3, n); tensor p(3): i64; tensor q(3): i64; fill_with A [[-1, 4, 1, 1], [-1, inf, 0, -1], "
      "[-1, -1, -1, -1]]\n";
  for (const std::string order : {"i k", "i k-", "k i", "k- i"}) {
    CAPTURE(order);
    check(values + "p(i) = argmin(k)(log(A(i,k)))\nq(i) = argmax(k)(log(A(i,k)))\norder " + order,
          "p = [2 2 -1]\nq = [1 1 -1]\n");
  }
  check(values + "loops { for i { p(i) = argmin(k)(log(A(i,k))); q(i) = argmax(k)(log(A(i,k))) } }",
        "p = [2 2 -1]\nq = [1 1 -1]\n");
}

TEST_CASE("A fill that is assigned is stored over what an earlier iteration has left") {
  const std::string data =
      "param n = 3; tensor A(n, n): csr; tensor b(n); tensor s(n); fill_with A [[1, 2, 3], [0, 5, 0], [7, 0, 0]]\n"
      "fill_with b [1, 0, 0]\n";
  check(
      data +
          "loops { tensor w(n); for t { if b(t) > 0 { w .= 0 }; for i { w(i) = A(t,i) }; for i { s(i) += w(i) } } }\n",
      "s = [8 7 3]\n");
  check(data + "loops { tensor w(n); w .= 0; for i { w(i) = A(i,1); for j { s(i) max= A(j,i) + w(i); w .= 2 } } }\n",
        "s = [9 7 3]\n");
}

TEST_CASE("a tensor may be called like an array that another one is stored in") {
  const std::string data =
      "param n = 3; tensor A(n, n): csr; tensor A_pos(n+1): i64; tensor s(n); tensor t(n)\n"
      "fill_with A [[1, 2, 3], [0, 5, 0], [7, 0, 0]]\nfill_with A_pos [2, 3, 1, 3]\n";
  check(data + "loops { for i in 0:n { for p in A_pos(i):A_pos(i+1) { s(i) += p } }; for i, j { t(i) += A(i,j) } }\n",
        "s = [2 0 3]\nt = [6 5 7]\n");
}
