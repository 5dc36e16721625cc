// Where a statement goes in the text of a program.
#include "engine/lang/statement_edit.hpp"

#include <doctest/doctest.h>

namespace trellis::lang {
namespace {

const std::string two =
    "param n = 4\n"
    "kernel first {\n"
    "  y(i) = A(i,j) * x(j)   # a product\n"
    "  order i j\n"
    "}\n"
    "kernel second { z(i) = 2 * x(i) }\n"
    "w(i) = y(i) + z(i)\n"
    "print w\n";

std::string edited(const std::string& content, const std::string& statement, const StatementScope& scope) {
  return edit_for(content, statement, scope).applied_to(content);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

text::Span span_of(const std::string& text, const std::string& part) {
  const auto at = static_cast<std::uint32_t>(text.find(part));
  return {0, at, at + static_cast<std::uint32_t>(part.size())};
}

}  // namespace

TEST_CASE("an order takes the place of its kernel's order, or stands behind its equations") {
  CHECK(edited(two, "order j i", {.kernel = "first"}) == replaced(two, "order i j", "order j i"));
  CHECK(edited(two, "order i-", {.kernel = "second"}) == replaced(two, "2 * x(i)", "2 * x(i)\norder i-"));
  CHECK(edited(two, "order i-", {.kernel = "main"}) == replaced(two, "+ z(i)", "+ z(i)\norder i-"));
  CHECK(edited(two, "parallel i", {.kernel = "first"}) == replaced(two, "order i j", "order i j\n  parallel i"));
}

TEST_CASE("a remark stays on the line of its equation") {
  const std::string bare = replaced(two, "  order i j\n", "");
  CHECK(edited(bare, "order j i", {.kernel = "first"}) ==
        replaced(bare, "# a product\n", "# a product\n  order j i\n"));
}

TEST_CASE("the format of a tensor takes the place of the one it had, and of no other") {
  const std::string text = "y(i) = A(i,j) * B(i,j)\nformat A csr\nformat B dcsr\n";
  CHECK(edited(text, "format A csc", {}) == replaced(text, "format A csr", "format A csc"));
  CHECK(edited(text, "format y sparse", {}) == replaced(text, "format B dcsr", "format B dcsr\nformat y sparse"));
}

TEST_CASE("an equation takes the place of the one that is meant, and sizes come first") {
  const StatementScope about{.about = span_of(two, "x(i)")};
  CHECK(edited(two, "z(i) = 3 * x(i)", about) == replaced(two, "z(i) = 2 * x(i)", "z(i) = 3 * x(i)"));
  // What is declared already is declared anew in its place, whatever kernel one looks at.
  const std::string declared = "param n = 3\ntensor x(n)   # of them\nkernel k { y(i) = x(i) }\n";
  CHECK(edited(declared, "param n = 5", {.kernel = "k"}) == replaced(declared, "n = 3", "n = 5"));
  CHECK(edited(declared, "tensor x(n): fill inf", {.kernel = "k"}) ==
        replaced(declared, "tensor x(n)", "tensor x(n): fill inf"));
  const TextEdit size = edit_for("# sizes\ny(i) = x(i)\n", "param n = 5", {});
  CHECK(size == TextEdit{8, 8, "param n = 5\n"});
  CHECK(size.line_in("# sizes\ny(i) = x(i)\n") == 2);
}

TEST_CASE("an equation that is about no equation takes the place of one with the same left side") {
  CHECK(edited(two, "w(i) = y(i)", {}) == replaced(two, "w(i) = y(i) + z(i)", "w(i) = y(i)"));
}

TEST_CASE("an expression takes the place of the one that it is about, and leaves the print before it") {
  const std::string text = "tensor x(3)\nprint x(i) > 1  # how many\nx(i) > 2\n";
  CHECK(edited(text, "sum(i)(x(i)) > 1", {.about = span_of(text, "x(i) > 1")}) ==
        replaced(text, "x(i) > 1", "sum(i)(x(i)) > 1"));
  CHECK(edited(text, "sum(i)(x(i)) > 2", {.about = span_of(text, "x(i) > 2")}) ==
        replaced(text, "x(i) > 2", "sum(i)(x(i)) > 2"));
}

TEST_CASE("the edit says what changed and where it stands") {
  const TextEdit edit = edit_for(two, "order j i", {.kernel = "first"});
  CHECK(two.substr(edit.begin, edit.end - edit.begin) == "order i j");
  CHECK(edit.text == "order j i");
  CHECK(edit.line_in(two) == 4);
  CHECK(edit_for(two, "order i-", {.kernel = "main"}).line_in(two) == 8);
  CHECK(edited("", "order i j", {}) == "order i j\n");
  CHECK(edited("print x", "order i j", {}) == "print x\norder i j\n");
}

TEST_CASE("a statement that cannot be read gives way to what is written in its place") {
  const std::string broken = "param n = 4\nC[i,j] = A[i,j]   # copied\nkernel k {\n  D[i,j] = 1\n  E(i) = 2\n}\n";
  CHECK(edited(broken, "C(i,j) = A(i,j)", {.about = span_of(broken, "[i,j] =")}) ==
        replaced(broken, "C[i,j] = A[i,j]", "C(i,j) = A(i,j)"));
  CHECK(edited(broken, "D(i,j) = 1", {.about = span_of(broken, "[i,j] = 1")}) ==
        replaced(broken, "D[i,j] = 1", "D(i,j) = 1"));
}

}  // namespace trellis::lang
