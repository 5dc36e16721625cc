// Kernels on ranks as pictures: each cell says what the plan does, and text, page and window have the same.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/view/ranks_picture.hpp"
#include "tests/distribute/made.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using namespace trellis::distribute::testing;
using trellis::testing::Transcript;
using view::RanksPicture;

namespace {

RanksPicture picture(const std::string& program, std::vector<std::int64_t> grid, const distribute::Numbers& sizes) {
  const Made m = made(program);
  REQUIRE_MESSAGE(m.plan, m.errors);
  return view::ranks_picture(*m.plan, *distribute::cut(*m.plan, std::move(grid), sizes));
}

const RanksPicture::Owned& owned(const RanksPicture& picture, const std::string& tensor) {
  const auto found = std::ranges::find(picture.tensors, tensor, &RanksPicture::Owned::tensor);
  REQUIRE(found != picture.tensors.end());
  return *found;
}

const std::string neighbours = "param n = 8\ntensor x(n)\ntensor y(n)\ny(i) = x(i-1) + x(i+1) : 1 <= i < n-1\n";

}  // namespace

TEST_CASE("ranks picture: owners by cell, and to whom they are sent") {
  const RanksPicture p = picture(neighbours + along_p, {3}, {{"n", 8}});
  const RanksPicture::Owned& x = owned(p, "x");
  REQUIRE(x.columns.cells() == 8);
  std::string owners, readers;
  for (const RanksPicture::Cell& cell : x.cells) {
    owners += std::to_string(cell.owner);
    readers += cell.readers.empty() ? "." : std::to_string(cell.readers.front());
  }
  CHECK(owners == "00011122");
  CHECK(readers == "..10.21.");
  CHECK(explain(x, 0, 2) == "x(2) of rank 0, sent to rank 1");
  CHECK(explain(owned(p, "y"), 0, 0) == "y(0) of rank 0");
  CHECK(p.bytes == std::vector<std::int64_t>{0, 8, 0, 8, 0, 8, 0, 8, 0});
  CHECK(testing::contains(to_string(p), "  x over (p)\n    0  0  0¹│1⁰ 1  1²│2¹ 2\n"));
  CHECK(to_json(p)["tensors"].size() == 2);
}

TEST_CASE("ranks picture: of large parts the first and the last element have cells of their own") {
  const RanksPicture p = picture(neighbours + along_p, {4}, {{"n", 1'000'000}});
  const RanksPicture::Owned& x = owned(p, "x");
  CHECK(x.columns.cells() == 24);
  CHECK(x.columns.places[6] == 250'000);
  CHECK(x.columns.places[7] == 250'001);
  CHECK(x.at(0, 6).readers == std::vector<std::int64_t>{0});
  CHECK(x.at(0, 7).readers.empty());
  CHECK(testing::contains(caption(x), "a cell is several elements"));
}

TEST_CASE("ranks picture: a grid, copies, more ranks than elements, and more than are drawn") {
  const RanksPicture grid =
      picture(heat_2d + "ranks p q\ndistribute i over p\ndistribute j over q\n", {2, 2}, {{"n", 8}, {"steps", 3}});
  const RanksPicture::Owned& u = owned(grid, "u");
  CHECK(u.at(0, 0).owner == 0);
  CHECK(u.at(7, 7).owner == 3);
  const RanksPicture::Owned& steps = owned(grid, "u_steps");
  CHECK(steps.order == 3);
  CHECK(steps.at(3, 2).readers == std::vector<std::int64_t>{2});
  CHECK(steps.at(3, 4).readers == std::vector<std::int64_t>{0, 3});
  const RanksPicture copies = picture(
      "param n = 4\ntensor x(n)\ntensor A(n, n)\nA(i,j) = x(i)\nranks p q\ndistribute i over p\n"
      "distribute j over q\n",
      {2, 2}, {{"n", 4}});
  CHECK(owned(copies, "x").also == std::vector<std::string>{"q"});
  const RanksPicture few = picture(neighbours + along_p, {5}, {{"n", 3}});
  CHECK(owned(few, "x").columns.cells() == 3);
  CHECK(picture(neighbours + along_p, {17}, {{"n", 100}}).tensors.empty());
}

TEST_CASE("ranks picture: a row that comes from one rank in each step is sent to all in the end") {
  const RanksPicture p = picture(
      "param n = 6\ntensor D(n, n)\nD[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))\norder k i j\n" + along_p,
      {3}, {{"n", 6}});
  for (const RanksPicture::Cell& cell : owned(p, "D").cells) CHECK(cell.readers.size() == 2);
}

TEST_CASE("rank lanes: slices of several lengths are put together, and what is left computes") {
  const std::int64_t ms = 1'000'000;
  std::vector<std::int64_t> first(64, 0), second(64, 0);
  first[1] = ms / 2, first[3] = ms;
  second[0] = 2 * ms;
  const view::RankLanes lanes = view::rank_lanes({{4 * ms, ms, first}, {4 * ms, 2 * ms, second}}, {2}, "as threads");
  CHECK(lanes.ranks[0].compute_ms == doctest::Approx(2.5));
  CHECK(lanes.ranks[1].wait_ms == doctest::Approx(2));
  CHECK(lanes.ranks[0].waits == std::vector<double>{0.25, 0.5});
  CHECK(lanes.ranks[1].waits == std::vector<double>{1, 0});
  CHECK(lanes.computing() == doctest::Approx(4.5 / 8));
}

TEST_CASE("show ranks has lanes behind a run on as many, and figures on paper for any number") {
  Transcript t;
  REQUIRE(t.say(neighbours + along_p + "fill_with x [1, 2, 3, 4, 5, 6, 7, 8]").ok());
  CHECK(!testing::contains(t.say("show ranks 2").output, "the last run"));
  REQUIRE(t.say("run ranks 2").ok());
  CHECK(testing::contains(t.say("show ranks 2").output, "the last run, 2 ranks as threads"));
  CHECK(!testing::contains(t.say("show ranks 3").output, "the last run"));
  CHECK(testing::contains(t.say("show ranks 2").output, "on paper, at 2 µs a message and 10 GB/s: computing "));
  CHECK(testing::contains(t.say("show ranks 2 latency 0.5 bandwidth 25").output, "at 0.5 µs a message and 25 GB/s"));
  CHECK(t.say("show ranks 2 latency 0").codes == "E0601");
  CHECK(t.say("show ranks 2 latency fast").codes == "E0601");
  Transcript large;
  REQUIRE(large.say("param n = 10000000\ntensor x(n)\ntensor y(n)\ny(i) = x(i-1) : 1 <= i\n" + along_p).ok());
  const auto many = large.say("show ranks 100000");
  CHECK(many.ok());
  CHECK(testing::contains(many.output, "cut at 0 100 200 300 … 9999700"));
  CHECK(testing::contains(many.output, "on paper"));
}
