// Loop programs in the resolver: what they read and write, which results they announce, and what is wrong with them.
#include <doctest/doctest.h>

#include "engine/lang/action.hpp"
#include "tests/lang/resolved.hpp"

using namespace trellis;
using testing::codes;
using testing::resolve;
using testing::Resolved;

namespace {

const std::string world =
    "tensor A(n, n); tensor x(n); tensor y(n); tensor W(n, m); tensor p(n): i64; tensor F(n): bool; tensor s; param "
    "half = 0.5\n";

/// Of the statements inside `loops { … }`.
std::string loop_codes(const std::string& statements) { return codes(world + "loops {\n" + statements + "\n}"); }

std::string announced(const std::string& source) {
  const Resolved result = resolve(source);
  std::string text;
  for (const auto& d : result.diagnostics.all()) text += (text.empty() ? "" : "; ") + d.message;
  return text;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a loop program says what it reads and writes") {
  const Resolved r =
      resolve(world + "loops { tensor w(n); w .= 1; for i, j { w(j) += A(i,j); x(p(i)) = w(j) }; s = half }");
  REQUIRE(r.program);
  const lang::Kernel& kernel = r.program->kernels.at(0);
  CHECK(kernel.results() == Names{"x", "s"});
  CHECK(kernel.operands() == Names{"A", "p"});
  CHECK(kernel.variables() == Names{"i", "j"});
}

TEST_CASE("several blocks follow each other, and kernels hold loops or equations") {
  CHECK(resolve(world + "loops { s = 1 }; loops { s += 1 }").program->kernels.at(0).loops->size() == 2);
  CHECK(resolve(world + "kernel K { loops { s = 1 } }; z(i) = x(i)").program->kernels.size() == 2);
  CHECK(codes(world + "s = 1; loops { s += 1 }") == "E0260");
  CHECK(codes(world + "kernel K { loops { s = 1 }; y(i) = x(i) }") == "E0260");
}

TEST_CASE("undeclared left sides become results") {
  CHECK(announced(world + "loops { for i { z(i) = x(i) } }") == "new dense result z(n): f64");
  CHECK(announced(world + "loops { for i { z(i+1) = p(i) } }") == "new dense result z(n + 1): i64");
  CHECK(announced(world + "loops { for i in 0:n, j in 0:i { z(j,i) = 1.5 } }") == "new dense result z(n - 1, n): f64");
  CHECK(announced(world + "loops { for i in 2:m { z(m-i) = true } }") == "new dense result z(m - 1): bool");
  CHECK(announced(world + "loops { z(3) = i64(1); z(0) = 2 }") == "new dense result z(4): i64");
  CHECK(announced(world + "loops { total = 0; for i { total += x(i) } }") == "new dense result total: f64");
  CHECK(announced(world + "loops { for i { z(i) = F(i) }; for i { if z(i) { u(i) = i } } }") ==
        "new dense result z(n): bool; new dense result u(n): i64");
  CHECK(announced(world + "kernel a { loops { for i { z(i) = p(i) } } }; kernel b { u(i) = z(i) + 1 }") ==
        "new dense result u(n): i64; new dense result z(n): i64");
  CHECK(codes(world + "loops { for i { z(p(i)) += 1 } }") == "E0261");
  CHECK(codes(world + "loops { let k = p(0) { z(k) = 1 } }") == "E0261");
  CHECK(codes(world + "loops { z .= 0 }") == "E0201");
}

TEST_CASE("ranges come from the dimensions that a variable indexes alone") {
  CHECK(loop_codes("for i { tensor w(n+1); w(i) = x(i) }") == "");
  CHECK(loop_codes("for i { s = i }") == "E0302");
  CHECK(loop_codes("for i { x(i+0) = 1 }") == "E0302");
  CHECK(loop_codes("for i { x(i) = W(0,i) }") == "E0301");
  CHECK(loop_codes("for i in p(0):p(1) { s += i }") == "");
  CHECK(loop_codes("for i in x(0):n { s += i }") == "E0220");
  CHECK(loop_codes("s = sum(k)(x(k)) + sum(k, l, l < k)(A(k,l))") == "");
  CHECK(loop_codes("s = sum(k)(half)") == "E0302");
  CHECK(loop_codes("s = sum(k, l, k <= l, l <= k)(half)") == "E0302");
  CHECK(loop_codes("s = sum(k < p(0))(x(k))") == "E0303");
}

TEST_CASE("names have one meaning") {
  CHECK(loop_codes("for i { for i { x(i) = 1 } }") == "E0202");
  CHECK(loop_codes("for x in 0:n { s = 1 }") == "E0202");
  CHECK(loop_codes("let n = 3 { s = n }") == "E0202");
  CHECK(loop_codes("for i { s = sum(i)(x(i)) }") == "E0202");
  CHECK(loop_codes("tensor x(n)") == "E0202");
  CHECK(loop_codes("for i { x(i) = y(k) }") == "E0201");
  CHECK(loop_codes("for i in 0:n { i = 3 }") == "E0263");
  CHECK(loop_codes("let v = half { v += 1 }") == "E0263");
  CHECK(loop_codes("half = 1") == "E0204");
  CHECK(loop_codes("for i in 0:n { tensor w(i); w .= 0 }") == "E0262");
  CHECK(loop_codes("tensor w(q); w .= 0") == "E0262");
}

TEST_CASE("types") {
  CHECK(loop_codes("if x(0) { s = 1 }") == "E0221");
  CHECK(loop_codes("while 1 { s = 1 }") == "E0222");
  CHECK(loop_codes("for i { x(i) = p(i) }") == "E0220");
  CHECK(loop_codes("F(0) += true") == "E0223");
  CHECK(loop_codes("F(0) ||= x(0)") == "E0221");
  CHECK(loop_codes("for i { x(i) = A(i) }") == "E0203");
  CHECK(loop_codes("x(half) = 1") == "E0220");
  CHECK(loop_codes("let v = x(0) > 1, w = i64(x(1)) { if v { p(w) = w } }") == "");
}

TEST_CASE("updates") {
  for (const char* update : {"+", "-", "*", "/", "%", "min", "max", "^"})
    CHECK(loop_codes("p(0) " + std::string(update) + "= 2") == "");
  for (const char* update : {"<<", ">>", "&", "|", "xor"})
    CHECK(loop_codes("p(0) " + std::string(update) + "= 2") == "");
  CHECK(loop_codes("p(0) choose(-1)= 2; x(0) hypot= 3") == "");
  CHECK(loop_codes("x(0) frob= 1") == "E0265");
  CHECK(loop_codes("x(0) hypot(2)= 1") == "E0265");
  CHECK(loop_codes("x(0) .= 1") == "E0267");
}

TEST_CASE("frozen tensors are not written") {
  CHECK(loop_codes("x .= 0; freeze x; s = x(0); thaw x; x(0) = 1") == "");
  CHECK(loop_codes("freeze x; x(0) = 1") == "E0264");
  CHECK(loop_codes("freeze x; x .= 0") == "E0264");
  CHECK(loop_codes("for i { x(i) = 1; freeze x }") == "E0264");
  CHECK(loop_codes("if F(0) { freeze x }; x(0) = 1") == "E0264");
  CHECK(loop_codes("freeze half") == "E0204");
  CHECK(loop_codes("for i { tensor w(n); w(0) = 1; freeze w; x(i) = w(0) }") == "");
  CHECK(loop_codes("for i in 0:n { freeze x; s = x(0); thaw x; x(0) = s }") == "");
}

TEST_CASE("freeze and thaw take turns") {
  CHECK(loop_codes("freeze x; freeze x") == "E0270");
  CHECK(loop_codes("thaw x; x(0) = 1") == "E0270");
  CHECK(loop_codes("freeze x; thaw x; thaw x") == "E0270");
  CHECK(loop_codes("freeze x; thaw x; freeze x; thaw x") == "");
  CHECK(loop_codes("for i in 0:n { freeze x }") == "E0270");
  CHECK(loop_codes("freeze x; for i in 0:n { thaw x; x(i) = 1; freeze x }; thaw x") == "");
  CHECK(loop_codes("for i in 0:n { thaw x; x(i) = 1; freeze x }") == "E0270");
  CHECK(loop_codes("if F(0) { freeze x } else { freeze x }; thaw x") == "");
}

TEST_CASE("marks") {
  CHECK(loop_codes("forall i reduces s { s += x(i) }") == "");
  CHECK(loop_codes("for i reduces s { s += x(i) }") == "E0269");
  CHECK(loop_codes("forall i until F(i) { x(i) = 1 }") == "E0269");
}
