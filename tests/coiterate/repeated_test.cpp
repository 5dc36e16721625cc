// Operands that loops seek against their storage, all of them in each iteration of a loop around: they are copied.
#include "tests/coiterate/shown.hpp"

using namespace trellis::testing;

namespace {

/// Viterbi over a table of transitions, of which each step reads the columns.
std::string steps(const std::string& format, const std::string& rest) {
  return "param n = 7\nparam m = 4\ntensor A(n, n): " + format +
         "\ntensor B(n)\ntensor V(n, m)\nrandom A seed 1 density 0.4\nrandom B seed 2\n"
         "V(i,0) = B(i)\nV(i,j) = max(k)(V(k,j-1) * A(k,i)) * B(i) : 1 <= j\n" +
         rest;
}

}  // namespace

TEST_CASE("what each step seeks against its storage is copied once") {
  const std::string program = steps("csr", "order j i k\n");
  CHECK(has(shown("formats", program),
            "A: it is copied to A_w(n, n): {hashed, hashed} @ (1, 0), because the loops read it "
            "against its storage"));
  CHECK(has(shown("flow", program), "lead pA_w at A_w.2 below"));
  check_agrees(program);
  check_agrees(steps("dcsr", "order j i k\n"));
}

TEST_CASE("nothing is copied that is walked, sought once, or found as the schedule says") {
  CHECK_FALSE(has(shown("formats", steps("csc", "order j i k\n")), "it is copied"));
  CHECK_FALSE(has(shown("formats", steps("csr", "order j k i\n")), "it is copied"));
  CHECK_FALSE(has(shown("formats", steps("csr", "order j i k\nmarch A i\n")), "it is copied"));
  const std::string once = "param n = 7\ntensor A(n, n): csr\ntensor x(n)\ny(i) = sum(k)(A(k,i) * x(k))\norder i k\n";
  CHECK_FALSE(has(shown("formats", once), "it is copied"));
}
