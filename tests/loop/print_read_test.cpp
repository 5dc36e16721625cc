// Loops print in a notation that reads back as the same loops.

#include "tests/loop/notation.hpp"

using namespace trellis;
using namespace trellis::loop;
using namespace trellis::loop::testing;

namespace {

/// The notation is in normal form: it reads, and prints as it stood.
void check_same(const std::string& notation) {
  INFO(notation);
  CHECK(to_string(loops(notation)) == notation);
  CHECK(loops(to_string(loops(notation))) == loops(notation));
}

std::string problem(const std::string& notation) {
  text::Diagnostics diagnostics;
  auto stmt = read(notation, world(), diagnostics);
  CHECK_FALSE(stmt);
  return diagnostics.empty() ? "" : diagnostics.all().front().code;
}

}  // namespace

TEST_CASE("every statement reads back") {
  check_same("x(0) = 1\n");
  check_same("for i in 0:n {\n  x(i) += A(i,i)*y(i)\n}\n");
  check_same("for i down in 1:n {\n  x(i) = x(i-1)/2\n}\n");
  check_same("for i in 0:n jam 4 {\n  for j in 0:n {\n    A(i,j) = 0\n  }\n}\n");
  check_same("forall j in 0:n reduces s parallel unroll 4 {\n  s += x(j)\n}\n");
  check_same("forall j in 0:n vectorize {\n  x(j) min= y(j)\n}\n");
  check_same("while s < 10 {\n  s *= 2\n}\n");
  check_same("if F(0) && 0 < n {\n  x(0) max= half\n} else {\n  x .= 0\n}\n");
  check_same("if F(0) {\n  s = 1\n} else if F(1) {\n  s = 2\n} else {\n  s = 3\n}\n");
  check_same("tensor t: f64\nt = 0\ntensor w(n, n + 1): f32 fill 1\nw(0,0) = f32(t)\n");
  check_same("for i in 0:n {\n  F(i) ||= p(i) > 3\n  F(i) &&= x(i) <= 2.5\n}\n");
  check_same("freeze x\nthaw x\n");
  check_same("for i in 0:n {\n  let v = x(i) + 1 {\n    y(i) = v*v\n  }\n}\n");
  check_same("for i in 0:n {\n  let k = 2*i {\n    if k < n {\n      y(k) = x(i)\n    }\n  }\n}\n");
  check_same("for k in max(0, m - 1):min(n, m) {\n  y(k) = x(p(k))\n}\n");
  check_same("for i in 0:n { }\n");
}

TEST_CASE("short forms stand for long ones") {
  CHECK(loops("for i, j { A(i,j) = B(j,i) }") == loops("for i in 0:n { for j in 0:n { A(i,j) = B(j,i) } }"));
  CHECK(loops("for i, j { W(i,j) = 0 }") == loops("for i in 0:n { for j in 0:m { W(i,j) = 0 } }"));
  CHECK(loops("s -= x(0)") == loops("s = s - x(0)"));
  CHECK(loops("let a = 1, b = 2 { s = a + b }") == loops("let a = 1 { let b = 2 { s = a + b } }"));
}

TEST_CASE("notes print as comments and do not read back") {
  const Stmt noted = block({Stmt(StmtNode{Note{"ready x(:i)"}, {}}), loops("s = 1").as<Block>()->statements[0]});
  CHECK(to_string(noted) == "# ready x(:i)\ns = 1\n");
  CHECK(loops(to_string(noted)) == without_notes(noted));
}

TEST_CASE("spans name the statements") {
  const Stmt nest = number(loops("for i in 0:n { x(i) = 1 }"));
  const text::Text shown = print(nest, text::Stage::placement);
  std::vector<std::string> seen;
  for (const auto& span : shown.spans) {
    if (span.node.stage != text::Stage::placement) continue;
    seen.push_back(std::to_string(span.node.id) + " " + shown.characters.substr(span.begin, span.end - span.begin));
  }
  const std::string body = "{\n  x(i) = 1\n}", loop = "for i in 0:n " + body;
  REQUIRE(seen.size() == 4);
  CHECK(seen[0] == "0 " + loop);
  CHECK(seen[1] == "1 " + loop);
  CHECK(seen[2] == "2 " + body);
  CHECK(seen[3] == "3 x(i) = 1");
}

TEST_CASE("what is wrong is reported where it stands") {
  CHECK(problem("q(0) = 1") == "E0201");
  CHECK(problem("x(0) = q") == "E0201");
  CHECK(problem("for i in 0:n { for i in 0:n { x(i) = 1 } }") == "E0202");
  CHECK(problem("for i { s = 1 }") == "E0302");
  CHECK(problem("for i { x(i) = W(0,i) }") == "E0301");
  CHECK(problem("F(0) = 1") != "");
}
