// Each command of the schedule: the loops that it makes, and when it refuses to.

#include "tests/schedule/steps.hpp"

using namespace trellis;
using trellis::schedule::testing::after;

namespace {

const std::string summing = "for i in 1:n {\n  x(i) += x(i-1)\n}\n";
const std::string diagonal = "for i in 1:n {\n  for j in 1:n {\n    A(i,j) = A(i-1,j) + A(i,j-1)\n  }\n}\n";
const std::string anti_diagonal = "for i in 1:n {\n  for j in 0:n-1 {\n    A(i,j) = A(i-1,j+1)\n  }\n}\n";

void mentions(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK_MESSAGE(text.find(part) != std::string::npos, part);
}

}  // namespace

TEST_CASE("split keeps the order of iterations") {
  CHECK(after("for i in 0:n {\n  x(i) = 0\n}\n", "split i into io ii 32") ==
        "forall io in 0:(n + 31)/32 {\n  forall ii in 0:min(n - 32*io, 32) {\n    x(ii+32*io) = 0\n  }\n}\n");
  CHECK(after(summing, "split i into io ii 4") ==
        "for io in 0:(n + 3)/4 {\n  for ii in max(-4*io + 1, 0):min(n - 4*io, 4) {\n    x(ii+4*io) += x(ii+4*io-1)\n  "
        "}\n}\n");
  mentions(after("for i down in 0:n-1 {\n  x(i) = x(i+1)\n}\n", "split i into io ii 4"), "for io down in");
}

TEST_CASE("tile is refused where a tile would need the next one") {
  mentions(after(diagonal, "tile i j 2 2"), "for j_i in");
  const std::string refusal = after(anti_diagonal, "tile i j 2 2");
  mentions(refusal, "E0140 `tile i j 2 2` would change the result");
  mentions(refusal, "reads A(");
  mentions(refusal, "this would work: `skew i j 1`, then `tile i j 2 2`");
}

TEST_CASE("reorder interchanges, with projected bounds") {
  CHECK(after("for i in 0:n {\n  for j in 0:i {\n    A(i,j) = 0\n  }\n}\n", "reorder j i") ==
        "forall j in 0:n - 1 {\n  forall i in j + 1:n {\n    A(i,j) = 0\n  }\n}\n");
  mentions(after(anti_diagonal, "reorder j i"), "E0140");
  mentions(after(anti_diagonal, "reorder j i"), "this would work: `skew i j 1`, then `reorder j i`");
}

TEST_CASE("reorder gives statements beside a loop a loop of their own") {
  CHECK(after("for i in 0:n {\n  y(i) = 0\n  for j in 0:n {\n    y(i) += A(i,j)*x(j)\n  }\n}\n", "reorder j i") ==
        "forall i in 0:n {\n  y(i) = 0\n}\nforall j in 0:n reduces y {\n  forall i in 0:n {\n    y(i) += A(i,j)*x(j)\n "
        " }\n}\n");
  mentions(
      after("for i in 0:n {\n  tensor t: f64\n  t = x(i)\n  for j in 0:n {\n    A(i,j) = t\n  }\n}\n", "reorder j i"),
      "E0141");
}

TEST_CASE("skew and reorder walk wavefronts, which vectorize") {
  CHECK(after(diagonal, "skew i j 1, reorder j i, vectorize i") ==
        "for j in 2:2*n - 1 {\n  forall i in max(j - n + 1, 1):min(j, n) vectorize {\n    A(i,j-i) = A(i-1,j-i) + "
        "A(i,j-i-1)\n  }\n}\n");
}

TEST_CASE("jam is refused where a block would need its own inner iterations in another order") {
  CHECK(after(diagonal, "jam i 4") ==
        "for i in 1:n jam 4 {\n  for j in 1:n {\n    A(i,j) = A(i-1,j) + A(i,j-1)\n  }\n}\n");
  const std::string refusal = after(anti_diagonal, "jam i 4");
  mentions(refusal, "E0140 `jam i 4` would change the result");
  mentions(refusal, "at n=3: iteration i=2, j=0 reads A(1,1), which iteration i=1, j=1 writes");
  mentions(refusal, "this would work: `skew i j 1`, then `jam i 4`");
}

TEST_CASE("jam looks only as far as a block reaches") {
  const std::string two_behind = "for i in 2:n {\n  for j in 0:n-1 {\n    A(i,j) = A(i-2,j+1)\n  }\n}\n";
  mentions(after(two_behind, "jam i 2"), "for i in 2:n jam 2 {");
  mentions(after(two_behind, "jam i 3"), "E0140");
}

TEST_CASE("jam keeps statements in the order of the body") {
  const std::string beside =
      "for i in 1:n {\n  x(i) = y(i-1)\n  for j in 0:n {\n    A(i,j) = x(i)\n  }\n  y(i) = x(i)\n}\n";
  mentions(after(beside, "jam i 2"), "E0140");
  mentions(after("for i in 0:n {\n  y(i) = 0\n  for j in 0:n {\n    y(i) += A(i,j)*x(j)\n  }\n}\n", "jam i 4"),
           "jam 4");
  mentions(after("for i in 0:n {\n  for j in 0:n {\n    s += A(i,j)\n  }\n}\n", "jam i 4"), "jam 4");
}

TEST_CASE("jam needs a loop inside, and loops that later steps leave right") {
  mentions(after(summing, "jam i 4"), "E0141 loop i holds no other loop");
  mentions(after(diagonal, "skew i j 1, reorder j i, vectorize i, jam i 2"), "E0141");
  mentions(after(diagonal, "jam i 2, skew i j -1"),
           "E0140 `skew i j -1` would change the result of a loop that is jammed");
}

TEST_CASE("parallel takes loops without carried dependences") {
  mentions(after("for i in 0:n {\n  x(i) = y(i)\n}\n", "parallel i"), "forall i in 0:n parallel");
  mentions(after("for i in 0:n {\n  s += x(i)\n}\n", "parallel i"), "forall i in 0:n reduces s parallel");
  mentions(after(summing, "parallel i"), "E0107");
  mentions(after(summing, "parallel i"), "at n=3: iteration i=2 reads x(1), which iteration i=1 writes");
  mentions(after("for i in 0:n-1 {\n  x(i) = x(i+1)\n}\n", "parallel i"),
           "iteration i=0 reads x(1), which iteration i=1 then writes");
  mentions(after("for i in 0:n {\n  s = x(i)\n}\n", "parallel i"), "writes s, and iteration i=1 writes it again");
  mentions(after("for i in 0:n {\n  tensor t: f64\n  t = x(i)\n  y(i) = t\n}\n", "parallel i"), "parallel");
  mentions(after("for i in 0:n {\n  x(p(i)) = y(i)\n}\n", "parallel i"), "E0107");
}

TEST_CASE("iterations wait for those that a loop inside comes by") {
  const std::string rows =
      "for i in 0:n {\n  for k in 0:i {\n    for j in 0:n {\n      A(i,j) += A(k,j)\n    }\n  }\n}\n";
  mentions(after(rows, "parallel i"), "for i in 0:n parallel {");
  mentions(after(rows, "parallel i"), "# when iteration k of loop i is over");
  mentions(after(rows, "parallel i, split j 4"), "E0140 `split j into 4` would change loops of which iterations wait");
  // Not where there is only one operation to wait for, where all are waited for, or where sums are for others.
  mentions(after("for i in 0:n {\n  for k in 0:i {\n    x(i) += x(k)\n  }\n}\n", "parallel i"), "E0107");
  mentions(after("for i in 0:n {\n  for k in 0:n {\n    for j in 0:n {\n      A(i,j) += A(k,j)\n    }\n  }\n}\n",
                 "parallel i"),
           "E0107");
  mentions(after("for i in 0:n {\n  for k in 0:i {\n    for j in 0:n {\n      A(k,j) += A(i,j)\n    }\n  }\n}\n",
                 "parallel i"),
           "E0107");
}

TEST_CASE("vectorize refuses to round differently") {
  mentions(after("for i in 0:n {\n  s += x(i)\n}\n", "vectorize i"), "E0143");
  mentions(after("for i in 0:n {\n  p(0) += p(i)\n}\n", "vectorize i"), "E0142");
  mentions(after("tensor c: i64\nc = 0\nfor i in 0:n {\n  c += p(i)\n}\np(0) = c\n", "vectorize i"),
           "forall i in 0:n reduces c vectorize");
}

TEST_CASE("conditions and whiles are part of the order") {
  mentions(after("for i in 0:n {\n  if F(i) {\n    F(0) = false\n  }\n}\n", "parallel i"), "E0107");
  mentions(after("while s < 10 {\n  for i in 0:n {\n    x(i) += 1\n  }\n  s += 1\n}\n", "parallel i"), "parallel");
  mentions(after("for i in 0:n {\n  while x(i) < 10 {\n    x(i) += 1\n  }\n}\n", "parallel i"), "parallel");
}

TEST_CASE("a step names loops that are there") {
  mentions(after(summing, "parallel k"), "E0106");
  mentions(after(summing, "split i into io ii 4, unroll i 2"), "E0106");
  mentions(after(summing, "split i into io ii 4, unroll ii 2"), "unroll 2");
  mentions(after(diagonal, "skew j i 1"), "E0141");
}
