// Programs of many operands, nested unions and equations: what is compiled grows with the program, and not with all
// that its parts may be together.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "tests/growth.hpp"
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
  std::string declared = "param n = 30; tensor y(n): compressed; tensor a(n): compressed; random a seed 99",
              product = "a(i)";
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

TEST_CASE("many: the fourteen equations of a filter, each from others, are one loop over time") {
  const std::string filter =
      "param n = 4; param m = 2; param T = 5\n"
      "tensor F(n, n); tensor Q(n, n); tensor H(m, n); tensor R(m, m); tensor z(T, m)\n"
      "random F seed 1; random Q seed 2; random H seed 3; random R seed 4; random z seed 5\n"
      "tensor x(T, n); tensor P(T, n, n); tensor xp(T, n); tensor Pp(T, n, n); tensor FP(T, n, n); tensor PH(T, n, m)\n"
      "tensor S(T, m, m); tensor Si(T, m, m); tensor K(T, n, m); tensor r(T, m); tensor d(T); tensor KH(T, n, n)\n"
      "kernel filter {\nxp(0,i) = 0\nxp(t,i) = sum(j)(F(i,j)*x(t-1,j)) : 1 <= t\n"
      "FP(t,i,j) = sum(k)(F(i,k)*P(t-1,k,j)) : 1 <= t\nPp(0,i,j) = i == j ? 1 : 0\n"
      "Pp(t,i,j) = sum(k)(FP(t,i,k)*F(j,k)) + Q(i,j) : 1 <= t\nPH(t,i,j) = sum(k)(Pp(t,i,k)*H(j,k))\n"
      "S(t,i,j) = sum(k)(H(i,k)*PH(t,k,j)) + R(i,j)\nd(t) = S(t,0,0)*S(t,1,1) - S(t,0,1)*S(t,1,0)\n"
      "Si(t,i,j) = (i == j ? S(t,1-i,1-j) : -S(t,i,j))/d(t)\nK(t,i,j) = sum(k)(PH(t,i,k)*Si(t,k,j))\n"
      "r(t,i) = z(t,i) - sum(j)(H(i,j)*xp(t,j))\nx(t,i) = xp(t,i) + sum(j)(K(t,i,j)*r(t,j))\n"
      "KH(t,i,j) = sum(k)(K(t,i,k)*H(k,j))\nP(t,i,j) = Pp(t,i,j) - sum(k)(KH(t,i,k)*Pp(t,k,j))\n}\n";
  Transcript t;
  REQUIRE(t.say(filter + "run\ncheck").ok());
  CHECK(contains(t.say("orders filter").output, "t i k j"));
  session::Options hasty;
  hasty.limits.seconds = 0.25;
  Transcript cut(hasty);
  cut.say(filter);
  const auto start = std::chrono::steady_clock::now();
  CHECK(!cut.say("suggest filter").ok());
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("many: what is kept of a compilation grows with its equations, and so does the time of it") {
  const auto program = [](int count) {
    std::string text = "tensor x(n)\n";
    for (int k = 0; k < count; ++k)
      text += "tensor y" + std::to_string(k) + "(n)\ny" + std::to_string(k) + "(i) = 2 * " +
              (k > 0 ? "y" + std::to_string(k - 1) : "x") + "(i)\n";
    return text;
  };
  const double growth = growth_at_four_times(40, [&](int count) {
    Transcript t;
    REQUIRE(t.say(program(count)).ok());
    text::Diagnostics ignored;
    session::State& state = t.session().state();
    const auto made = state.compilation(*state.kernel({}, {}, ignored), ignored);
    REQUIRE(made);
    CHECK(made->placed->events.empty());  // each would hold the nest as it stood
    CHECK(!made->module.source.empty());
  });
  CHECK(growth < 8);
}

TEST_CASE("many: data and equations in turns take as long at the end of a session as at its beginning") {
  const double growth = growth_at_four_times(50, [&](int count) {
    Transcript t;
    for (int k = 0; k < count; ++k) {
      const std::string number = std::to_string(k), x = "x" + number;
      REQUIRE(t.enter({"tensor " + x + "(4)", "random " + x, "y" + number + "(i) = 2 * " + x + "(i)"}).ok());
    }
  });
  CHECK(growth < 8);
}

TEST_CASE("many: a session that grew entry by entry is the one that was read as a whole") {
  const std::vector<std::string> entries = {"tensor x(3)",      "fill_with x [1, 2, 3]", "y(i) = 2 * x(i)",
                                            "tensor z(n): i64", "fill_with z [4, 5]",    "w(j) = z(j) / 2 + j"};
  Transcript grown, whole;
  CHECK(grown.enter(entries).ok());
  std::string text;
  for (const std::string& entry : entries) text += entry + "\n";
  REQUIRE(whole.say(text).ok());
  for (const char* command : {"show formats", "show equations", "print y", "print w", "show c"})
    CHECK(grown.say(command).output == whole.say(command).output);
  // What is undone is as if it had never been; a name that is free again may be used again.
  REQUIRE(grown.enter({"tensor a(3)", "undo", "a(i) = x(i) + 1"}).ok());
  CHECK(grown.value("a") == "[2 3 4]");
  CHECK(grown.enter({"b(i) = c(i)"}).codes == "E0201");
  CHECK(grown.enter({"y(i) = 3 * x(i)"}).ok());  // takes the place of the one before
  CHECK(grown.value("y") == "[3 6 9]");
}

TEST_CASE("many: what a kernel means is said once as long as the program stands") {
  Transcript t;
  REQUIRE(t.say("param n = 3; tensor x(n); fill_with x [1, 2, 3]\ny(i) = 2 * x(i)\nz(i) = y(i) + 1\nrun").ok());
  text::Diagnostics ignored;
  session::State& state = t.session().state();
  const lang::Kernel kernel = *state.kernel({}, {}, ignored);  // of a copy as well
  const session::Content content = state.content();
  CHECK(&content.makers->at("y").str() == &content.makers->at("z").str());
  CHECK(&state.meaning_of(kernel).str() == &content.makers->at("y").str());
  // Another schedule means the same; another equation does not.
  REQUIRE(t.say("order i").ok());
  CHECK(state.meaning_of(*state.kernel({}, {}, ignored)) == content.makers->at("y"));
  REQUIRE(t.say("w(i) = z(i)").ok());
  CHECK(state.meaning_of(*state.kernel({}, {}, ignored)) != content.makers->at("y"));
}

TEST_CASE("many: what was tried without a word is explained when it is asked for") {
  const std::string sweep =
      "param n = 6; tensor A(n, n); random A seed 1; tensor V(n, n)\n"
      "V(0,j) = A(0,j)\nV(i,0) = A(i,0) : 1 <= i\n"
      "V(i,j) = V(i-1,j) + V(i,j-1) + A(i,j) : 1 <= i, 1 <= j\norder i j\nrun\n";
  Transcript plain, suggested;
  plain.say(sweep);
  suggested.say(sweep + "suggest");
  for (const char* command : {"jam i 4", "parallel i", "reorder j i\njam j 8"}) {
    CAPTURE(command);
    const Answer expected = plain.say(command + std::string("\nshow c"));
    CHECK(suggested.say(command + std::string("\nshow c")).messages() == expected.messages());
    plain.say("undo"), suggested.say("undo");
  }
}

}  // namespace trellis::testing
