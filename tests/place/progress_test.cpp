// How far a placement is, event by event: states of fragments, whom they wait for, and the nest that grows.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/place/progress.hpp"
#include "tests/place/kernels.hpp"
#include "tests/place/sources.hpp"

using namespace trellis::place;

namespace {

std::vector<Event> events_of(const Analysis& analysis, const std::string& order) {
  Placement placement = trellis::place::place(analysis, *trellis::lang::parse_order(order));
  if (auto* placed = std::get_if<Placed>(&placement)) return placed->events;
  return std::get<Rejected>(placement).events;
}

}  // namespace

TEST_CASE("a fragment waits for what it reads, until that is placed") {
  const Analysis analysis = analysed("tensor A(n, n)\ntensor x(n)\nt(i) = A(i,j)*x(j)\ny(i) = t(i) + 1");
  const Needs all = needs(analysis);
  const std::vector<Event> events = events_of(analysis, "i j");
  std::vector<Progress> before = progress(all, events, 0), after = progress(all, events, events.size());
  const auto waits = [](const Progress& p) { return !p.waits_for.empty(); };
  CHECK(std::ranges::any_of(before, waits));
  CHECK(std::ranges::none_of(after, waits));
  for (const Progress& p : after) CHECK(p.kind == Progress::Kind::placed);
  // What waits for nothing is placed first, and nothing is placed that still waits.
  for (std::size_t k = 1; k <= events.size(); ++k) {
    if (events[k - 1].kind != Event::Kind::place) continue;
    const std::vector<Progress> earlier = progress(all, events, k - 1);
    for (const int f : events[k - 1].fragments) CHECK(earlier[static_cast<std::size_t>(f)].waits_for.empty());
  }
}

TEST_CASE("the nest grows with the events, up to the one that is returned") {
  const Analysis analysis = analysed(cholesky);
  const std::vector<Event> events = events_of(analysis, "j i k");
  CHECK(events.front().nest.empty());
  std::size_t fragments = 0;
  for (const SketchLine& line : events.back().nest) fragments += line.fragment >= 0 ? 1 : 0;
  CHECK(fragments == analysis.fragments.fragments.size());
  const auto loop = std::ranges::find(events.back().nest, "j", [](const SketchLine& line) { return line.loop.name; });
  CHECK(loop == events.back().nest.begin());
}

TEST_CASE("an order that is refused leaves its fragments refused, with the reason") {
  const Analysis analysis = analysed(viterbi);
  const std::vector<Event> events = events_of(analysis, "i j k");
  const std::vector<Progress> all = progress(needs(analysis), events, events.size());
  const auto refused = std::ranges::find(all, Progress::Kind::refused, &Progress::kind);
  REQUIRE(refused != all.end());
  CHECK(!refused->why.empty());
}
