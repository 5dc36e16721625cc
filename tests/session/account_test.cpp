// What views say of an execution: points in the equation's own indices, early reads as pairs, wrong elements; and where
// a dragged loop may be dropped.
#include <doctest/doctest.h>

#include "engine/session/live/drop_slots.hpp"
#include "engine/session/replay/account.hpp"
#include "engine/session/replay/record.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using session::Account;
using session::Recorded;
using testing::Transcript;

namespace {

const std::string max_product =
    "param n = 3\ntensor A(n, n)\ntensor B(n, n)\nrandom A seed 1\nrandom B seed 2\n"
    "V(i,0) = B(i,0)\nV(i,j) = max(k)(V(k,j-1) * A(k,i) * B(i,j)) : 1 <= j\n";

struct Followed {
  Recorded recorded;
  Account account;
  text::Diagnostics diagnostics;
};

Followed follow(Transcript& t) {
  session::State& state = t.session().state();
  text::Diagnostics diagnostics;
  const lang::Kernel* found = state.kernel(std::nullopt, {}, diagnostics);
  REQUIRE(found);
  const lang::Kernel kernel = *found;
  auto recorded = session::record(state, kernel, 5000, {}, diagnostics);
  REQUIRE(recorded);
  Account account = session::account_of(state, kernel, *recorded);
  return {std::move(*recorded), std::move(account), {}};
}

std::optional<std::int64_t> coordinate(const text::Point& point, const std::string& name) {
  for (const auto& [known, value] : point)
    if (known == name) return value;
  return std::nullopt;
}

}  // namespace

TEST_CASE("early reads come as pairs with the step that writes, and what ends up wrong is listed") {
  Transcript t;
  t.say(max_product + "order i j k");
  const Followed f = follow(t);
  REQUIRE(!f.recorded.legal);
  REQUIRE(!f.account.violations.empty());
  const auto& steps = f.recorded.trace.steps;
  for (const explore::Violation& one : f.account.violations) {
    const auto& read = steps[one.reads].reads[static_cast<std::size_t>(one.read)];
    CHECK(read.early);
    REQUIRE(one.writes);
    CHECK(*one.writes > one.reads);
    CHECK(steps[*one.writes].write->tensor == read.tensor);
    CHECK(steps[*one.writes].write->index == read.index);
  }
  CHECK(!f.account.wrong.empty());
  for (const explore::WrongElement& one : f.account.wrong) CHECK(steps[one.step].write->index == one.element);
}

TEST_CASE("a legal order has neither") {
  Transcript t;
  t.say(max_product + "order j i k");
  const Followed f = follow(t);
  CHECK(f.account.violations.empty());
  CHECK(f.account.wrong.empty());
}

TEST_CASE("steps stand at points of their equation, whatever became of the loops") {
  const auto points_are_right = [](const std::string& program, std::size_t variables) {
    Transcript t;
    REQUIRE(t.say(program).ok());
    const Followed f = follow(t);
    std::size_t known = 0;
    for (std::size_t k = 0; k < f.account.points.size(); ++k) {
      const auto& step = f.recorded.trace.steps[k];
      const text::Point& point = f.account.points[k].point;
      if (!step.write || step.write->tensor != "C" || step.reads.size() < 2) continue;
      CHECK(coordinate(point, "i") == step.write->index[0]);
      CHECK(coordinate(point, "j") == step.write->index[1]);
      for (const auto& read : step.reads)
        if (read.tensor == "A") CHECK(coordinate(point, "k") == read.index[1]);
      known += point.size() == variables ? 1 : 0;
    }
    CHECK(known == 5 * 6 * 4);
  };
  const std::string product =
      "param n = 5; param m = 6; param l = 4\ntensor A(n, l); tensor B(l, m); tensor C(n, m)\nrandom A seed 1; random "
      "B seed 2\n"
      "C(i,j) = A(i,k)*B(k,j)\norder i k j\n";
  points_are_right(product, 3);
  points_are_right(product + "split i 2\nsplit k 3\n", 3);
}

TEST_CASE("each place for a dragged loop has its order and verdict, and what it would look up against storage") {
  Transcript t;
  t.say(
      "param n = 8\ntensor A(n, n): csr\ntensor x(n)\nrandom A density 0.3 seed 1; random x seed 2\ny(i) = "
      "A(i,j)*x(j)\norder i j");
  session::State& state = t.session().state();
  text::Diagnostics diagnostics;
  const lang::Kernel kernel = *state.kernel(std::nullopt, {}, diagnostics);
  const auto slots = session::drop_slots(state, kernel, 0, diagnostics);
  REQUIRE(slots.size() == 2);
  CHECK(lang::to_string(slots[0].verdict.order) == "i j");
  CHECK(slots[0].discordant.empty());
  CHECK(lang::to_string(slots[1].verdict.order) == "j i");
  CHECK(slots[1].verdict.legal);
  REQUIRE(slots[1].discordant.size() == 1);
  CHECK(slots[1].discordant[0].tensor == "A");
}

TEST_CASE("a place that is illegal says why") {
  Transcript t;
  t.say(max_product + "order j i k");
  session::State& state = t.session().state();
  text::Diagnostics diagnostics;
  const lang::Kernel kernel = *state.kernel(std::nullopt, {}, diagnostics);
  const auto slots = session::drop_slots(state, kernel, 0, diagnostics);
  REQUIRE(slots.size() == 3);
  CHECK(slots[0].verdict.legal);
  CHECK(lang::to_string(slots[1].verdict.order) == "i j k");
  CHECK(!slots[1].verdict.legal);
  CHECK(!slots[1].verdict.reason.empty());
}
