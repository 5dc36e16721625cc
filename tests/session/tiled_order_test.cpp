// What stands where tiles of placed loops are refused.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Answer;
using testing::contains;
using testing::Transcript;

namespace {

const std::string dense_factor =
    "param n = 30\ntensor A(n, n)\ntensor L(n, n)\nrandom A seed 1 spd\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n";

std::vector<std::string> offered_by(const Answer& answer) {
  std::vector<std::string> all;
  for (const session::Reply& reply : answer.replies)
    for (const text::Diagnostic* d : session::messages_of(reply))
      for (const text::Fix& fix : d->fixes) all.push_back(fix.command);
  return all;
}

}  // namespace

TEST_CASE("where tiles are refused, an order with tiles is offered in their place") {
  Transcript t;
  const auto refused = t.say(dense_factor + "tile i j 4 4\nrun");
  CHECK(contains(refused.codes, "E014"));
  const auto fixes = offered_by(refused);
  REQUIRE(!fixes.empty());
  CHECK_MESSAGE(contains(fixes.front(), "i/4"), fixes.front());
  CHECK(t.say("fix 1\nrun\ncheck").ok());
  CHECK(contains(t.say("show schedule").output, fixes.front()));
  CHECK(!contains(t.say("show schedule").output, "tile"));
}
