// The part that each line of the loops has in the estimated time.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/session/stages/cost_text.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

const text::Text two_lines{"for i {\n  x\n}\n",
                           {{0, 13, {text::Stage::loops, 0}, {}}, {10, 11, {text::Stage::loops, 2}, {}}}};

}  // namespace

TEST_CASE("a margin says the part of each line, and spans move with what they show") {
  const text::Text text = session::cost_text(two_lines, {{0, 0.001}, {2, 0.999}});
  CHECK(text.characters == "  ·    for i {\n100 %    x\n       }\n");
  const text::TextSpan& x = text.spans.back();
  CHECK(text.characters.substr(x.begin, x.end - x.begin) == "x");
  const text::TextSpan& loop = text.spans.front();
  CHECK(text.characters.substr(loop.begin, 5) == "for i");
  CHECK(text.characters.substr(loop.end - 1, 1) == "}");
}

TEST_CASE("the parts of all lines are the whole, and the update in the middle has most of it") {
  Transcript t;
  t.say("param n = 200; tensor A(n, n); tensor B(n, n)\nC(i,j) = A(i,k) * B(k,j)\norder i k j");
  const auto json = t.say("show loops").last("show");
  double sum = 0;
  for (const auto& one : json["cost"]) sum += one["share"].get<double>();
  CHECK(sum == doctest::Approx(1));
  std::istringstream lines(t.say("show cost").output);
  int most = 0;
  std::string where;
  for (std::string line; std::getline(lines, line);)
    if (const int percent = std::atoi(line.c_str()); percent > most) most = percent, where = line;
  CHECK(most > 50);
  CHECK(where.find("C(i,j) += A(i,k)*B(k,j)") != std::string::npos);
}
