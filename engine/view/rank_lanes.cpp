#include "engine/view/rank_lanes.hpp"

#include <algorithm>

namespace trellis::view {
namespace {

constexpr double nanoseconds = 1e-6;  ///< in milliseconds

}  // namespace

double RankLanes::computing() const {
  double computed = 0, all = 0;
  for (const Lane& lane : ranks) computed += lane.compute_ms, all += lane.compute_ms + lane.wait_ms;
  return all > 0 ? computed / all : 1;
}

RankLanes rank_lanes(const std::vector<run::RankTime>& times, std::vector<std::int64_t> grid, std::string how) {
  RankLanes lanes{std::move(grid), std::move(how), 0, {}};
  std::int64_t slice = 1, elapsed = 0;
  for (const run::RankTime& time : times)
    slice = std::max(slice, time.slice), elapsed = std::max(elapsed, time.elapsed);
  lanes.ms = static_cast<double>(elapsed) * nanoseconds;
  const std::int64_t slices = (elapsed + slice - 1) / slice;
  for (const run::RankTime& time : times) {
    std::vector<std::int64_t> waited(static_cast<std::size_t>(slices), 0);
    std::int64_t all = 0;
    for (std::size_t k = 0; k < time.waited.size(); ++k) {
      all += time.waited[k];
      const std::int64_t at = static_cast<std::int64_t>(k) * time.slice / slice;
      if (at < slices) waited[static_cast<std::size_t>(at)] += time.waited[k];
    }
    RankLanes::Lane lane{
        static_cast<double>(time.elapsed - all) * nanoseconds, static_cast<double>(all) * nanoseconds, {}};
    for (std::int64_t k = 0; k < slices; ++k) {
      const std::int64_t length = std::min(slice, elapsed - k * slice);
      lane.waits.push_back(std::clamp(static_cast<double>(waited[static_cast<std::size_t>(k)]) /
                                          static_cast<double>(std::max<std::int64_t>(1, length)),
                                      0.0, 1.0));
    }
    lanes.ranks.push_back(std::move(lane));
  }
  return lanes;
}

}  // namespace trellis::view
