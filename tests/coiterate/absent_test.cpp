// What an operand is where it stores nothing decides an operation, whatever it meets. Stored and written values do not.
#include <nlohmann/json.hpp>

#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis::testing;

namespace {

const std::string infinite =
    "param n = 4; tensor A(n, n): csr; tensor x(n); tensor y(n); tensor E(n): {compressed}; tensor z(n); tensor C(n, "
    "n)\n"
    "random A seed 1 density 0.4; random E seed 4 density 0.5; fill_with x [inf, 1, inf, 2]; fill_with y [0, 0, 3, "
    "4]\n";

void check_orders(const std::string& equation, std::initializer_list<const char*> orders) {
  for (const std::string order : orders) check_agrees_with_formats(infinite + equation + "\norder " + order);
}

}  // namespace

TEST_CASE("a product is 0 where an operand stores nothing, were the other one infinite") {
  check_orders("C(i,j) = A(i,j) * x(j)", {"i j", "j i", "i j-"});
  check_orders("C(i,j) = x(j) * (2 * A(i,j) + A(j,i))", {"i j", "j i"});
  check_orders("C(i,j) = A(i,j) * inf", {"i j", "j i"});
  check_orders("C(i,j) = A(i,j) / y(j)", {"i j", "j i"});
  check_orders("C(i,j) = min(A(i,j), -1) * x(i) * E(j)", {"i j", "j i"});
  check_orders("z(i) = sum(j)(A(i,j) * x(j) * inf)", {"i j", "j i"});
}

TEST_CASE("integers are not divided where the dividend is not stored") {
  check_agrees_with_formats(
      "param n = 3; tensor A(n): {compressed} i64; tensor y(n): i64; tensor Z(n, n): i64; fill_with A [0, 5, 7]; "
      "fill_with y [0, 0, 3]\n"
      "Z(i,j) = A(i) / y(j) : i < 1\norder j i");
}

TEST_CASE("an operand that may be an error is asked for, whatever is stored") {
  const std::string program =
      "param n = 3; tensor A(n, n): csr; tensor b(n); tensor p(n): i64; tensor X(n, n); fill_with b [1, inf, inf]; "
      "random A seed 1 density 0.4\n";
  for (const std::string order : {"order j i", "order i j"}) {
    CHECK(Transcript().say(program + "X(j,i) = A(j,i) * b(i%j)\n" + order + "\nrun").codes.find("E0502") !=
          std::string::npos);
    check_agrees_with_formats(program + "fill_with p [2, 0, 1]\nX(j,i) = A(p(j),i) * b(i)\n" + order);
  }
}

TEST_CASE("a written 0 times an infinity is no number, also beside sparse operands") {
  check_orders("C(i,j) = A(i,j) * x(j) * 0", {"i j", "j i"});
  check_orders("z(i) = max(j)(E(j) * x(j) * 0)", {"i j", "j i"});
  check_orders("z(l) = max(i)(E(i) * min(j,k)(x(j) * A(i,k)) * 0) : k > i", {"l i j k", "j k- l i-"});
  check_orders("z(i) = sum(j)(A(i,j) * (0 / y(j)))", {"i j", "j i"});
  check_orders("z(i) = max(j)(A(i,j) + x(j) - inf)", {"i j", "j i"});
}

TEST_CASE("where an entry is not found decides a whole product") {
  const std::string matrices = "param n = 4; tensor A(n, n): csr; tensor B(n, n): csr; tensor x(n); tensor C(n, n)\n";
  CHECK(has(shown("flow", matrices + "C(i,j) = A(i,j) * x(j) * B(i,j)\norder j i\n"),
            "C[i][j] = pB >= 0 && pA >= 0 ? A[pA] * x[j] * B[pB] : 0"));
  CHECK(has(shown("flow", matrices + "C(i,j) = 2 * A(i,j) + x(j)\norder j i\n"),
            "C[i][j] = 2 * (pA >= 0 ? A[pA] : 0) + x[j]"));
}

TEST_CASE("the space of a function is what loops visit") {
  const std::string program =
      "param n = 6; tensor a(n): compressed; tensor b(n): compressed; tensor y(n): compressed; fill_with a [1, 0, 2, "
      "0, 0, 3]; fill_with b [4, 5, 0, 0, 0, 6]\n";
  const auto of = [&](const char* space) {
    return program + "def f(x, y) { x, y => x * x + 3 * y; space " + space + " }\ny(i) = f(a(i), b(i))\norder i\n";
  };
  CHECK(has(shown("algebra", of("x & y")), "a(i) ∩ b(i)"));
  CHECK(has(shown("algebra", of("x")), "for i: a(i)"));
  CHECK(has(shown("algebra", of("x | y")), "a(i) ∪ b(i)"));
  for (const char* space : {"x", "y", "x & y", "x & ~y", "~x"}) check_agrees_with_formats(of(space));
  check_agrees(of("x | y"));
}

TEST_CASE("a clause takes the place of an application where its literal is known") {
  const std::string program =
      "param n = 6; tensor a(n): compressed i64; tensor b(n): compressed i64; tensor y(n): compressed i64\n"
      "random a seed 1 density 0.6 range -9:9; random b seed 2 density 0.6 range -9:9\n"
      "def gcd(x, y) { x, 0 => abs(x)\n 0, y => { y = abs(y); y }\n"
      " x, y => { x = abs(x); y = abs(y); while x != 0 { t = x; x = y % x; y = t }; y }; commutative; identity 0 }\n";
  const std::string both = program + "y(i) = gcd(a(i), b(i))\norder i\n";
  const std::string c = shown("c", both);
  CHECK(has(c, "gcd_i64(a[pa], b[pb], fault)"));
  CHECK(has(c, "y[py] = abs_i64(a[pa]);"));
  CHECK(has(c, "y[py] = gcd_i64_2(0, b[pb]);"));
  check_agrees(both);
  // A constant in the program is known everywhere.
  const std::string constant = program + "y(i) = gcd(a(i), 0) + b(i)\norder i\n";
  check_agrees(constant);
  // An operand that is not looked at any more may be an error.
  const std::string lost =
      "param n = 3; tensor a(n): compressed i64; tensor b(n): i64; tensor z(n): i64; fill_with a [0, 1, 0]; fill_with "
      "b [1, 1, 0]\n"
      "def f(x, y) { 0, y => 7\n x, y => { r = 7; if x != 0 { r = x + y }; r } }\nz(i) = f(a(i), 5 / b(i))\nrun\n";
  CHECK(Transcript().say(lost).codes.find("E0502") != std::string::npos);
}

TEST_CASE("truths that are counted are as sparse as they were") {
  const std::string program =
      "param n = 6; tensor G(n, n): csr bool; tensor H(n, n): csr bool; tensor k: i64; tensor m; random G seed 1 "
      "density 0.4; random H seed 2 density 0.4\n";
  const std::string both = program + "k = sum(i,j)(i64(G(i,j) && H(i,j)))\norder i j\n";
  CHECK(has(shown("algebra", both), "for j: G(i,j) ∩ H(i,j)"));
  check_agrees(both);
  const std::string some = program + "m = sum(i,j)(f64(i64(G(i,j) || H(i,j))))\norder i j\n";
  CHECK(has(shown("algebra", some), "for j: G(i,j) ∪ H(i,j)"));
  check_agrees(some);
  check_agrees(program + "m = prod(i,j)(f64(!G(i,j) || H(i,j)))\norder i j\n");
  check_agrees(program + "m = max(i,j)(f64(G(i,j) && !H(i,j)))\norder i j\n");
}
