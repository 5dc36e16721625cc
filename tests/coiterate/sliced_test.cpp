// Levels that a loop walks in steps, backwards, or each entry of which several times.
#include <algorithm>

#include "engine/access/sequence.hpp"
#include "engine/lang/expr.hpp"
#include "tests/coiterate/shown.hpp"
#include "tests/folder.hpp"
#include "tests/random/wanted.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using namespace trellis::testing;
using math::Affine;

namespace {

std::string told(const Affine& index) {
  const auto found = access::inverse(index, "i");
  if (!found) return "none";
  std::string text = math::to_string(found->offset) + (found->reversed ? " - " : " + ") +
                     (found->stretch > 1 ? std::to_string(found->stretch) + "*" : "") + "stored";
  return found->stride > 1 ? "(" + text + ") / " + std::to_string(found->stride) : text;
}

/// A kernel over a vector `a` of 3n + 2 elements in that format, and others.
std::string over(const std::string& format, const std::string& equation, const std::string& order = "i") {
  return "param n = 7\ntensor a(3*n+2): " + format +
         "\ntensor b(n): {compressed}\ntensor z(n): {compressed}\nrandom a seed 4 density 0.6\n"
         "random b seed 5 density 0.5\n" +
         equation + "\norder " + order + "\n";
}

}  // namespace

/// What level 2 of `A(n, 3*n)` offers a loop over i, whose bounds are these, with that index.
std::string offered(const Affine& index, std::optional<Affine> low, std::optional<Affine> high,
                    std::optional<access::Place::Inner> inner = {}) {
  const Affine n = Affine::name("n");
  lang::TensorInfo info;
  info.shape = {n, 3 * n};
  info.format = *format::Format::named("csr", 2);
  const auto at_least_zero = [](const Affine& a) {  // n is a size
    return a.quotients.empty() && a.constant >= 0 &&
           std::ranges::all_of(a.terms, [](const auto& t) { return t.second > 0; });
  };
  const auto found = access::sequence({"A", {lang::variable("k"), lang::to_expr(index, {"i"})}, {}}, info, 1,
                                      format::facts(info.format.levels[1]), {{0, 3 * n - Affine(1)}, inner},
                                      {"i", std::move(low), std::move(high)}, at_least_zero);
  return found ? access::to_string(*found) : "none";
}

TEST_CASE("a sequence prints as a level after what turns it around, and its window where that is not the loop's") {
  const Affine i = Affine::name("i"), n = Affine::name("n");
  CHECK(offered(i, 0, 3 * n) == "A.2");
  CHECK(offered(i - Affine(2), 2, 3 * n + Affine(2)) == "A.2 | shift 2");
  CHECK(offered(Affine(2) - i, Affine(3) - 3 * n, 3) == "A.2 | reverse 2");
  CHECK(offered(Affine::div(i, 2), 0, 6 * n) == "A.2 | stretch 2");
  CHECK(offered(3 * i, 0, n) == "A.2 | slice 3");
  CHECK(offered(i + Affine::div(i, 2), 0, n) == "none");

  CHECK(offered(i, 0, n) == "A.2 | window 0:3*n");       // reaches further
  CHECK(offered(i, 0, 4 * n) == "A.2 | window 0:3*n");   // or not as far
  CHECK(offered(i, {}, 3 * n) == "A.2 | window 0:3*n");  // nobody knows from where the loop runs
  CHECK(offered(2 * i, 0, n) == "A.2 | slice 2 | window 0:(3*n + 1)/2");
  CHECK(offered(i - Affine(2), 0, 3 * n) == "A.2 | shift 2 | window 2:3*n + 2");
}

TEST_CASE("a sequence takes segments where loops inside complete the index") {
  const Affine i = Affine::name("i"), n = Affine::name("n");
  const auto told = [&](const Affine& known, std::int64_t first, std::int64_t last, const Affine& high) {
    return offered(known, 0, high, access::Place::Inner{known, {first, last}});
  };
  CHECK(told(3 * i, 0, 2, n) == "A.2 | segments 3");
  CHECK(told(3 * i, 0, 1, n) == "A.2 | segments 2 of 3");
  CHECK(told(3 * i, -1, 1, n) == "A.2 | shift 1 | segments 3 | window 0:n + 1");
  CHECK(told(3 * n - Affine(1) - 3 * i, -2, 0, n) == "A.2 | reverse 3*n - 1 | segments 3");
  CHECK(told(3 * i, 0, 3, n) == "A.2 | slice 3");  // they would share entries: no segments
  CHECK(told(3 * i, 0, 2, n - Affine(1)) == "A.2 | segments 3 | window 0:n");
}

TEST_CASE("a window says on which side it reaches out of the loop, and whether all of the loop is in it") {
  const auto told = [](const Affine& index, const Affine& low, const Affine& high) {
    const auto at_least_zero = [](const Affine& a) { return a.is_constant() && a.constant >= 0; };
    const auto w = access::window(*access::inverse(index, "i"), {0, 9}, {"i", low, high}, at_least_zero);
    return std::string(w.below ? "below " : "") + (w.above ? "above " : "") + (w.spans ? "spans" : "");
  };
  const Affine i = Affine::name("i");
  CHECK(told(i, 0, 10) == "spans");
  CHECK(told(i, 1, 9) == "below above spans");
  CHECK(told(i, -1, 10) == "");
  CHECK(told(i, 2, 12) == "below ");
  CHECK(told(Affine(9) - i, 0, 8) == "above spans");
  CHECK(told(2 * i, 0, 5) == "spans");
  CHECK(told(2 * i + Affine(1), 0, 5) == "spans");
  CHECK(told(2 * i - Affine(1), 1, 5) == "above spans");  // 9 is stored at 5
  CHECK(told(Affine::div(i, 2), 0, 19) == "above spans");
}

TEST_CASE("an index that varies with the loop has an inverse, or is looked up") {
  const Affine i = Affine::name("i"), j = Affine::name("j"), n = Affine::name("n");
  CHECK(told(i) == "0 + stored");
  CHECK(told(i + Affine(3)) == "-3 + stored");
  CHECK(told(n - Affine(1) - i) == "n - 1 - stored");
  CHECK(told(2 * i + j) == "(-j + stored) / 2");
  CHECK(told(n - 3 * i) == "(n - stored) / 3");
  CHECK(told(Affine::div(i, 2)) == "0 + 2*stored");
  CHECK(told(Affine::div(i + Affine(1), 3) + j) == "-3*j - 1 + 3*stored");
  CHECK(told(Affine::div(n - i, 2) - Affine(1)) == "n - 2 - 2*stored");
  CHECK(told(j) == "none");
  CHECK(told(Affine::mod(i, 2)) == "none");
  CHECK(told(i + Affine::div(i, 2)) == "none");
  CHECK(told(Affine::div(2 * i, 3)) == "none");
  CHECK(told(2 * Affine::div(i, 3)) == "none");
  CHECK(told(Affine::div(i, 2) + Affine::div(i, 3)) == "none");
}

TEST_CASE("the coordinates of a dimension say whether bounds have to be looked for") {
  const Affine i = Affine::name("i"), n = Affine::name("n");
  const auto range = [](const Affine& index, const Affine& size) {
    const auto [least, most] = access::inverse(index, "i")->range({0, size - Affine(1)});
    return math::to_string(least) + " … " + math::to_string(most);
  };
  CHECK(range(2 * i, 2 * n) == "0 … 2*n - 1");
  CHECK(range(n - Affine(1) - i, n) == "0 … n - 1");
  CHECK(range(Affine::div(i, 2), n) == "0 … 2*n - 1");
  const std::string whole =
      "param n = 5\ntensor a(2*n): compressed\nrandom a seed 1 density 0.5\ns = sum(i < n)(a(2*i + 1)) : 0 <= i\norder "
      "i\n";
  CHECK_FALSE(has(shown("c", whole), "seek("));
  CHECK(has(shown("c", whole), "if ((a_crd[pa] - 1) % 2 != 0) {\n      continue;"));
  check_agrees(whole);
  CHECK(has(shown("c",
                  "param n = 5\ntensor a(2*n+2): compressed\nrandom a seed 1 density 0.5\ns = sum(i < n)(a(2*i + 1)) : "
                  "0 <= i\norder i\n"),
            "seek_last("));
}

TEST_CASE("a parameter that is no size may be negative, and moves what is stored out of the loop's range") {
  const std::string tensors =
      "param n = 6; param w = -2\ntensor A(n, n): i64 csr; tensor R(n, n): i64 {dense, rle}\ntensor b(n): i64 "
      "compressed; tensor q(n): i64; tensor s: i64\n"
      "random A seed 1 density 0.9; random R seed 1 density 0.9; random b seed 2 density 0.5\n";
  check_agrees(tensors +
               "loops { for i { s = 0; for j in 0:n { for k in 0:3 { s += b(j); if 0 <= j-w && j-w < n { s += A(i,j-w) "
               "} } }; q(i) = s } }\n");
  check_agrees(tensors +
               "loops { for i { for j in 0:n-w { for k in 0:3 { q(i) += 1; if 0 <= j+w { s += R(i,j+w) } } } } }\n");
}

TEST_CASE("slices and stretched operands lead, follow and merge, in any order that is stored") {
  int number = 0;
  for (const std::string format : {"{compressed}", "{compressed(decreasing)}", "{compressed(unordered)}", "{hashed}",
                                   "{bytemap}", "{compressed(wide)}"})
    for (const std::string index : {"3*i + 1", "3*n - 3*i", "i/2", "(i + 1)/3 + 1", "(n - 1 - i)/2"})
      for (const std::string equation : {"z(i) = a(@)", "z(i) = a(@) + b(i)", "z(i) = a(@) * b(i)",
                                         "y(i) = b(i) + 2*a(@) : i < n", "z(i) = a(@) + a(i + 2) + b(i)"}) {
        if (!trellis::randomised::is_taken(number++)) continue;
        std::string text = equation;
        text.replace(text.find('@'), 1, index);
        CAPTURE(text);
        CAPTURE(format);
        check_agrees(over(format, text));
        check_agrees(over(format, text, "i-"));
      }
}

TEST_CASE("the control flow says how coordinates come about") {
  CHECK(has(shown("flow", over("{compressed}", "z(i) = a(3*i + 1)")),
            "lead pa at a.1, i = (-1 + stored) / 3 clipped above\n"));
  CHECK(has(shown("flow", over("{compressed}", "z(i) = a(3*n - 3*i)")),
            "lead pa at a.1, i = (3 * n - stored) / 3 clipped above\n"));
  CHECK(has(shown("flow", over("{compressed}", "z(i) = a((i + 1)/2)")),
            "lead pa at a.1, i = -1 + 2*stored + 0:2 clipped\n"));
  CHECK(has(shown("flow", over("{compressed}", "z(i) = a((n - i)/2)")),
            "lead pa at a.1, i = n - (2*stored + 0:2) clipped\n"));
}

TEST_CASE("coordinates of stretched entries may need more bits than what is stored") {
  const Folder folder;
  folder.file("a.tns", "1200000001 3\n");
  folder.file("b.tns", "2400000001 5\n2400000002 7\n");
  Transcript t;
  REQUIRE(t.run("param n = 1500000000\ntensor a(n): compressed\ntensor b(2*n): compressed\nload a \"a.tns\"\nload b "
                "\"b.tns\"\n"
                "s = sum(i)(a(i/2) * b(i))\n",
                folder / "typed")
              .ok());
  for (const std::string backend : {"jit", "native"}) {
    REQUIRE(t.say("run " + backend).ok());
    CHECK(t.value("s") == "36");
  }
}

TEST_CASE("coordinates of shifted entries may need more bits than what is stored") {
  const Folder folder;
  folder.file("a.tns", "2147483647 3\n");
  folder.file("b.tns", "2147483652 5\n");
  Transcript t;
  REQUIRE(t.run("param n = 2147483647\ntensor a(n): compressed\ntensor b(n+5): compressed\nload a \"a.tns\"\nload b "
                "\"b.tns\"\n"
                "s = sum(5 <= i)(a(i-5) * b(i))\n",
                folder / "typed")
              .ok());
  for (const std::string backend : {"jit", "native"}) {
    REQUIRE(t.say("run " + backend).ok());
    CHECK(t.value("s") == "15");
  }
}

TEST_CASE("rows and inner levels are sliced and stretched too") {
  int number = 0;
  const std::string matrices =
      "param n = 6\ntensor A(2*n, 2*n): @\ntensor B(n, n): @\ntensor C(n, n): csr\nrandom A seed 2 density 0.4\nrandom "
      "B seed 3 density 0.5\n";
  for (const std::string format : {"csr", "csc", "dcsr", "coo", "{compressed, dense}"})
    for (const std::string equation :
         {"C(i,j) = A(2*i, 2*j + 1)", "C(i,j) = A(i/2, j/3)", "C(i,j) = A(2*i, j/2) + A(i + 0, 2*n - 1 - 2*j)",
          "C(i,j) = sum(k)(A(2*i, 2*k) * B(k,j))", "C(i,j) = sum(k)(A(2*i, k/2) * B(k,j)) + A(i/3, 2*j)"})
      for (const std::string order : {"i j", "j i"}) {
        if (!trellis::randomised::is_taken(number++)) continue;
        std::string text = matrices;
        for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) text.replace(at, 1, format);
        CAPTURE(text + equation);
        check_agrees(text + equation + "\norder " + order + (equation.find('k') == std::string::npos ? "" : " k") +
                     "\n");
      }
}

TEST_CASE("rows of a slice are copied as blocks, and what a slice cuts out of them without a branch") {
  // Rows of more than 64 entries are bisected instead.
  for (const std::string size : {"12", "200"}) {
    const std::string program = "tensor A(10, " + size + "): csr\ntensor S(5, " + size +
                                "): csr\ntensor T(4, 5): csr\nrandom A seed 1 density 0.8\n";
    const std::string rows = program + "S(i,j) = slice(A(k,j), k->i, 0:10:2)\n",
                      cut = program + "T(i,j) = slice(slice(A(k,l), k->i, 3:7:1), l->j, 4:9:1)\n";
    CHECK(has(shown("c", rows), "if (pA_count <= S_capacity - pS) {"));
    CHECK(has(shown("c", cut), "pA_count <= 64"));
    check_agrees(rows);
    check_agrees(cut);
    for (const std::string& one : {rows, cut}) {
      Transcript t;
      CHECK(has(t.say(one + "run jit\ncheck\nrun native\ncheck").output, "agrees with the reference"));
    }
  }
}
