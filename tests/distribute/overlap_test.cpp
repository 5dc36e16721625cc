// What runs while ghosts travel: iterations that read none, unless their order matters.
#include <doctest/doctest.h>

#include "engine/distribute/overlap.hpp"
#include "engine/distribute/spmd.hpp"
#include "engine/loop/print.hpp"
#include "tests/distribute/made.hpp"

using namespace trellis;
using namespace trellis::distribute::testing;

namespace {

std::string loops_of_rank(const std::string& program) {
  const Made m = made(program);
  REQUIRE_MESSAGE(m.plan, m.errors);
  const lang::Program own = distribute::program_of_rank(*m.plan, m.program);
  math::Solver solver(lang::size_assumptions(own));
  return loop::print(distribute::loops_of_rank(*m.plan, own, solver)).characters;
}

bool overlaps(const std::string& program) {
  const std::string loops = loops_of_rank(program);
  const std::size_t start = loops.find("exchange start"), finish = loops.find("exchange finish");
  REQUIRE(start != std::string::npos);
  return loops.substr(start, finish - start).find("forall") != std::string::npos;
}

const std::string declared = "param n = 9\ntensor x(n)\ntensor y(n)\n";

}  // namespace

TEST_CASE("overlap: the inside first, then both ends") {
  mentions(loops_of_rank(declared + "y(i) = x(i-1) + x(i+2) : 1 <= i < n-2\n" + along_p),
           "exchange start 0 of x\n"
           "forall i in max(max(1, lo_p), lo_p + 2):min(min(n - 2, hi_p), hi_p - 2) {");
  CHECK(overlaps(heat));
  CHECK(overlaps(heat_2d + "ranks p q\ndistribute i over p\ndistribute j over q\n"));
}

TEST_CASE("overlap: not where the order matters, nor where others than halos are waited for") {
  CHECK(!overlaps("param n = 9\ntensor x(n)\nloops { for i in 0:n-1 { x(i) = x(i+1) } }\n" + along_p));
  CHECK(!overlaps(declared + "s = sum(i)(x(i) * x(i+1)) : i < n-1\n" + along_p));
  CHECK(!overlaps(declared + "y(i) = x(i+1) + x(n-1-i) : i < n-1\n" + along_p));
}
