// Random alignments whose steps are kept narrow: borders, terms and bands of all kinds, with values on both sides of
// what 16 bits hold, against the reference evaluator and the same program without `narrow`.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/random/generate.hpp"
#include "tests/random/wanted.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::randomised {
namespace {

using testing::Transcript;

struct Alignment {
  std::string program;  ///< up to its schedule
  std::string schedule;
  std::vector<std::string> results;
};

/// Terms that together stay within 16 bits, pass them slowly, or at once.
std::string term(Dice& dice, int size) { return std::to_string(dice.below(2 * size + 1) - size); }

std::string score(Dice& dice, int size, bool& table) {
  switch (dice.below(3)) {
    case 0: return "(a(i-1) == b(j-1) ? " + term(dice, size) + " : " + term(dice, size) + ")";
    case 1: table = true; return "S(a(i-1), b(j-1))";
    default:
      return "(a(i-1) == b(j-1) ? " + term(dice, size) + " : a(i-1) < b(j-1) ? " + term(dice, size) + " : " +
             term(dice, size) + ")";
  }
}

Alignment generate_alignment(Dice& dice) {
  // Steps of a few elements, so that many runs are taken in little time.
  const int n = 1 + dice.below(5), m = dice.below(4) ? 1500 + dice.below(1500) : dice.below(40);
  const bool swapped = dice.below(3) == 0;
  const std::vector<int> sizes = {3, 12, 40, 900, 20000};
  const int size = sizes[static_cast<std::size_t>(dice.below(5))];
  const std::string op = dice.below(4) ? "max" : "min";
  const bool affine = dice.below(3) == 0, local = dice.below(3) == 0, free = dice.below(3) == 0;
  const std::string type = dice.below(4) ? "i32" : "i64";
  bool table = false;
  const std::string match = score(dice, size, table), gap = term(dice, size), more = term(dice, size);
  const std::string band = dice.below(4) ? "" : ", i - j <= " + std::to_string(1 + dice.below(4));
  const std::string border = free ? "0" : term(dice, 3 * size);
  const std::string inside = " : 1 <= i <= n, 1 <= j" + band + "\n";

  std::string text = "param n = " + std::to_string(swapped ? m : n) + "\nparam m = " + std::to_string(swapped ? n : m) +
                     "\nparam gap = " + gap + "\ntensor a(n): u8\ntensor b(m): u8\ntensor H(m+1): " + type +
                     "\nrandom a seed 1 density 1 range 0:4\nrandom b seed 2 density 1 range 0:4\n";
  if (table)
    text += "tensor S(4, 4): i32\nrandom S seed " + std::to_string(1 + dice.below(9)) + " density 1 range " +
            std::to_string(-size) + ":" + std::to_string(size) + "\n";
  if (affine) text += "tensor E(m+1): " + type + "\ntensor F(m+1): " + type + "\n";
  text += "kernel align {\n";
  text += "H[0](j) = " + border + (free ? "" : "*j") + "\n";
  text += "H[i](0) = " + (dice.below(2) ? border + (free ? "" : "*i") : std::string("gap*i")) + " : 1 <= i <= n\n";
  const std::string best = (local ? op + "(0, " : op + "(") + "H[i-1](j-1) + " + match;
  if (affine) {
    const std::string worst = std::to_string(op == "max" ? -4 * size : 4 * size);
    text += "E[0](j) = " + worst + "\nF[0](j) = " + worst + "\n";
    text += "E[i](0) = " + worst + " : 1 <= i <= n\nF[i](0) = " + worst + " : 1 <= i <= n\n";
    text += "E[i](j) = " + op + "(E[i](j-1) + " + more + ", H[i](j-1) + gap)" + inside;
    text += "F[i](j) = " + op + "(F[i-1](j) + " + more + ", H[i-1](j) + gap)" + inside;
    text += "H[i](j) = " + best + ", E[i](j), F[i](j))" + inside;
  } else {
    text += "H[i](j) = " + best + ", H[i-1](j) + gap, H[i](j-1) + " + (dice.below(2) ? "gap" : more) + ")" + inside;
  }
  std::string schedule = "wavefront i j\norder i j\n";
  // What a band leaves out is copied from front to front, in the loop over j too.
  if (band.empty() && dice.below(2)) schedule += "vectorize j\n";
  schedule += affine ? "narrow H E F i16\n" : "narrow H i16\n";
  return {text, schedule, affine ? std::vector<std::string>{"H", "E", "F"} : std::vector<std::string>{"H"}};
}

/// What the program leaves, or what was refused.
std::string left_by(const Alignment& one, bool narrow) {
  Transcript t;
  const auto said = t.say(one.program + (narrow ? one.schedule : "order i j\n") + "}");
  if (!said.ok()) return "refused: " + said.output + said.messages();
  const auto ran = t.say("run");
  if (!ran.ok()) return "failed: " + ran.output + ran.messages();
  if (const auto checked = t.say("check"); !checked.ok()) return "wrong: " + checked.output + checked.messages();
  std::string all;
  for (const std::string& tensor : one.results) all += t.say("print " + tensor + " whole").output;
  return all;
}

TEST_CASE("random alignments are the same where their steps are narrow") {
  const int wanted = randomised::wanted(24);
  const std::uint64_t seed = first_seed(4700);
  int taken = 0;
  for (std::uint64_t number = seed; number < seed + static_cast<std::uint64_t>(wanted); ++number) {
    Dice dice(number);
    const Alignment one = generate_alignment(dice);
    const std::string plain = left_by(one, false), narrow = left_by(one, true);
    // What a band leaves out is copied behind it, so that it may be refused.
    if (testing::contains(narrow, "is copied from step to step")) continue;
    ++taken;
    CHECK_MESSAGE(plain == narrow, "seed ", number, "\n", one.program, one.schedule, "}\n", plain.substr(0, 400), "\n",
                  narrow.substr(0, 400));
  }
  CHECK(taken > wanted / 2);
}

}  // namespace
}  // namespace trellis::randomised
