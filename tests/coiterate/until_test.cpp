// Loops that end early, by `until`: they walk what is stored where only that can end them.
#include <vector>

#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis::testing;

namespace {

std::string walked(const std::string& format, int n = 9) {
  return "param n = " + std::to_string(n) + "; tensor A(n, n): " + format +
         "; tensor b(n); tensor p: i64; tensor q(n): i64; tensor s\n" +
         "random A seed 1 density 0.3; random b seed 2 density 0.6\n";
}

}  // namespace

TEST_CASE("a loop that an entry ends walks the entries, and is left there") {
  const std::string program =
      walked("csr") + "loops { for i { p = -1; for j until p != -1 { if A(i,j) > 0.5 { p = j } }; q(i) = p } }\n";
  const std::string flow = shown("flow", program), c = shown("c", program);
  CAPTURE(flow);
  CAPTURE(c);
  CHECK(has(flow, "coiterate j in 0:n unless p != -1\n    lead pA at A.2 below [i]\n"));
  CHECK_FALSE(has(flow, "0:min(1, n)"));  // p was set to -1 just before
  CHECK(has(c, "pA < A_pos[i + 1] && !(*p != -1); pA++) {"));
  check_agrees(program);
}

TEST_CASE("what holds from the start ends the loop at its first coordinate") {
  for (const char* format :
       {"csr", "csc", "coo", "dcsr", "{dense, hashed}", "{dense, bytemap}", "{dense, vbl}", "{dense, band}",
        "{dense, rle}", "{dense, sparse_rle}", "{dense, compressed(unordered)}", "dense"})
    for (const char* loop : {"for j until p != -1", "for j down until p != -1", "for j in i:n until p != -1"}) {
      const std::string body = " { if A(i,j) > 0 { p = j }; s += 2 * A(i,j) }; q(i) = p";
      const auto each = [&](const std::string& before) {
        return walked(format) + "loops { p = -1; for i { " + before + loop + body + " } }\n";
      };
      CAPTURE(format);
      CAPTURE(loop);
      check_agrees_with_formats(each("p = -1; "));
      check_agrees_with_formats(each(""));
      check_agrees_with_formats(each("if b(i) > 0 { p = -1 }; "));
    }
}

TEST_CASE("two operands are walked together until either ends the loop") {
  const std::string program =
      walked("csr") +
      "tensor B(n, n): csr; random B seed 4 density 0.3\n"
      "loops { for i { s = 0; for j until s > 0.7 { s += A(i,j) + 0.5 * B(i,j) }; b(i) = s } }\n";
  const std::string c = shown("c", program);
  CAPTURE(c);
  CHECK(has(c, "while (pA < pA_end && pB < pB_end && !(s_sum > 0.7)) {"));
  check_agrees(program);
}

TEST_CASE("a condition that something else may change is asked at every coordinate") {
  for (const char* loop : {"for j until j == 3 { s += A(i,j) }", "for j until b(j) > 0.2 { s += A(i,j) }",
                           "for j until s > 2 { s += A(i,j) + 0.1 }", "for j until A(i,j) < 0.5 { s += A(i,j) }",
                           "for j until 7 / (p + 1) > 2 { if A(i,j) > 0 { p = j } }"}) {
    const std::string program = walked("csr") + "loops { p = 2; for i { s = 0; " + loop + "; b(i) = s } }\n";
    CAPTURE(loop);
    CHECK(has(shown("c", program), "for (int64_t j = 0; j < n; j++) {"));
    check_agrees(program);
  }
}

TEST_CASE("a condition that does not hold where nothing is stored is asked of the entries") {
  const std::string program =
      walked("csr") + "loops { for i { s = 0; for j until A(i,j) > 0.5 { s += A(i,j) }; b(i) = s } }\n";
  const std::string c = shown("c", program);
  CAPTURE(c);
  CHECK(has(c, "for (int64_t pA = A_pos[i]; pA < A_pos[i + 1] && !stop; pA++) {"));
  for (const char* format : {"csr", "csc", "coo", "{dense, hashed}", "{dense, bytemap}", "{dense, vbl}",
                             "{dense, band}", "{dense, rle}", "{dense, sparse_rle}", "{dense, compressed(unordered)}"})
    for (const char* loop :
         {"for j until A(i,j) > 0.5 { s += A(i,j) }", "for j down until A(i,j) > 0.5 { s += A(i,j) }",
          "for j in i:n until A(i,j) > 0.5 && b(j) > 0 { if A(i,j) > 0 { p = j } }",
          "for j until 2 * A(i,j) - 1 > 0 { q(j) += 1 }",
          "for j until A(i,j) != 0 { for k until A(j,k) > 0.7 { s += A(j,k) * A(i,j) } }"}) {
      CAPTURE(format);
      CAPTURE(loop);
      const std::string body = std::string("loops { for i { s = 0; ") + loop + "; b(i) = s } }\n";
      check_agrees_with_formats(walked(format) + body);
      check_agrees_with_formats(walked(format, 0) + body);
    }
}

TEST_CASE("what ends a loop is walked together with what its body reads") {
  const std::string operands = walked("csr") + "tensor B(n, n): csr; random B seed 4 density 0.3\n";
  const std::string both = operands + "loops { for i { s = 0; for j until B(i,j) > 0.5 { s += A(i,j) }; b(i) = s } }\n";
  CHECK(has(shown("c", both), "while (pA < pA_end && pB < pB_end && !stop) {"));
  check_agrees(both);
  const std::string where_both =
      operands + "loops { for i { s = 0; for j until A(i,j) * B(i,j) > 0.2 { s += A(i,j) * B(i,j) }; b(i) = s } }\n";
  const std::string c = shown("c", where_both);
  CAPTURE(c);
  CHECK(has(c, "while (pA < pA_end && pB < pB_end && !stop) {"));
  CHECK_FALSE(has(c, "while (pA < pA_end && !stop)"));
  check_agrees(where_both);
}

TEST_CASE("each of two nested loops asks for its own end") {
  Transcript t;
  REQUIRE(t.say("param n = 4; tensor z(n): {compressed}; tensor w(n): {compressed}; tensor s: i64\nfill_with z [0, 2, "
                "0, 1]; fill_with w [0, 0, 3, 0]\n"
                "loops { s = 0; for i in 0:n until z(i) > 1 { for k in 0:n until w(k) > 2 { s += 1 } } }")
              .ok());
  const std::string flow = t.say("show flow").output;
  CHECK(contains(flow, "declare stop\n"));
  CHECK(contains(flow, "declare stop_\n"));
  CHECK(t.say("run").ok());
  CHECK(t.value("s") == "6");  // k up to 2, twice
  CHECK(t.say("check").ok());
}
