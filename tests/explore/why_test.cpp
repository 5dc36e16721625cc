// How widespread a violation is, counted in a replay of the order.
#include <doctest/doctest.h>

#include "engine/explore/why.hpp"
#include "engine/lang/parse.hpp"
#include "engine/lang/program.hpp"
#include "tests/place/sources.hpp"

using namespace trellis;

namespace {

text::Diagnostic diagnosed(const std::string& source, const std::string& order) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto program = lang::resolve(lang::parse(sources, sources.add("test.tr", source), diagnostics), diagnostics);
  REQUIRE(program);
  const auto analysis = place::analyse(*program, program->kernels.at(0), diagnostics);
  REQUIRE(analysis);
  const explore::Why why = explore::why(*analysis, lang::parse_order(order).value());
  REQUIRE(!why.legal);
  return explore::to_diagnostic(why, {});
}

}  // namespace

TEST_CASE("the extent counts the reads that come too early when the order is followed all the same") {
  CHECK(diagnosed(place::back_substitution, "i j").extent == "3 of 3 reads at n=3; distance (i) = (-2..-1)");
  CHECK(diagnosed(place::viterbi, "i j k").extent == "3 of 18 reads at s=3, m=3; distance (i,j) = (-2..-1, 1)");
  CHECK(diagnosed(place::prefix_sum, "i-").extent == "1 of 2 reads at n=3; distance (i) = (1)");
}

TEST_CASE("the extent is right when a loop stands for another variable") {
  CHECK(diagnosed(place::viterbi, "k j i").extent == "9 of 18 reads at s=3, m=3; distance (j,i) = (1, -2..2)");
  CHECK(diagnosed(place::interval, "i j k").extent == "1 of 4 reads at n=3; distance (i,j) = (-1, 0)");
}
