#pragma once
// How long the ranks of a run computed, and how long they waited: for messages, and while they put them together.
//
//   0 ██████░░██████░░       dark: computes
//   1 ████░░░░████░░░░       light: waits

#include <string>
#include <vector>

#include "engine/run/rank_job.hpp"

namespace trellis::view {

struct RankLanes {
  struct Lane {
    double compute_ms = 0, wait_ms = 0;
    std::vector<double> waits;  ///< by slice of the run, the part of it that the rank waited: 0 to 1
  };
  std::vector<std::int64_t> grid;  ///< ranks, by dimension
  std::string how;                 ///< "as threads", "by MPI"
  double ms = 0;
  std::vector<Lane> ranks;
  /// Of the time of all ranks together, how much they computed: 0 to 1.
  double computing() const;
};

RankLanes rank_lanes(const std::vector<run::RankTime>& times, std::vector<std::int64_t> grid, std::string how);

}  // namespace trellis::view
