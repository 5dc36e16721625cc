// Orders with tiles, tiles in registers and fused products, as they are typed.
#include <doctest/doctest.h>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

const std::string blocked_product =
    "param n = 53\ntensor A(n, n)\ntensor B(n, n)\ntensor C(n, n)\nrandom A seed 1 density 1\nrandom B seed 2 density "
    "1\n"
    "C(i,j) = sum(k)(A(i,k)*B(k,j))\n";

/// The numbers that a program leaves in a tensor.
std::string values_after(const std::string& program, const std::string& tensor) {
  Transcript t;
  REQUIRE(t.say(program).ok());
  REQUIRE(t.say("run").ok());
  CHECK(t.say("check").ok());
  return t.say("print " + tensor + " whole").output;
}

}  // namespace

TEST_CASE("blocks: tiles and registers change no bit of a product, whatever is left over at the border") {
  const std::string plain = values_after(blocked_product + "order i k j", "C");
  for (const char* schedule : {"order j/24 i/8 k i j", "order j/24 i/8 k i j\nregisters i j",
                               "order k/20 j/7 i/3 k i j\nregisters i j", "order i-/8 j/16 i j k"})
    CHECK(values_after(blocked_product + schedule, "C") == plain);
}

TEST_CASE("blocks: a fused product is the same in both back ends") {
  Transcript t;
  REQUIRE(t.say(blocked_product + "order j/24 i/8 k i j\nregisters i j\nfused").ok());
  REQUIRE(t.say("run jit").ok());
  const std::string jit = t.say("print C whole").output;
  REQUIRE(t.say("run native").ok());
  CHECK(t.say("print C whole").output == jit);
  CHECK(contains(t.say("show c").output, "fma("));
  CHECK(contains(t.say("show schedule").output, "sums are continued"));
}

TEST_CASE("blocks: Cholesky's factorisation is the same in tiles of any size, bit for bit") {
  const std::string cholesky =
      "param n = 21\ntensor A(n, n)\ntensor L(n, n)\nrandom A seed 1 spd\n"
      "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))/L(j,j) : k < j < i\n"
      "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)*L(i,k))) : k < i\n";
  const std::string plain = values_after(cholesky + "order i j k", "L");
  for (const char* order : {"j/4 k/4 i/4 j k i", "i/1 j/1 k/1 i j k", "k/8 j/8 i/8 k j i", "i/30 j/30 k/30 i j k"})
    CHECK(values_after(cholesky + "order " + order, "L") == plain);
}

TEST_CASE("blocks: sums whose tiles change places say so") {
  Transcript t;
  REQUIRE(t.say("param n = 9\ntensor U(n, n)\ntensor b(n)\ntensor x(n)\nrandom U seed 1 density 1\nrandom b seed 2 "
                "density 1\n"
                "x(i) = (b(i) - sum(k)(U(i,k)*x(k)))/(U(i,i) + 2) : k > i\norder i-/4 k/4 i- k")
              .ok());
  CHECK(contains(t.say("show placement").output, "tile by tile: reassociated"));
  CHECK(t.enter({"run", "check"}).ok());
}

TEST_CASE("blocks: what is no tile is said at its place") {
  Transcript t;
  REQUIRE(t.say(blocked_product).ok());
  for (const char* wrong :
       {"order j/0 j i k", "order j/ j i k", "order j/1.5 j i k", "order j/-2 j i k", "order j/n j i k"})
    CHECK_MESSAGE(t.say(wrong).codes == "E0156", wrong);
  CHECK(t.say("order j j/4 i k").codes == "E0157");
  CHECK(t.say("order j/4 j/8 j i k").codes == "E0157");
  CHECK(t.say("order j/4 j/4 j i k").codes == "E0321");
  CHECK(t.say("order q/4 j i k").codes == "E0320");
  CHECK(t.say("order i j k").ok());
  REQUIRE(t.say("registers i j").ok());
  CHECK(t.say("run").codes == "E0160");
}

TEST_CASE("blocks: orders with tiles are listed, judged and explained") {
  Transcript t;
  REQUIRE(t.say(blocked_product + "order j/8 i k j").ok());
  CHECK(contains(t.say("orders").output, "j/8"));
  CHECK(contains(t.say("why j/8 k i j").output, "legal"));
  CHECK(contains(t.say("place step").output, "j/8"));
  CHECK(t.say("parallel j/8").ok());
  CHECK(contains(t.say("show loops").output, "j_8 in 0:(n + 7)/8 parallel"));
}

TEST_CASE("blocks: strips change no bit, of operands or of factors") {
  const std::string plain = values_after(blocked_product + "order i k j", "C");
  for (const char* schedule :
       {"order k/20 i/16 j/24 i/8 k i j\nregisters i j\npack A\npack B", "order j/7 i/3 k i j\nregisters i j\npack B"})
    CHECK(values_after(blocked_product + schedule, "C") == plain);
  const std::string cholesky =
      "param n = 61\ntensor A(n, n)\ntensor L(n, n)\nrandom A seed 1 spd\n"
      "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))/L(j,j) : k < j < i\n"
      "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)*L(i,k))) : k < i\n";
  const std::string factor = values_after(cholesky + "order i j k", "L");
  const std::string strips = cholesky + "order j/24 k/24 i/12 j/4 k j i\nregisters j i\npack L";
  CHECK(values_after(strips, "L") == factor);
  Transcript t;
  REQUIRE(t.say(strips).ok());
  const std::string loops = t.say("show loops").output;
  CHECK(contains(loops, "L_strips((n + 11)/12, n, 12)"));
  CHECK(!contains(loops, "tL1"));  // its sums are where its elements will be
}

TEST_CASE("blocks: panels that are local arrays change no bit, whatever is left over at the border") {
  for (const char* size : {"61", "96", "100"}) {
    CAPTURE(size);
    const std::string lu = "param n = " + std::string(size) +
                           "\ntensor A(n, n)\ntensor L(n, n)\ntensor U(n, n)\nrandom A seed 1 spd\n"
                           "L(i,j) = (A(i,j) - sum(k)(L(i,k)*U(k,j)))/U(j,j) : k < j < i\n"
                           "U(i,j) = A(i,j) - sum(k)(L(i,k)*U(k,j)) : k < i <= j\n";
    const std::string panels = lu + "order i/48 k/48 j/24 i/8 k i j\nregisters i j\npack L\npack U";
    for (const char* factor : {"L", "U"})
      CHECK(values_after(panels, factor) == values_after(lu + "order i j k", factor));
    Transcript t;
    REQUIRE(t.say(panels).ok());
    const std::string c = t.say("show c").output;
    CHECK(contains(c, "L_strips_panel[192]"));
    CHECK(contains(c, "U_strips_panel[192]"));
  }
}

TEST_CASE("blocks: what no tile in registers reads is not packed") {
  Transcript t;
  REQUIRE(t.say(blocked_product + "order k/20 j/8 i/4 k i j\nregisters i j").ok());
  CHECK(!t.say("pack Q").ok());
  REQUIRE(t.say("pack C").ok());
  CHECK(t.say("run").codes == "E0164");
  REQUIRE(t.say("undo").ok());
  CHECK(t.say("pack A\nrun\ncheck").ok());
  CHECK(contains(t.say("show schedule").output, "each element is where its strip has it"));
  CHECK(t.say("undo\nundo\nundo\nrun").ok());
}

TEST_CASE("blocks: a loop over tiles reaches all tiles of what shares it, whatever remainders its elements have") {
  for (const char* n : {"1", "2", "7"}) {
    Transcript t;
    CHECK(t.say(std::string("param n = ") + n +
                "\ntensor P(n)\ntensor Z(n)\ntensor M(n, n)\ntensor b(n)\nrandom M seed 1 density 1\n"
                "random b seed 2 density 1\nP(q) = sum(i)(M(i,q)) : q <= n-2, i%2 = 0\nZ(i) = M(i,i) + b(i) : i%2 = 0\n"
                "Z(i) = b(i) : i%2 = 1\norder q/3 i/3 q i\nrun\ncheck")
              .ok());
  }
}

TEST_CASE("blocks: suggest offers tiles, registers and strips in one fix") {
  Transcript t;
  REQUIRE(t.say("param n = 512\ntensor A(n, n)\ntensor L(n, n)\n"
                "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))/L(j,j) : k < j < i\n"
                "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)*L(i,k))) : k < i")
              .ok());
  const std::string offered = t.say("suggest").output;
  CHECK_MESSAGE(contains(offered, "registers j i; pack L"), offered);
  REQUIRE(t.say("fix 1").ok());
  CHECK(contains(t.say("show loops").output, "L_strips"));
}

TEST_CASE("blocks: what suggest offers for single precision fits wide registers") {
  session::Options options;
  options.machine.wide_registers = true;
  Transcript t(options);
  REQUIRE(t.say("param n = 512\ntensor A(n, n): f32\ntensor B(n, n): f32\ntensor C(n, n): f32\n"
                "C(i,j) = sum(k)(A(i,k)*B(k,j))")
              .ok());
  const std::string offered = t.say("suggest").output;
  REQUIRE_MESSAGE(contains(offered, "registers i j"), offered);
  REQUIRE(t.say("fix 1").ok());
  CHECK(contains(t.say("show c").output, "C_tile[384]"));
}
