// Steps along fronts and in 16 bits, as they are typed: alignments of all kinds.
#include <doctest/doctest.h>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

std::string sequences(int n, int m, const std::string& tensors) {
  return "param n = " + std::to_string(n) + "\nparam m = " + std::to_string(m) +
         "\ntensor a(n): u8\ntensor b(m): u8\nrandom a seed 1 density 1 range 0:4\nrandom b seed 2 density 1 range "
         "0:4\n" +
         tensors;
}

/// Needleman and Wunsch's, whose rows each need their own last element.
std::string global(const std::string& gap) {
  return "H[0](j) = " + gap + "*j\nH[i](0) = " + gap +
         "*i : 1 <= i <= n\n"
         "H[i](j) = max(H[i-1](j-1) + (a(i-1) == b(j-1) ? 3 : -1), H[i-1](j) + " +
         gap + ", H[i](j-1) + " + gap + ") : 1 <= i <= n, 1 <= j\n";
}

const std::string along_fronts = "wavefront i j\norder i j\n";

std::string checked_values(const std::string& program, const std::string& tensor) {
  Transcript t;
  const auto said = t.say(program);
  REQUIRE_MESSAGE(said.ok(), said.messages());
  const auto ran = t.say("run");
  REQUIRE_MESSAGE(ran.ok(), ran.messages());
  const auto checked = t.say("check");
  CHECK_MESSAGE(checked.ok(), checked.output, checked.messages());
  return t.say("print " + tensor + " whole").output;
}

}  // namespace

TEST_CASE("fronts: rows that need their own last element roll along diagonals, of which three are kept") {
  Transcript t;
  const std::string program = sequences(9, 7, "tensor H(m+1): i32\n") + global("-2");
  REQUIRE(t.say(program + along_fronts + "vectorize j").ok());
  REQUIRE(t.say("run").ok());
  CHECK(t.say("check").ok());
  CHECK(contains(t.say("show loops").output, "tensor H_steps(3, m + 1): i32"));
  CHECK(contains(t.say("show memory").output, "H has 3 buffers"));
  CHECK(checked_values(program + along_fronts, "H") == checked_values(program + "order i j", "H"));
}

TEST_CASE("fronts: a sum over all steps and a table are computed with the steps, which need not all be kept") {
  const std::string program = sequences(9, 7, "tensor H(m+1): i32\ntensor best: i32\ntensor T(n+1, m+1): i32\n") +
                              global("-2") + "best = max(i,j)(H[i](j)) : 0 <= i <= n\nT(i,j) = H[i](j)\n";
  for (const char* result : {"H", "best", "T"})
    CHECK(checked_values(program + along_fronts, result) == checked_values(program + "order i j", result));
  Transcript t;
  REQUIRE(t.say(program + along_fronts).ok());
  CHECK(contains(t.say("show loops").output, "tensor H_steps(3, m + 1): i32"));
}

TEST_CASE("narrow: runs of steps in 16 bits, and others where values lie too far apart") {
  // Of 3 rows and 4000 columns each run has a base of its own; of gaps that cost 30000 none fits.
  for (const char* gap : {"-2", "-30", "-9000", "-30000"}) {
    const std::string program = sequences(3, 4000, "tensor H(m+1): i32\n") + global(gap);
    CHECK_MESSAGE(checked_values(program + along_fronts + "vectorize j\nnarrow H i16", "H") ==
                      checked_values(program + "order i j", "H"),
                  "gap ", gap);
  }
}

TEST_CASE("narrow: values at the edge of what 16 bits hold, less any base") {
  for (const int apart : {65530, 65531, 65532, 65533, 65534, 65535, 65536, 65540, 80000})
    for (const int low : {-40000, -32768, 0, 1000000}) {
      const std::string program = "tensor B(4): i32\ntensor H(4): i32\nfill_with B [" + std::to_string(low) + ", " +
                                  std::to_string(low + apart) + ", " + std::to_string(low) + ", " +
                                  std::to_string(low + apart) +
                                  "]\nH[0](i) = B(i)\nH[t](i) = max(H[t-1](i), B(i)) : 1 <= t < 4\n";
      CHECK_MESSAGE(
          checked_values(program + "order t i\nnarrow H i16", "H") == checked_values(program + "order t i", "H"), apart,
          " from ", low);
    }
}

TEST_CASE("narrow: what is kept, shown, and taken back") {
  Transcript t;
  REQUIRE(t.say(sequences(9, 7, "tensor H(m+1): i32\n") + global("-2") + along_fronts).ok());
  REQUIRE(t.say("narrow H i16").ok());
  CHECK(contains(t.say("show schedule").output, "narrow H i16   # in runs of 1024 steps"));
  CHECK(contains(t.say("show loops").output, "tensor H_i16(3, m + 1): i16"));
  CHECK(contains(t.say("show memory").output, "H_i16: temporary, (3, m + 1) i16"));
  CHECK(contains(t.say("show c").output, "int16_t"));
  REQUIRE(t.say("undo").ok());
  CHECK_FALSE(contains(t.say("show loops").output, "H_i16"));
  CHECK(contains(t.say("help narrow").output, "narrow H E F i16"));
}

TEST_CASE("narrow: the best value of all steps is collected in 16 bits too") {
  const std::string program =
      sequences(30, 40, "tensor H(m+1): i32\ntensor best: i32\n") +
      "H[0](j) = 0\nH[i](0) = 0 : 1 <= i <= n\n"
      "H[i](j) = max(0, H[i-1](j-1) + (a(i-1) == b(j-1) ? 3 : -1), H[i-1](j) - 2, H[i](j-1) - 2)"
      " : 1 <= i <= n, 1 <= j\nbest = max(i,j)(H[i](j)) : 0 <= i <= n\n" +
      along_fronts;
  CHECK(checked_values(program + "vectorize j\nnarrow H i16", "best") == checked_values(program, "best"));
  Transcript t;
  REQUIRE(t.say(program + "narrow H i16").ok());
  CHECK(contains(t.say("show loops").output, "best_i16 max= H_i16("));
}

TEST_CASE("narrow: what does not fit is refused with the place") {
  const auto refused = [](const std::string& program, const std::string& code, const std::string& why) {
    Transcript t;
    const auto said = t.say(program + "\nrun");
    CHECK_MESSAGE(contains(said.codes, code), said.codes, "\n", program);
    CHECK_MESSAGE(contains(said.messages(), why), said.messages(), "\n", program);
  };
  const std::string steps = "tensor H(9): i32\ntensor S(4): i32\nrandom S seed 1 density 1 range 0:4\n";
  refused(steps + "H[t](i) = H[t-1](i) * H[t-1](i) : 1 <= t < 5\norder t i\nnarrow H i16", "E0162",
          "is no minimum, maximum or choice of one such value plus terms");
  refused(steps + "H[t](i) = H[t-1](i) + H[t-1](i) : 1 <= t < 5\norder t i\nnarrow H i16", "E0162", "plus terms");
  refused(steps + "H[t](i) = H[t-1](i) + abs(S(i/3)) : 1 <= t < 5\norder t i\nnarrow H i16", "E0162", "nothing bounds");
  refused(steps +
              "tensor G(9): i32\nG[t](i) = G[t-1](i) + 1 : 1 <= t < 5\nH[t](i) = H[t-1](i) + G[t-1](i) : 1 <= t < 5\n"
              "order t i\nnarrow H i16",
          "E0162", "it may be narrowed as well");
  refused("tensor H(9)\nH[t](i) = max(H[t-1](i), 1) : 1 <= t < 5\norder t i\nnarrow H i16", "E0162", "H is f64");
  refused(sequences(5, 4, "tensor H(m+1): i32\n") + global("-2") + "order i j\nnarrow H i16", "E0162",
          "by `wavefront`");
  refused(steps + "H[t](i) = H[t-1](i) + 1 : 1 <= t < 5\nH[700](i) = 1\norder t i\nnarrow H i16", "E0162", "step 700");
  refused(steps + "H[t](i) = H[t-1](i) + 1 : 1 <= t < 5\norder t i\nnarrow S i16", "E0347", "S has no timesteps");
  refused(steps + "H[t](i) = H[t-1](i) + 1 : 1 <= t < 5\norder t i\nnarrow H i8", "E0323", "narrow H i16");
  refused(steps + "H[t](i) = H[t-1](i) + 1 : 1 <= t < 5\norder t i\nnarrow H i16\nunroll i 4", "E0140",
          "`narrow` last");
}

TEST_CASE("narrow: a loop that ends early stays as it is, and says so") {
  Transcript t;
  const auto said = t.say(
      "tensor H(9): i32\nH[t](i) = H[t-1](i) + i : 1 <= t < 50\nuntil H[t](1) > 20\norder t i\nnarrow H i16\nrun");
  CHECK_MESSAGE(contains(said.codes, "E0162"), said.codes);
  CHECK_MESSAGE(contains(said.messages(), "ends early"), said.messages());
}

TEST_CASE("fronts: skewed loops over rows that roll are refused with what would work") {
  Transcript t;
  const auto said =
      t.say(sequences(9, 7, "tensor H(m+1): i32\n") + global("-2") + "order i j\nskew i j\nreorder j i\nrun");
  CHECK(contains(said.codes, "E0140"));
  CHECK_MESSAGE(contains(said.messages(), "`wavefront i j` instead of `skew`"), said.messages());
}

TEST_CASE("fronts: what has none is refused") {
  Transcript t;
  CHECK(t.say("tensor H(9): i32\nH[t](i) = H[t-1](i) + 1 : 1 <= t < 5\nwavefront i t\nrun").codes == "E0163");
  Transcript ended;
  CHECK(contains(
      ended.say("tensor x(9)\nx[t](i) = x[t-1](i) / 2 : 1 <= t < 9\nuntil x[t](0) < 1\nwavefront t i\nrun").codes,
      "E0163"));
}
