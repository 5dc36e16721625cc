#include "engine/explore/ranks.hpp"

#include <doctest/doctest.h>

using namespace trellis::explore;

TEST_CASE(
    "an estimate is refuted where the clock ranks two orders the other way round, not where they are about equal") {
  std::vector<Verdict> rows(5);
  const double costs[] = {1.0, 1.2, 3.0, 3.0}, medians[] = {2.0, 1.0, 5.0, 5.1};
  for (std::size_t i = 0; i < 4; ++i) rows[i].legal = true, rows[i].cost = costs[i], rows[i].median_ms = medians[i];
  CHECK(refuted_estimates(rows) == std::vector<bool>{true, true, false, false, false});
  rows[1].median_ms = 1.97;
  CHECK(refuted_estimates(rows) == std::vector<bool>(5, false));
}
