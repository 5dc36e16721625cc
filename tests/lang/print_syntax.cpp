#include <doctest/doctest.h>

#include <string>

#include "engine/lang/parse.hpp"
#include "tests/lang/parse_corpus.hpp"

using namespace trellis;

namespace {

lang::syntax::File parse_good(const std::string& source) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  auto file = lang::parse(sources, sources.add("t.tr", source), diagnostics);
  for (const auto& diagnostic : diagnostics.all()) FAIL_CHECK(render(diagnostic, sources, text::Colour::off));
  return file;
}

/// The normal form of a program.
std::string normal(const std::string& source) { return lang::print(parse_good(source)).characters; }

/// What is written in normal form prints as it is.
void check_stays(const std::string& line) { CHECK(normal(line) == line + "\n"); }
void check(const std::string& before, const std::string& after) { CHECK(normal(before) == after + "\n"); }

}  // namespace

TEST_CASE("every sample prints and reads back as the same tree") {
  for (const auto& sample : lang::tests::corpus) {
    CAPTURE(sample.name);
    const auto file = parse_good(sample.source);
    const std::string printed = lang::print(file).characters;
    CAPTURE(printed);
    CHECK_FALSE(file.statements.empty());
    CHECK(parse_good(printed) == file);
    CHECK(normal(printed) == printed);
  }
}

TEST_CASE("parentheses stand only where the tree needs them") {
  check("s = ((a + b)) + (c * d)", "s = a + b + c * d");
  check("s = (a + (b + c)) * d", "s = (a + (b + c)) * d");
  check("s = (-x)^2 + -(x^2)", "s = (-x)^2 + -x^2");
  check("s = (a^b)^c + a^(b^c) + 2^(-i)", "s = (a^b)^c + a^b^c + 2^-i");
  check("s = -(a * b) - (-c)", "s = -(a * b) - -c");
  check("s = !(a && b) || (c && d)", "s = !(a && b) || c && d");
  check("s = (a < b) == (c < d)", "s = (a < b) == (c < d)");
  check("s = (a | b) & c xor (d << 2)", "s = (a | b) & c xor d << 2");
  check("s = (a ? b : c) ? (d) : (e ? f : g)", "s = (a ? b : c) ? d : e ? f : g");
  check("s = a ? (b < c) : (d)", "s = a ? (b < c) : d");
  check("s = (a ? b : c) + 1", "s = (a ? b : c) + 1");
}

TEST_CASE("an expression to print is written apart from the word, whatever stood before it") {
  check("y = 1;2.5", "y = 1\nprint 2.5");
  check("kernel a {2.5\n}", "kernel a {\n  print 2.5\n}");
}

TEST_CASE("plain indices are written without blanks, values with them") {
  check("L( i , j-1 ) = A(i,k)*x( 2*i + j )", "L(i,j-1) = A(i,k) * x(2*i+j)");
  check_stays("D[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))");
  check_stays("s = max(x, 0)");
  check_stays("H(i,j) = S(a(i-1), b(j-1)) : 1 <= i, i+1 < j");
  check_stays("c(k) = collapse(B(i,j), (i,j)->k)");
  check_stays("C(i) = B(i(0:8:2), j(1:5))");
  check_stays("s() = a[t-1]");
  check_stays("s = (a,b)");
}

TEST_CASE("declarations in normal form") {
  check("tensor  G(n,n) : csr f32 fill -inf", "tensor G(n, n): csr f32 fill -inf");
  check_stays("tensor B(n+1, 2*m): {dense, compressed(nonunique, wide)} @ (1, 0) fill 'A' pad");
  check_stays("tensor s");
  check_stays("layout blocked(R, C): (i, j) -> (i/R, j/C, i%R, j%C) {dense, compressed, dense, dense}");
  check_stays("param n = 64");
}

TEST_CASE("commands keep their words and what is joined") {
  check("order  j k   i-", "order j k i-");
  check("goto i = 1, j=0", "goto i = 1, j=0");
  check_stays("fill_with B [[1, 0], [0, 2]]");
  check_stays(R"(load A "a \"quoted\" \\ name.mtx")");
  check_stays("fill_with a ['A', '\\x00']");
  check("load A 'b'", "load A 'b'");
}

TEST_CASE("blocks are indented, one statement a line") {
  check("kernel k { y(i) = x(i); order i- }",
        "kernel k {\n"
        "  y(i) = x(i)\n"
        "  order i-\n"
        "}");
  check("loops { for i in 0:n jam 4 parallel { for j in 0:n { } } }",
        "loops {\n  for i in 0:n jam 4 parallel {\n    for j in 0:n { }\n  }\n}");
  check("loops { for i down in 0:n, j reduces t unroll 4 { if a < b { t gcd= x(i) } else if b { } } }",
        "loops {\n"
        "  for i down in 0:n, j reduces t unroll 4 {\n"
        "    if a < b {\n"
        "      t gcd= x(i)\n"
        "    } else {\n"
        "      if b { }\n"
        "    }\n"
        "  }\n"
        "}");
  check("def gcd(x, y) { x, -1 => { while x != 0 { x = y % x }; y }; constant 0 at 1 => -inf }",
        "def gcd(x, y) {\n"
        "  x, -1 => {\n"
        "    while x != 0 {\n"
        "      x = y % x\n"
        "    }\n"
        "    y\n"
        "  }\n"
        "  constant 0 at 1 => -inf\n"
        "}");
  check("loops { P(k) choose(-1)= j; s xor= 1; w.=0 }",
        "loops {\n"
        "  P(k) choose(-1)= j\n"
        "  s xor= 1\n"
        "  w .= 0\n"
        "}");
}

TEST_CASE("printed spans nest like the tree and show what they name") {
  const auto printed = lang::print(parse_good("y(i) = a(i) + 2"));
  const auto shows = [&](const text::TextSpan& span) {
    return printed.characters.substr(span.begin, span.end - span.begin);
  };
  std::vector<std::string> shown;
  for (const auto& span : printed.spans) {
    CHECK(span.node.stage == text::Stage::source);
    CHECK(span.node.id >= 0);
    shown.push_back(shows(span));
  }
  CHECK(shown == std::vector<std::string>{"y(i) = a(i) + 2", "y(i)", "i", "a(i) + 2", "a(i)", "i", "2"});
}
