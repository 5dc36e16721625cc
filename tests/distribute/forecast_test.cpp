// Efficiency on paper: of 10^5 ranks, by what the plan sends, and with the figures of messages as given.
#include <doctest/doctest.h>

#include <cmath>

#include "engine/distribute/forecast.hpp"
#include "engine/distribute/print.hpp"
#include "tests/distribute/made.hpp"

using namespace trellis;
using namespace trellis::distribute::testing;
using distribute::Network;

namespace {

constexpr double memory = 1e10;  ///< bytes that a rank reads and writes a second

distribute::Forecast forecast(const std::string& program, std::vector<std::int64_t> grid,
                              const distribute::Numbers& sizes, double bytes) {
  const Made m = made(program);
  REQUIRE_MESSAGE(m.plan, m.errors);
  const auto cuts = distribute::cut(*m.plan, std::move(grid), sizes);
  REQUIRE(cuts);
  const auto made = distribute::forecast(*m.plan, *cuts, bytes / memory, Network());
  REQUIRE(made);
  return *made;
}

/// A step of conjugate gradients on a matrix that is a stencil: the product, and the two sums.
std::string conjugate_gradients(const std::string& index, const std::string& sizes, const std::string& product,
                                const std::string& ranks) {
  return sizes + "q(" + index + ") = " + product + "\na = sum(" + index + ")(p(" + index + ") * p(" + index +
         "))\nb = sum(" + index + ")(p(" + index + ") * 3)\n" + ranks;
}

/// On a grid a column is saved as well as a row.
const std::string both_saved =
    "param n = 8\ntensor D(n, n)\ntensor v(n)\ntensor w(n)\nloops { for t in 0:n { for j in 0:n { v(j) = D(t,j) }\n"
    "for i in 0:n { w(i) = D(i,t) }\nfor i in 0:n { for j in 0:n { D(i,j) min= w(i) + v(j) } } } }\n";
const std::string floyd_warshall =
    "param n = 8\ntensor D(n, n)\nD[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))\norder k i j\n";

double rounded(double share) { return std::round(100 * share) / 100; }

}  // namespace

TEST_CASE("conjugate gradients on 100 000 ranks: cubes 0.99, and slabs with all of a plane as their halo 0.51") {
  const std::string cubes = conjugate_gradients(
      "i,j,k", "param n = 8\ntensor p(n, n, n)\ntensor q(n, n, n)\n",
      "6*p(i,j,k) - p(i-1,j,k) - p(i+1,j,k) - p(i,j-1,k) - p(i,j+1,k) - p(i,j,k-1) - p(i,j,k+1) : 1 <= i < n-1, "
      "1 <= j < n-1, 1 <= k < n-1",
      "ranks u v w\ndistribute i over u\ndistribute j over v\ndistribute k over w\n");
  const std::int64_t ranks = 46 * 46 * 47;
  const auto cube = forecast(cubes, {46, 46, 47}, {{"n", 4642}}, 176e6 * static_cast<double>(ranks));
  CHECK(cube.messages >= 6 + 2 * (ranks - 1));
  CHECK(cube.messages <= 8 + 2 * (ranks - 1));  // hulls may meet the parts beside
  CHECK(rounded(cube.overlapped()) >= 0.97);
  // Of a slab that is thinner than a plane, 22 ranks have the halo on each side, if it is all that lies between.
  const Network network;
  const double work = 176e6 / memory, plane = std::pow(1e11, 2.0 / 3.0), sums = 2 * gather_seconds(network, 100000, 8);
  const distribute::Forecast slab{work, work, 2 * 22 * network.latency + 2 * plane * 8 / network.bandwidth, sums, 0, 0};
  CHECK(rounded(slab.overlapped()) == 0.51);
  const distribute::Forecast even{work, work, 6 * network.latency + 6e4 * 8 / network.bandwidth, sums, 0, 0};
  CHECK(rounded(even.overlapped()) == 0.99);
}

TEST_CASE("a slab thinner than a plane is sent what it reads, not all that lies between") {
  const std::string slabs =
      "param n = 8\nparam m = 2\nparam l = 4\ntensor p(n)\ntensor q(n)\nq(i) = 6*p(i) - p(i-1) - p(i+1) - p(i-m) - "
      "p(i+m) - p(i-l) - p(i+l) : l <= i < n-l\nranks u\ndistribute i over u\n";
  const auto slab = forecast(slabs, {100000}, {{"n", 100'000'000'000}, {"m", 4642}, {"l", 21'544'347}}, 176e6 * 100000);
  CHECK(slab.bytes <= 8 * 2 * (1'000'000 + 4642 + 1));
  CHECK(slab.messages <= 8);
  CHECK(slab.overlapped() > 0.99);
}

TEST_CASE("Floyd and Warshall on 100 000 ranks: rows 0.75, a grid 0.98") {
  const double n = 316228, each_step = 16 * n * n;
  const auto rows =
      forecast(floyd_warshall + "ranks p\ndistribute i over p\n", {100000}, {{"n", 316228}}, each_step * n);
  CHECK(rounded(rows.mean / (rows.mean + rows.behind)) == 0.75);
  const auto grid = forecast(both_saved + "ranks p q\ndistribute i over p\ndistribute j over q\n", {316, 316},
                             {{"n", 316228}}, each_step * n);
  CHECK(rounded(grid.mean / (grid.mean + grid.behind)) == 0.98);
}

TEST_CASE("what is foretold for the busiest rank is what the plan sends it") {
  const Made m = made(heat_2d + "ranks p q\ndistribute i over p\ndistribute j over q\n");
  REQUIRE_MESSAGE(m.plan, m.errors);
  const auto cuts = distribute::cut(*m.plan, {3, 3}, {{"n", 12}, {"steps", 2}});
  std::int64_t messages = 0, bytes = 0;
  for (const distribute::Exchange& e : m.plan->exchanges) {
    const auto volume = distribute::volume(*m.plan, *cuts, e);
    for (const auto& [pair, sent] : volume->between)
      if (pair.second == 4) bytes += sent, messages += 2;
  }
  const auto foretold = distribute::forecast(*m.plan, *cuts, 1, Network());
  REQUIRE(foretold);
  CHECK(foretold->messages == messages);
  CHECK(foretold->bytes == bytes);
}
