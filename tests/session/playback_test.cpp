// Boards that move along an execution.
#include "engine/session/replay/playback.hpp"

#include <doctest/doctest.h>

#include "engine/session/replay/record.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

session::Recorded recorded(Transcript& t) {
  session::State& state = t.session().state();
  text::Diagnostics diagnostics;
  const lang::Kernel* kernel = state.kernel(std::nullopt, {}, diagnostics);
  REQUIRE(kernel);
  auto made = session::record(state, *kernel, 5000, {}, diagnostics);
  REQUIRE(made);
  return std::move(*made);
}

/// What the steps did, written down one after the other.
std::map<std::string, std::vector<std::optional<format::Value>>> replayed(const session::Recorded& r,
                                                                          std::size_t steps) {
  std::map<std::string, std::vector<std::optional<format::Value>>> all;
  const session::Boards empty = session::boards_after(r, 0);
  for (const auto& [name, board] : empty) all[name] = board.elements;
  for (std::size_t k = 0; k < steps; ++k) {
    const auto& step = r.trace.steps[k];
    if (all.contains(step.starts)) std::ranges::fill(all[step.starts], step.filled);
    if (step.write)
      step.write->each_element([&](const tensor::Index& e) {
        all[step.write->tensor][empty.at(step.write->tensor).offset(e)] = step.write->value;
      });
  }
  return all;
}

void check_everywhere(const session::Recorded& r) {
  session::Playback playback(r);
  const std::size_t length = r.trace.steps.size();
  REQUIRE(length > 5);
  for (const std::size_t to : {length, std::size_t{3}, length / 2, std::size_t{0}, length / 3, length - 1}) {
    playback.go_to(to);
    CHECK(playback.at() == to);
    for (const auto& [name, elements] : replayed(r, to)) CHECK(playback.boards().at(name).elements == elements);
  }
  playback.go_to(length + 7);
  CHECK(playback.at() == length);
}

}  // namespace

TEST_CASE("playback: boards are those of the step, whichever way they came there") {
  Transcript t;
  const std::string program =
      "param n = 4\ntensor A(n, n)\ntensor V(n, n)\nrandom A seed 1\nV(i,0) = A(i,0)\nV(i,j) = max(k)(V(k,j-1) * "
      "A(k,i)) : 1 <= j\n";
  SUBCASE("legal") { t.say(program + "order j i k"); }
  SUBCASE("illegal, with elements that nothing has written") { t.say(program + "order i j k"); }
  check_everywhere(recorded(t));
}

TEST_CASE("playback: of sparse results what is stored goes back as well") {
  Transcript t;
  t.say(
      "param n = 6\ntensor A(n, n): csr\ntensor B(n, n): csr\ntensor C(n, n): csr\nrandom A seed 1\nrandom B seed "
      "2\nC(i,j) = A(i,j) + B(i,j)\n");
  const session::Recorded r = recorded(t);
  REQUIRE(r.sparse.contains("C"));
  session::Playback playback(r);
  playback.go_to(r.trace.steps.size());
  const std::vector<bool> all = playback.boards().at("C").stored;
  CHECK(std::ranges::count(all, true) > 0);
  playback.go_to(0);
  CHECK(std::ranges::count(playback.boards().at("C").stored, true) == 0);
  playback.go_to(r.trace.steps.size());
  CHECK(playback.boards().at("C").stored == all);
}
