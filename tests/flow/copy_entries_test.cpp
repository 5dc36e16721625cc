// Operands that are appended as they are, array by array.
#include "tests/coiterate/shown.hpp"
#include "tests/folder.hpp"
#include "tests/random/wanted.hpp"

using namespace trellis::testing;

namespace {

/// Matrices A, B of that format, of which the second has no entries in its last rows, into a result R.
std::string put_together(const std::string& format, const std::string& result, const std::string& equation) {
  return "param n = 40\nparam m = 30\nparam q = 20\ntensor A(n, m): " + format + "\ntensor B(q, m): " + format +
         "\ntensor R" + result + "\nrandom A seed 1 density 0.6\nrandom B seed 2 density 0.02\n" + equation + "\n";
}

const std::string stacked = "R(l,j) = concat(A(i,j), B(k,j), (i,k)->l)";

}  // namespace

TEST_CASE("whole matrices are copied in blocks") {
  const std::string csr = shown("c", put_together("csr", "(n+q, m): csr", stacked));
  CHECK(has(csr, "if (pA_count <= R_capacity - pR)"));
  CHECK_FALSE(has(csr, "slot("));
  const std::string coo = shown("c", put_together("coo", "(n+q, m): coo", stacked));
  CHECK(has(coo, "if (pB_count <= R_capacity - pR)"));
  CHECK_FALSE(has(coo, "slot("));
}

TEST_CASE("rows that a tensor chooses are copied in blocks; without columns nothing is chosen") {
  const auto chosen = [](const std::string& columns, const std::string& range) {
    return "param n = 40\nparam c = " + columns + "\nparam m = 30\ntensor A(n, c): csr\ntensor p(m): i64\n" +
           "tensor R(m, c): csr\nrandom A seed 1 density 0.3\nrandom p seed 2 range " + range +
           "\nR(i,j) = A(p(i),j)\n";
  };
  const std::string c = shown("c", chosen("20", "0:40"));
  CHECK(has(c, "if (pA_count <= R_capacity - pR)"));
  CHECK_FALSE(has(c, "slot("));
  check_agrees(chosen("20", "0:40"));
  check_agrees(chosen("0", "50:60"));
}

TEST_CASE("what is copied agrees with the reference, and has room") {
  int number = 0;
  for (const char* format : {"csr", "coo", "dcsr", "csc", "csr fill 2"})
    for (const char* result : {"csr", "coo", "dcsr", "csr fill 2"}) {
      if (!trellis::randomised::is_taken(number++)) continue;
      CAPTURE(format);
      CAPTURE(result);
      check_agrees(put_together(format, std::string("(n+q, m): ") + result, stacked));
      check_agrees(put_together(format, std::string("(n, m+3): ") + result, "R(i,l) = pad(A(i,j), j->l, 2:1, 0)"));
      check_agrees(put_together(format, std::string("(n-4, m): ") + result, "R(l,j) = slice(A(i,j), i->l, 3:n-1:1)"));
      check_agrees(put_together(format, std::string("(n, m): ") + result, "R(i,j) = 2 * A(i,j)"));
    }
}
