// Loop programs that change, read and change again what is stored in sparse formats; searches along edges both ways.
#include "tests/coiterate/shown.hpp"

using namespace trellis::testing;

namespace {

const char* const matrix_formats[] = {"csr", "csc", "coo", "dcsr", "{hashed, hashed}", "{dense, bytemap}"};

std::string edges(const std::string& format) {
  return "param n = 9; tensor A(n, n): " + format + " bool; random A seed 4 density 0.25\ntensor W(n, n): " + format +
         " fill inf; random W seed 5 density 0.25 range 1:9\n";
}

}  // namespace

TEST_CASE("a result is written, read and written again, with and without freeze and thaw") {
  for (const char* format : matrix_formats) {
    CAPTURE(format);
    for (const bool written : {false, true}) {
      const auto mark = [&](const std::string& action) { return written ? action + "\n" : std::string(); };
      check_agrees(
          "param n = 6; tensor A(n, n): csr; tensor B(n, n): " + std::string(format) + "; tensor C(n, n): " + format +
          "; random A seed 1 density 0.4\nloops {\nB .= 0\nfor i, j { B(i,j) = 2 * A(i,j) }\n" + mark("freeze B") +
          "for i, j { C(i,j) = B(j,i) }\n" + mark("freeze C") + mark("thaw B") + "for i, j { B(i,j) += C(i,j) }\n" +
          mark("freeze B") + mark("thaw C") + "C .= 0\n" + "for i, j { C(i,j) = B(i,j) * A(j,i) }\n}\n");
    }
  }
}

TEST_CASE("what a loop appends is read in the same loop") {
  for (const char* format : {"{compressed}", "{hashed}", "{bytemap}", "dense"}) {
    const std::string declared = "param n = 8; tensor A(n): {compressed}; tensor B(n): " + std::string(format) +
                                 "; tensor s; random A seed 1 density 0.5\n";
    check_agrees(declared + "loops { for i { B(i) = A(i); if i > 0 { B(i) += B(i-1) } } }");
    check_agrees(declared + "loops { for i { B(i) = A(i); s = sum(k)(B(k)); if s > 1 { B(0) = s } } }");
    check_agrees(declared + "loops { for i down { B(i) = A(i); B(n-1-i) += B(i) } }");
    check_agrees(
        declared +
        "loops { while s < 3 { B .= 0; for i { B(i) = A(i) + s }; freeze B; s += 1 + min(i)(B(i)); thaw B } }");
  }
}

TEST_CASE("temporaries of a loop are frozen in each of its iterations") {
  for (const char* format : {"{compressed}", "{hashed}", "{bytemap}", "dense"})
    check_agrees(
        "param n = 7; tensor A(n, n): csr; tensor B(n, n): csr; tensor C(n, n): csr; random A seed 1 density 0.4; "
        "random B seed 2 density 0.4\n"
        "loops { for i { tensor w(n): " +
        std::string(format) + "\nfor k, j { w(j) += A(i,k) * B(k,j) }\nfreeze w\nfor j { C(i,j) = w(j) } } }");
}

TEST_CASE("breadth-first search pushes and pulls along edges in any format") {
  for (const char* format : matrix_formats) {
    CAPTURE(format);
    const std::string search = edges(format) +
                               "tensor level(n): i64 fill -1; tensor F(n): {compressed} bool; tensor V(n): bool; "
                               "tensor N(n): {hashed} bool\ntensor depth: i64\n";
    check_agrees(search +
                 "loops { F(0) = true; V(0) = true; level(0) = 0\nwhile any(i)(F(i)) { depth += 1; N .= false\n"
                 "for j, k { if F(j) && A(j,k) && !V(k) { N(k) ||= true } }\nF .= false\nfor k { if N(k) { F(k) = "
                 "true; V(k) = true; level(k) = depth } } } }");
    check_agrees(search +
                 "loops { F(0) = true; V(0) = true; level(0) = 0\nwhile any(i)(F(i)) { depth += 1; N .= false\n"
                 "for k { if !V(k) { for j { N(k) ||= F(j) && A(j,k) } } }\nF .= false\nfor k { if N(k) { F(k) = true; "
                 "V(k) = true; level(k) = depth } } } }");
  }
}

TEST_CASE("Bellman and Ford push and pull along edges in any format") {
  for (const char* format : matrix_formats) {
    CAPTURE(format);
    const std::string start =
        edges(format) +
        "tensor D(n): fill inf; tensor before(n): fill inf; tensor changed: bool; tensor rounds: i64\n"
        "loops { D(0) = 0; changed = true\nwhile changed && rounds < n { for i { before(i) = D(i) }\n";
    const std::string end = "changed = any(i)(D(i) < before(i)); rounds += 1 } }";
    check_agrees(start + "for i, j { D(j) min= before(i) + W(i,j) }\n" + end);
    check_agrees(start + "for j, i { D(j) min= before(i) + W(i,j) }\n" + end);
  }
}
