// Random alignments in 16 bits, in runs of few steps and strips of few columns, against the reference evaluator: what
// strips hand on to each other, and runs to the next, is right wherever they end.
#include <doctest/doctest.h>

#include "engine/loop/print.hpp"
#include "engine/schedule/narrow.hpp"
#include "tests/random/evaluators.hpp"
#include "tests/random/generate.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

struct RollingCase {
  std::string text;
  std::vector<std::string> narrowed;
};

std::string small_term(Dice& dice) { return std::to_string(dice.below(9) - 4); }

/// Rows of H, each of which needs its own last elements, up to `far` of them, and those of rows above.
RollingCase rolling_rows(Dice& dice) {
  const std::string op = dice.below(4) ? "max" : "min", gap = small_term(dice), far = std::to_string(1 + dice.below(2));
  const bool affine = dice.below(3) == 0, table = dice.below(3) == 0, best = dice.below(3) == 0;
  const std::string inside = " : 1 <= i <= n, " + far + " <= j\n";
  std::string text = "param n = 3\nparam m = 3\ntensor a(n): i32\ntensor b(m): i32\ntensor H(m+1): i32\n";
  if (affine) text += "tensor E(m+1): i32\ntensor F(m+1): i32\n";
  if (table) text += "tensor T(n+1, m+1): i32\n";
  if (best) text += "tensor most: i32\n";
  text += "H[0](j) = " + gap + "*j\n";
  text += "H[i](j) = " + small_term(dice) + "*i : 1 <= i <= n, j < " + far + "\n";
  const std::string match =
      "H[i-1](j-" + far + ") + (a(i-1) < b(j-1) ? " + small_term(dice) + " : " + small_term(dice) + ")";
  if (affine) {
    text += "E[0](j) = -9\nF[0](j) = -9\nE[i](j) = -9 : 1 <= i <= n, j < " + far + "\n";
    text += "F[i](j) = -9 : 1 <= i <= n, j < " + far + "\n";
    text += "E[i](j) = " + op + "(E[i](j-1) + " + small_term(dice) + ", H[i](j-1) + " + gap + ")" + inside;
    text += "F[i](j) = " + op + "(F[i-1](j) + " + small_term(dice) + ", H[i-1](j) + " + gap + ")" + inside;
    text += "H[i](j) = " + op + "(" + match + ", E[i](j), F[i](j))" + inside;
  } else {
    text +=
        "H[i](j) = " + op + "(" + match + ", H[i-1](j) + " + gap + ", H[i](j-1) + " + small_term(dice) + ")" + inside;
  }
  if (table) text += "T(i,j) = H[i](j)\n";
  if (best) text += "most = " + op + "(i,j)(H[i](j)) : 0 <= i <= n\n";
  return {text + "wavefront i j\norder i j\n",
          affine ? std::vector<std::string>{"H", "E", "F"} : std::vector<std::string>{"H"}};
}

/// Steps that need those of one step before, to the left or where they are.
RollingCase steps_to_the_right(Dice& dice) {
  const std::string left = std::to_string(dice.below(3)), more = std::to_string(dice.below(2));
  const std::string low = std::to_string(std::max(left[0], more[0]) - '0');
  return {"param n = 3\nparam m = 3\ntensor b(m): i32\ntensor H(m): i32\nH[0](j) = b(j)\nH[i](j) = max(H[i-1](j-" +
              left + ") + " + small_term(dice) + ", H[i-1](j-" + more + "), b(j) + " + small_term(dice) +
              "*i) : 1 <= i <= n, " + low + " <= j\norder i j\n",
          {"H"}};
}

TEST_CASE("random recurrences are the same in narrow strips of few columns") {
  const int wanted = randomised::wanted(120);
  const std::uint64_t seed = first_seed(5200);
  int taken = 0, in_strips = 0;
  for (std::uint64_t number = seed; number < seed + static_cast<std::uint64_t>(wanted); ++number) {
    Dice dice(number);
    const RollingCase one = dice.below(4) ? rolling_rows(dice) : steps_to_the_right(dice);
    const schedule::RunSizes sizes{1 + dice.below(5), 1 + dice.below(4)};
    auto program = read_case(one.text, nullptr);
    REQUIRE_MESSAGE(program, one.text);
    text::Diagnostics diagnostics;
    const Compilation compiled = compile(program->program, program->kernel(), diagnostics);
    REQUIRE_MESSAGE((!diagnostics.has_errors() && compiled.loops), one.text);
    const auto narrow = schedule::narrow(compiled.loops, one.narrowed, compiled.program, sizes);
    const auto* loops = std::get_if<loop::Stmt>(&narrow);
    if (!loops) continue;  // as where elements are copied from step to step
    ++taken;
    const loop::Stmt numbered = loop::number(*loops);
    CHECK(loop::verify(numbered, compiled.program) == "");
    const std::string text = loop::to_string(numbered);
    in_strips += text.find("_strip in") != std::string::npos;
    const std::string wrong =
        differs(*program, number, [&](const check::State& before) { return interpreted(*program, numbered, before); });
    CHECK_MESSAGE(wrong.empty(), "seed ", number, ", runs of ", sizes.steps, ", strips of ", sizes.columns, "\n",
                  one.text, wrong, "\n", text);
  }
  CHECK(taken > wanted / 2);
  CHECK(in_strips > taken / 2);
}

}  // namespace
}  // namespace trellis::randomised
