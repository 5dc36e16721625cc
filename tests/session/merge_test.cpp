// Loops over several sparse operands that run out one by one.
#include <doctest/doctest.h>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

TEST_CASE("where two leads are left, the coordinates of those two decide, also beside operands that only follow") {
  Transcript t;
  REQUIRE(t.say("param n = 20; tensor A(n): {compressed}; tensor B(n): {compressed}; tensor C(n): {compressed}; tensor "
                "D(n): {compressed}\n"
                "tensor X(n): {compressed}\nrandom A seed 1 density 0.4\nrandom B seed 2 density 0.4\nrandom C seed 3 "
                "density 0.4\n"
                "random D seed 4 density 0.4\nX(i) = A(i) + B(i) * (D(i) + 1) + C(i)\nrun\ncheck\nrun native\ncheck")
              .ok());
  const std::string c = t.say("show c").output;
  for (const char* decision : {"if (iA == i && iB == i)", "if (iA == iC)", "if (iB == i && iC == i)"})
    CHECK(c.find(decision) != std::string::npos);
}
