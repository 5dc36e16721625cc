// Programs of many operands, nested unions and equations: what is compiled grows with the program, and not with all
// that its parts may be together.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

namespace trellis::testing {
namespace {

std::ptrdiff_t lines_of_c(Transcript& t) { return std::ranges::count(t.say("show c").output, '\n'); }

/// `y(i) = v0(i) + v1(i) + …`, and its result in the format of the operands.
std::string sum_of(int count, const std::string& format) {
  std::string declared = "param n = 30; tensor y(n): " + format, sum;
  for (int k = 0; k < count; ++k) {
    const std::string name = "v" + std::to_string(k);
    declared += "; tensor " + name + "(n): " + format + "; random " + name + " seed " + std::to_string(k);
    sum += (k ? " + " : "") + name + "(i)";
  }
  return declared + "\ny(i) = " + sum + "\n";
}

/// `s = sum(i,j,…)((A(i) + B(i) + C(i)) * (D(j) + …) * …)`
std::string nested_unions(int depth, int width, const std::string& format) {
  std::string declared = "param n = 5; tensor s: i64", product, loops;
  for (int d = 0; d < depth; ++d) {
    const std::string index(1, static_cast<char>('i' + d));
    std::string factor;
    for (int w = 0; w < width; ++w) {
      const std::string name = "V" + std::to_string(d) + std::to_string(w);
      declared += "; tensor " + name + "(n): " + format + " i64; random " + name + " seed " + std::to_string(7 * d + w);
      factor += (w ? " + " : "") + name + "(" + index + ")";
    }
    product += (d ? " * (" : "(") + factor + ")";
    loops += (d ? "," : "") + index;
  }
  return declared + "\ns = sum(" + loops + ")(" + product + ")\n";
}

}  // namespace

TEST_CASE("many: sums of many sparse operands take a node, and some lines of C, each") {
  for (const char* format : {"compressed", "sparse_rle"}) {
    std::ptrdiff_t before = 0;
    for (const int count : {14, 16, 32}) {
      CAPTURE(format);
      CAPTURE(count);
      Transcript t;
      REQUIRE(t.say(sum_of(count, format)).ok());
      REQUIRE(t.say("run\ncheck").ok());
      const std::ptrdiff_t lines = lines_of_c(t);
      if (count == 32) CHECK(lines < 3 * before);
      before = lines;
    }
  }
}

TEST_CASE("many: operands that a body reads beside the one that leads are no case each") {
  std::string declared = "param n = 30; tensor y(n): compressed; tensor a(n): compressed; random a seed 99", product = "a(i)";
  for (int k = 0; k < 14; ++k) {
    const std::string name = "b" + std::to_string(k);
    declared += "; tensor " + name + "(n): compressed; random " + name + " seed " + std::to_string(k);
    product += " * (1 + " + name + "(i))";
  }
  Transcript t;
  REQUIRE(t.say(declared + "\ny(i) = " + product + "\nrun\ncheck").ok());
  CHECK(lines_of_c(t) < 300);
}

TEST_CASE("many: loops inside the arms of nested unions are shared") {
  for (const char* format : {"compressed", "sparse_rle"})
    for (const int width : {2, 3}) {
      std::ptrdiff_t before = 0;
      for (const int depth : {2, 3, 4}) {
        CAPTURE(format);
        CAPTURE(width);
        CAPTURE(depth);
        Transcript t;
        REQUIRE(t.say(nested_unions(depth, width, format)).ok());
        REQUIRE(t.say("run\ncheck").ok());
        const std::ptrdiff_t lines = lines_of_c(t);
        CHECK(lines < 3000);
        if (depth == 4) CHECK(lines < before + 1500);
        before = lines;
      }
    }
}

TEST_CASE("many: conditions on unions, three deep") {
  std::string declared = "param n = 5; tensor s", conditions, ends;
  for (int d = 0; d < 3; ++d) {
    const std::string index(1, static_cast<char>('i' + d));
    conditions += "for " + index + " in 0:n { if ";
    for (int w = 0; w < 3; ++w) {
      const std::string name = "V" + std::to_string(d) + std::to_string(w);
      declared += "; tensor " + name + "(n): compressed; random " + name + " seed " + std::to_string(7 * d + w);
      conditions += (w ? " || " : "") + name + "(" + index + ") > 0." + std::to_string(w);
    }
    conditions += " { ";
    ends += " } }";
  }
  Transcript t;
  REQUIRE(t.say(declared + "\nloops { " + conditions + "s += V00(i) + V10(j)" + ends + " }\nrun\ncheck").ok());
  CHECK(lines_of_c(t) < 3000);
}

TEST_CASE("many: what is done where nothing is stored is done nowhere, also in the form for many cases") {
  // Both factors have two operands: of four that lead, two alone do nothing.
  std::string declared = "param n = 40; tensor y(n): compressed";
  for (const char* name : {"a", "b", "c", "d"})
    declared += std::string("; tensor ") + name + "(n): compressed; random " + name + " density 0.2 seed " +
                std::to_string(static_cast<int>(name[0]));
  Transcript t;
  REQUIRE(t.say(declared + "\ny(i) = (a(i) + b(i)) * (c(i) + d(i))\nrun\ncheck").ok());
  Transcript dense;
  REQUIRE(dense.say(declared + "\nz(i) = (a(i) + b(i)) * (c(i) + d(i))\nrun").ok());
  const std::string value = t.value("y");
  CHECK(!contains(value, " 0 "));
}

TEST_CASE("many: hundreds of equations in one kernel, independent or each from the one before") {
  for (const bool chain : {false, true}) {
    CAPTURE(chain);
    std::string program = "param n = 3; tensor x(n): i64\n";
    for (int k = 0; k < 300; ++k) program += "tensor y" + std::to_string(k) + "(n): i64\n";
    for (int k = 0; k < 300; ++k)
      program += "y" + std::to_string(k) + "(i) = 2 * " + (chain && k > 0 ? "y" + std::to_string(k - 1) : "x") + "(i)" +
                 (chain && k > 3 ? " % 1000" : "") + "\n";
    Transcript t;
    REQUIRE(t.say(program + "fill_with x [1, 2, 3]\nrun\ncheck").ok());
    if (!chain) CHECK(t.value("y299") == "[2 4 6]");
    CHECK(t.value("y1") == (chain ? "[4 8 12]" : "[2 4 6]"));
  }
}

}  // namespace trellis::testing
