// Results that are read while they are still appended to.
#include <doctest/doctest.h>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

TEST_CASE("the last fibers of a block of dense coordinates are empty until something is appended to them") {
  // What X held before is longer than what it holds afterwards: nothing of it may be left where Y looks.
  Transcript t;
  REQUIRE(t.say("param n = 5; tensor A(n+n); tensor X(n,n,n): {compressed, dense, compressed}; tensor Y(n,n)\n"
                "fill_with A [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]\nX(i,j,k) = A(i+j)\nY(i,j) = X(i,i,j)\norder i j k")
              .ok());
  for (const std::string backend : {"jit", "native"}) {
    CAPTURE(backend);
    CHECK(t.say("random X seed 2 density 1\nrun " + backend + "\ncheck").ok());
  }
  CHECK(t.say("show c").output.find("memset(X3_pos + pX1 * n + 1, 0, n * sizeof(int32_t));") != std::string::npos);
}
