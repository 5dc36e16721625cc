#include "engine/run/histogram.hpp"

#include <doctest/doctest.h>

using namespace trellis::run;

TEST_CASE("a histogram ends eight spreads above the median, and counts what is slower") {
  Timing timing;
  timing.ms = {1.0, 1.1, 1.2, 1.3, 1.4, 9.0};
  timing.median = 1.2, timing.mad = 0.1;
  const Histogram found = histogram(timing, 2);
  CHECK(found.from == 1.0);
  CHECK(found.to == doctest::Approx(2.0));
  CHECK(found.bins == std::vector<int>{5, 0});
  CHECK(found.beyond == 1);
}

TEST_CASE("a histogram of runs that all took as long has one bin that is filled") {
  Timing timing;
  timing.ms = {2, 2, 2};
  timing.median = 2;
  const Histogram found = histogram(timing, 3);
  CHECK(found.bins == std::vector<int>{3, 0, 0});
  CHECK(found.beyond == 0);
}
