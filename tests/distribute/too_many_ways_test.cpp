// Plans that nobody would wait for.
#include "tests/distribute/made.hpp"

namespace trellis::distribute::testing {
namespace {

TEST_CASE("what takes too long to work out is refused after seconds") {
  const Made m = made(
      "param n = 8\ntensor X(n, n): i32\ntensor w(n): i32\ntensor s: i32\nranks p q\n"
      "X[k](i,j) = min(X[k-1](k,j), w(k)) : (i+j)%2 = 0\n"
      "X[k](i,j) = min(X[k-1](k,j), X[k-1](i,k), s[k-1]) : (i+j)%2 = 1\n"
      "s[k] = s[k-1] + min(a,b)(X[k-1](a,b))\norder k/4 k b-/4 j/4 j a/4 b- a i\n"
      "distribute j over p\ndistribute i over q\n");
  mentions(m.errors, "E0151 what ranks send each other of w takes too long to work out");
  mentions(m.errors, "fewer tiles");
}

}  // namespace
}  // namespace trellis::distribute::testing
