// Functions of the user: what applications become, and what is wrong with definitions.
#include <doctest/doctest.h>

#include "tests/lang/resolved.hpp"

using namespace trellis;
using testing::check_understood;
using testing::codes;
using testing::equations;
using testing::resolve;

namespace {

const std::string gcd = R"(
def gcd(x, y) {
  x, 0 => abs(x)
  0, y => abs(y)
  x, y => { x = abs(x); y = abs(y); while x != 0 { t = x; x = y % x; y = t }; y }
  commutative; associative; identity 0
}
tensor a(n): i64; tensor b(n): i32; tensor x(n); tensor s: i64
)";

std::string functions(const std::string& source) {
  const auto resolved = resolve(source);
  REQUIRE(resolved.program);
  std::string names;
  for (const lang::Function& f : resolved.program->functions) names += (names.empty() ? "" : " ") + f.name;
  return names;
}

std::string message(const std::string& source) {
  const auto resolved = resolve(source);
  for (const auto& d : resolved.diagnostics.all())
    if (d.severity == text::Severity::error) return d.message;
  return "";
}

}  // namespace

TEST_CASE("functions that are one expression are written out where they are applied") {
  const std::string x = "tensor x(n); tensor y(n); tensor A(n,n)\ndef relu(x) = max(x, 0)\ndef sq(k) = k * k\n";
  check_understood(x, "y(i) = relu(x(i) - 1)", "y(i) = max(x(i) - 1, 0)");
  check_understood(x, "y(i) = sq(sq(x(i)))", "y(i) = x(i)*x(i)*(x(i)*x(i))");
  check_understood(x, "y(i) = sq(i)", "y(i) = i*i");
}

TEST_CASE("what an expression binds does not meet the names of the equation") {
  const std::string x = "tensor A(n,n); tensor y(n)\ndef row(i) = sum(k)(A(i,k))\n";
  check_understood(x, "y(k) = row(k)", "y(k) = sum(k2)(A(k,k2))");
  check_understood(x, "y(i) = sum(k)(row(k) * A(i,k))", "y(i) = sum(k)(sum(k2)(A(k,k2))*A(i,k))");
  check_understood(x, "y(i) = row(i) * row(i)", "y(i) = sum(k)(A(i,k))*sum(k2)(A(i,k2))");
}

TEST_CASE("functions with clauses become instances, one for each list of types") {
  check_understood(gcd, "s = gcd(i)(a(i))", "s = gcd(i)(a(i))");
  check_understood(gcd, "x(i) = f64(gcd(a(i), 12)) + gcd(i, 4)", "x(i) = f64(gcd(a(i), 12)) + gcd(i, 4)");
  CHECK(functions(gcd + "c(i) = gcd(a(i), 12)\nd(i) = gcd(b(i), 12)\ne(i) = gcd(b(i), 3)") == "gcd_i64 gcd_i32");
  CHECK(functions("tensor a(n)\ndef f(c, x) { c, x => c ? x : 1 }\ny(i) = f(a(i) > 0, a(i))") == "f_boolf64");
}

TEST_CASE("definitions say what is wrong with them") {
  CHECK(codes("def f(x, x) = x") == "E0231");
  CHECK(codes("def f(x) = x + y") == "E0201");
  CHECK(codes("def f(x) = f(x)") == "E0237");
  CHECK(codes("def f(x) = g(x)\ndef g(x) = f(x)") == "E0237");
  CHECK(codes("def f(x, y) { 0, y => y }") == "E0232");
  CHECK(codes("def f(x, y) { x => x; x, y => y }") == "E0232");
  CHECK(codes("def f(x, y) { x, y => x; a, b => b }") == "E0232");
  CHECK(codes("def f(x, y) { x, y => x; comutative }") == "E0233");
  CHECK(codes("def f(x, y) { x, y => x; identity }") == "E0233");
  CHECK(codes("def f(x, y) { x, y => x; identity 0 at 2 }") == "E0233");
  CHECK(codes("def f(x) { x => { y = x } }") == "E0235");
  CHECK(codes("def f(x) { x => { x; x } }") == "E0235");
  CHECK(codes("def f(x) { x => { if x > 0 { t = 1 }; t } }") == "E0201");
  CHECK(codes("tensor A(3)\ndef f(i) { i => A(i) }") == "E0236");
  CHECK(codes("def f(x) = x\ntensor f(3)") == "E0202");
  CHECK(codes("def f(x) = x\ntensor y(3)\ny(i) = f(i, i)") == "E0224");
  CHECK(codes("def f(x) = x\nf(i) = 1 : 0 <= i < 3") == "E0204");
}

TEST_CASE("properties are tried on values of the types that the function is used with") {
  const std::string use = "\ntensor a(n): i64\ny(i) = f(a(i), a(i))";
  auto f = [&](const std::string& rest) { return "def f(x, y) { " + rest + " }" + use; };
  CHECK(codes(f("x, y => x + y; commutative; associative; identity 0")) == "N0201");
  CHECK(message(f("x, y => x - y; commutative")) == "commutative fails: f(0, 1) = -1 but f(1, 0) = 1");
  CHECK(message(f("x, y => x - y; associative")) == "associative fails: f(f(0, 0), 1) = -1 but f(0, f(0, 1)) = 1");
  CHECK(message(f("x, y => x - y; identity 0 at 1")) == "");
  CHECK(message(f("x, y => x - y; identity 0")) == "identity 0 fails: f(0, -1) = 1 but -1");
  CHECK(message(f("x, y => x * y; annihilator 0; constant 0 at 1 => 0")) == "");
  CHECK(message(f("x, y => x * y; annihilator 1")).find("annihilator 1 fails") == 0);
  CHECK(message(f("0, y => y + 1; x, y => x + y")) == "clause 0, y fails: f(0, 0) = 0 but the clause gives 1");
  CHECK(codes(f("x, y => { while x >= 0 { x = abs(x) }; x + y }; commutative")) == "N0203 N0201");
}

TEST_CASE("only functions with an identity reduce") {
  const std::string a = "tensor a(n): i64; tensor s: i64\n";
  CHECK(codes(a + "def f(x, y) = x + y\ns = f(i)(a(i))") == "E0239");
  CHECK(codes(a + "def f(x, y) { x, y => x + y }\ns = f(i)(a(i))") == "E0239");
  CHECK(codes(a + "def f(x, y) { x, y => x - y; identity 0 at 1 }\ns = f(i)(a(i))") == "E0239");
  CHECK(codes(a + "def f(x) { x => x }\ns = f(i)(a(i))") == "E0239");
  CHECK(codes(a + "def f(x, y) { x, y => x < y; identity 1 at 0 }\ns = f(i)(a(i))") == "E0239");
}

TEST_CASE("functions apply functions, of either form") {
  const std::string two = "tensor a(n)\ndef sq(x) = x * x\ndef row(x) = a(0) + x\n";
  CHECK(functions(two + "def f(x) { x => { y = sq(x) + 1; g(y) } }\ndef g(x) { x => sq(x) }\ny(i) = f(a(i)) : 0 < i") ==
        "g_f64 f_f64");
  CHECK(codes(two + "def f(x) { x => row(x) }") == "E0236");
}

TEST_CASE("a space says where a function is applied, as part of its meaning") {
  const std::string head = "tensor a(n): compressed; tensor b(n): compressed fill 2; tensor y(n); tensor t(n): bool\n";
  // It reads back as an application inside the space, which is the same.
  const auto understood = [](const std::string& declarations, const std::string& source) {
    return equations(declarations + "\n" + source);
  };
  const std::string either = head + "def f(x, y) { x, y => x + y * y; space x | y }";
  CHECK(understood(either, "y(i) = f(a(i), b(i))") == "y(i) = a(i) != 0 || b(i) != 2 ? f(a(i), b(i)) : 4\n");
  CHECK(understood(either, "y(i) = f(2*a(i) + 1, b(i))") ==
        "y(i) = 2*a(i) + 1 != 1 || b(i) != 2 ? f(2*a(i) + 1, b(i)) : 5\n");
  CHECK(understood(head + "def f(x, y) { x, y => x + y; space x & ~y }", "y(i) = f(a(i), b(i))") ==
        "y(i) = a(i) != 0 && !(b(i) != 2) ? f(a(i), b(i)) : 2\n");
  CHECK(understood(head + "def f(x, y) { x, y => x ? y : 1; space x }", "y(i) = f(t(i), b(i))") ==
        "y(i) = t(i) ? f(t(i), b(i)) : 1\n");
  CHECK(codes(head + "def f(x, y) { x, y => x + y; space x | 2 }\ny(i) = f(a(i), b(i))") == "E0233");
  CHECK(codes(head + "def f(x, y) { x, y => x + y; space x + y }\ny(i) = f(a(i), b(i))") == "E0233");
  CHECK(codes(head + "def f(x, y) { x, y => x + y; space z }\ny(i) = f(a(i), b(i))") == "E0233");
  CHECK(codes(head + "def f(x, y) { x, y => x + y; space }\ny(i) = f(a(i), b(i))") == "E0233");
  CHECK(codes(head + "def f(x, y) { x, y => x + y; space x; space y }\ny(i) = f(a(i), b(i))") == "E0233");
}
