// Shape operators in a session: sizes that come with data decide as values of parameters do.
#include <doctest/doctest.h>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

TEST_CASE("sizes that data brought stand for themselves where operators divide by them") {
  Transcript t;
  t.say("tensor A(n, m): csr\nfill_with A [[1, 0, 2], [0, 3, 0]]");
  const std::string shown = t.say("y(k) = collapse(A(i,j), (i,j)->k)\nshow placement").output;
  CHECK(contains(shown, "certified for all sizes, with m = 3 in the loops: "));
  CHECK(contains(t.say("run\ncheck\nprint y").output, "y = compressed 6, 3 entries\n  (0)  1\n  (2)  2\n  (4)  3"));
}

TEST_CASE("a size without a value stays a name in what is certified") {
  Transcript t;
  const std::string shown = t.say("tensor A(n, m)\ny(k) = collapse(A(i,j), (i,j)->k)\nshow placement").output;
  CHECK(contains(shown, "y(k) = A(k/m,k%m)"));
  CHECK(contains(shown, "certified for all sizes"));
}

TEST_CASE("rows are filled or not, once sizes have values") {
  Transcript t;
  CHECK(
      contains(t.say("tensor v(p)\nfill_with v [1, 2, 3, 4, 5, 6]\nC(i,j) = split(v(k), k->(i,j)) : j < 4\nrun").codes,
               "E0243"));
  Transcript fits;
  CHECK(contains(
      fits.say("tensor v(p)\nfill_with v [1, 2, 3, 4, 5, 6]\nC(i,j) = split(v(k), k->(i,j)) : j < 3\nrun\nprint C(1,0)")
          .output,
      "4"));
}

TEST_CASE("the pattern of what is put together is found from its parts") {
  Transcript t;
  const auto said = t.say(
      "param n = 3; tensor A(n, n): csr; tensor B(2*n, n): csr\nfill_with A [[1, 0, 0], [0, 2, 0], [0, 0, 0]]\n"
      "B(l,j) = concat(A(i,j), A(k,j), (i,k)->l)\nmask B auto\nrun\ncheck");
  CHECK(contains(said.messages(), "B will have 4 entries"));
  CHECK(contains(said.output, "main: agrees with the reference"));
}

TEST_CASE("operators: a name that is nearly one is told so") {
  testing::Transcript session;
  const auto said = session.say("tensor A(3, 2)\nrandom A seed 1\nc(k) = colapse(A(i,j), (i,j)->k)\nrun\n");
  CHECK(contains(said.codes, "E0201"));
  CHECK(contains(said.messages(), "did you mean collapse?"));
}
