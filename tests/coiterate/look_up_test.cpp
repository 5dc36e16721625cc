// Entries that are found by an index which may be out of range: looked up only where they are read.
#include "tests/coiterate/shown.hpp"

using namespace trellis::testing;

namespace {

const std::string indexed =
    "param n = 6; tensor a(n); tensor b(n); tensor p(n): i64; tensor Z(n): {compressed}\n"
    "fill_with a [3, 1, 4, 1, 5, 9]; fill_with b [2, 7, 1, 8, 2, 8]; fill_with p [1, 3, 0, 5, 4, 2]; random Z seed 1 density 0.6\n";

}  // namespace

TEST_CASE("an entry that is read under two conditions is looked up where either holds") {
  const std::string program = indexed + "x(i) = (a(i) < 2 ? Z(p(i)) : 1) + (b(i) < 2 ? Z(p(i)) : 2)\norder i\n";
  CHECK(has(shown("cfir", program), "locate pZ = find Z.1 at p[i] if a[i] < 2 || b[i] < 2"));
  check_agrees(program);
}

TEST_CASE("a condition that depends on an entry decides whether it is read again") {
  check_agrees(indexed + "x(i) = a(i) - Z(i) < (b(i) < a(i) ? b(i) : Z(p(i))) ? a(i) : Z(p(i))\norder i\n");
  check_agrees(indexed + "x(i) = (a(i) < b(i) ? Z(p(i)) : 0) < 1 ? 4 : Z(p(i))\norder i\n");
}

TEST_CASE("where no condition holds the index may be out of range") {
  check_agrees(indexed + "x(i) = (i < 2 ? Z(4 - 3 * p(i) % 4 + 100 * (i / 2)) : 1) + (i == 1 ? Z(4 - 3 * p(i) % 4 + 100 * (i / 2)) : 2)\norder i\n");
}
