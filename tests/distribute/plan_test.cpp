// Plans of kernels that are known: where tensors are cut, what is sent, what is refused and with which instance.
#include <doctest/doctest.h>

#include "engine/distribute/print.hpp"
#include "tests/distribute/made.hpp"

using namespace trellis;
using namespace trellis::distribute::testing;

TEST_CASE("heat along a rod has ghosts of width 1, and its buffers of steps are cut as it is") {
  const Made m = made(heat);
  REQUIRE_MESSAGE(m.plan, m.errors);
  CHECK(m.home("u") == distribute::Home{0});
  CHECK(m.home("u_steps") == distribute::Home{-1, 0});
  const distribute::Exchange* e = m.exchange("u_steps");
  REQUIRE(e);
  CHECK(e->pattern == "halo 1");
  CHECK(m.plan->exchanges.size() == 1);
  const auto cuts = distribute::cut(*m.plan, {4}, {{"n", 10}, {"steps", 50}});
  REQUIRE(cuts);
  CHECK(cuts->places.front() == std::vector<std::int64_t>{0, 3, 6, 8, 10});
  const auto volume = distribute::volume(*m.plan, *cuts, *e);
  REQUIRE(volume);
  CHECK(volume->executions == 50);
  CHECK(volume->messages == 50 * 6);  // each of three cuts, both ways
  CHECK(volume->bytes == 50 * 6 * 8);
}

TEST_CASE("the inside of a seven-point grid sends two planes a cut") {
  const std::string grid =
      "param n = 24\nparam steps = 3\ntensor u(n, n, n)\n"
      "u[t](i,j,k) = u[t-1](i,j,k) + 0.1*(u[t-1](i-1,j,k) + u[t-1](i+1,j,k) + u[t-1](i,j-1,k) + u[t-1](i,j+1,k) + "
      "u[t-1](i,j,k-1) + u[t-1](i,j,k+1) - 6*u[t-1](i,j,k)) : 1 <= i < n-1, 1 <= j < n-1, 1 <= k < n-1, t < steps\n"
      "order t i j k\nranks p\ndistribute i over p\n";
  const Made m = made(grid);
  REQUIRE_MESSAGE(m.plan, m.errors);
  const distribute::Exchange* e = m.exchange("u_steps");
  REQUIRE(e);
  CHECK(e->pattern == "halo 1");
  const auto bytes = [&](std::int64_t ranks) {
    const auto cuts = distribute::cut(*m.plan, {ranks}, {{"n", 24}, {"steps", 3}});
    const auto volume = distribute::volume(*m.plan, *cuts, *e);
    return volume->bytes / volume->executions;
  };
  CHECK(bytes(2) == 2 * 22 * 22 * 8);  // without the faces of the grid, which no iteration reads across a cut
  CHECK(bytes(4) == 6 * 22 * 22 * 8);
}

TEST_CASE("where a grid's faces are computed as well, they are sent as well: PETSc's 9216 and 27 648 bytes") {
  const std::string grid =
      "param n = 24\nparam steps = 2\ntensor u(n, n, n): pad\n"
      "u[t](i,j,k) = u[t-1](i,j,k) + 0.1*(u[t-1](i-1,j,k) + u[t-1](i+1,j,k) + u[t-1](i,j-1,k) + u[t-1](i,j+1,k) + "
      "u[t-1](i,j,k-1) + u[t-1](i,j,k+1) - 6*u[t-1](i,j,k)) : t < steps\n"
      "order t i j k\nranks p\ndistribute i over p\n";
  const Made m = made(grid);
  REQUIRE_MESSAGE(m.plan, m.errors);
  std::int64_t two = 0, four = 0;
  for (const distribute::Exchange& e : m.plan->exchanges)
    for (const std::int64_t ranks : {2, 4}) {
      const auto cuts = distribute::cut(*m.plan, {ranks}, {{"n", 24}, {"steps", 2}});
      const auto volume = distribute::volume(*m.plan, *cuts, e);
      (ranks == 2 ? two : four) += volume->bytes / volume->executions;
    }
  CHECK(two == 9216);
  CHECK(four == 27648);
}

TEST_CASE("what nobody may compute apart is refused, with the smallest instance and a cut") {
  const std::string start = "param n = 8\ntensor x(n)\ntensor y(n)\n", end = "ranks p\ndistribute i over p\n";
  mentions(made(start + "y(i) = y(i-1) + x(i) : 1 <= i\n" + end).errors,
           "E0151 loop i cannot be dealt out to ranks: iterations need what others compute in the same phase");
  mentions(made(start + "y(i) = y(i-1) + x(i) : 1 <= i\n" + end).errors,
           "n=3, cut at 2: i=2 on rank 1 reads y(1), which rank 0 computes at i=1");
  const std::string wavefront = "param n = 8\ntensor A(n, n)\nA(i,j) = A(i-1,j) + 1 : 1 <= i\norder i j\nranks p\n";
  mentions(made(wavefront + "distribute i over p\n").errors, "this would work: `distribute j over p`");
  CHECK(made(wavefront + "distribute j over p\n").errors == "");
}

TEST_CASE("what is overwritten later is no obstacle: ghosts are copies") {
  const Made m =
      made("param n = 8\ntensor x(n)\nloops { for i in 0:n-1 { x(i) = x(i+1) } }\nranks p\ndistribute i over p\n");
  REQUIRE_MESSAGE(m.plan, m.errors);
  CHECK(m.exchange("x")->pattern == "halo 1");
}

TEST_CASE("the row of Floyd and Warshall comes from one rank, along all columns") {
  const Made m = made(
      "param n = 8\ntensor D(n, n)\nD[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))\norder k i j\nranks p\n"
      "distribute i over p\n");
  REQUIRE_MESSAGE(m.plan, m.errors);
  CHECK(m.exchange("D")->pattern == "from one");
}

TEST_CASE("sums are combined where all ranks have them, and ranks that test what is cut are refused") {
  const Made sum = made("param n = 8\ntensor x(n)\ns = sum(i)(x(i))\nranks p\ndistribute i over p\n");
  REQUIRE_MESSAGE(sum.plan, sum.errors);
  REQUIRE(sum.plan->exchanges.size() == 1);
  CHECK(sum.plan->exchanges.front().kind == distribute::Exchange::Kind::sums);
  const std::string loops =
      "param n = 4\ntensor x(n)\nloops { for t in 0:9 until x(0) > 3 { for i in 0:n { x(i) += 1 } } }\n";
  mentions(made(loops + "ranks p\ndistribute i over p\n").errors, "E0153");
}

TEST_CASE("over says where a tensor is cut, and a loop that it leaves no place is refused") {
  const std::string matrix = "param n = 4\ntensor A(n, n): over (:, p)\ntensor x(n)\nA(i,0) = x(i)\n";
  mentions(made(matrix + "ranks p\ndistribute i over p\n").errors, "E0152 loop i has no place on ranks p");
  mentions(made("tensor A(4, 4): over (p)\nranks p\n").errors, "E0327 A has 2 dimensions, not 1");
  mentions(made("tensor A(4, 4): over (q, :)\nranks p\n").errors, "E0327 there are no ranks called q");
  mentions(made("tensor A(4, 4): over (p, p)\nranks p\n").errors, "E0327 A is cut twice for p");
}

TEST_CASE("a loop goes by cuts between which all its iterations are") {
  const std::string start = "param n = 5\ntensor X(n)\ntensor Y(n, n)\ntensor Z(n, n, n)\ntensor a(n)\nranks p\n";
  // X(i + 1) has no place for i = n - 1, where Y is written all the same.
  const Made above = made(start +
                          "loops { for i in 0:n { if i + 1 < n { X(i+1) = a(i) }\nfor j in 0:n { Y(i,j) = a(i) } } }\n"
                          "distribute i over p\n");
  REQUIRE_MESSAGE(above.plan, above.errors);
  REQUIRE(above.plan->dealt.size() == 1);
  CHECK(above.plan->dealt.begin()->second.offset == 0);
  REQUIRE(above.exchange("X"));
  CHECK(above.exchange("X")->kind == distribute::Exchange::Kind::written);
  const Made below = made(start +
                          "loops { for t in 0:n { for i in -1:n-1 { if 0 <= i && i <= t { Y(i,t) = a(i) }\n"
                          "for k in 0:n { Z(i+1,t,k) = 1 } } } }\ndistribute i over p\n");
  REQUIRE_MESSAGE(below.plan, below.errors);
  REQUIRE(below.plan->dealt.size() == 1);
  CHECK(below.plan->dealt.begin()->second.offset == 1);
  REQUIRE(below.exchange("Y"));
  CHECK(below.exchange("Y")->kind == distribute::Exchange::Kind::written);
}

TEST_CASE("cuts are between sizes, whatever the loops around a loop let it begin and end with") {
  const Made m = made(
      "param n = 6\ntensor x(2*n)\ntensor y(n)\ny(k) = sum(i)(x(2*i)) : 0 <= i < k\norder k i\nranks p\n"
      "distribute i over p\n");
  REQUIRE_MESSAGE(m.plan, m.errors);
  for (const distribute::Partition& p : m.plan->partitions) CHECK_FALSE(p.base.mentions("k"));
  CHECK(distribute::cut(*m.plan, {3}, {{"n", 6}}));
}

TEST_CASE("cuts by weights come out as even as whole rows let them") {
  CHECK(distribute::even_cuts(10, 4) == std::vector<std::int64_t>{0, 3, 6, 8, 10});
  CHECK(distribute::weighted_cuts({9, 1, 1, 1, 1, 1, 1, 1}, 2) == std::vector<std::int64_t>{0, 1, 8});
  CHECK(distribute::weighted_cuts({1, 1, 1, 1}, 2) == std::vector<std::int64_t>{0, 2, 4});
  CHECK(distribute::weighted_cuts({}, 3) == std::vector<std::int64_t>{0, 0, 0, 0});
}
