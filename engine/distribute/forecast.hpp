#pragma once
// How well a plan scales, on paper: what the busiest rank computes beside what its messages take, where a message costs
// a latency and its bytes a bandwidth. Nothing is made rank by rank, so there may be 100 000 of them.
//
//   efficiency = (all work / ranks) / (the busiest rank's work + its messages)
//
// A pipeline of P ranks takes (m / b + P - 1) (c b + latency + …) for m iterations in blocks of b, of which each takes
// a rank c: least for b = sqrt(m latency / ((P - 1) c)).
//
// Of messages between two ranks after Alexandrov, Ionescu, Schauser, Scheiman, LogGP: Incorporating long messages into
// the LogP model, 1995; broadcasts and gathered parts go through trees, as in Thakur, Rabenseifner, Gropp, Optimization
// of collective communication operations in MPICH, 2005, section 4.

#include <optional>

#include "engine/distribute/cuts.hpp"

namespace trellis::distribute {

struct Network {
  double latency = 2e-6;    ///< seconds a message
  double bandwidth = 1e10;  ///< bytes a second, of each rank
  bool operator==(const Network&) const = default;
};

/// Seconds of one execution of the kernel.
struct Forecast {
  double work = 0;    ///< of the busiest rank
  double mean = 0;    ///< of a rank on average
  double ghosts = 0;  ///< for what the busiest rank is sent before it computes
  double behind = 0;  ///< for broadcasts, sums, what goes to its owners and is handed on: nothing is computed meanwhile
  double fill = 0;    ///< of pipelines, until the last rank has begun
  std::int64_t messages = 0, bytes = 0;  ///< that the busiest rank is sent
  /// Of a pipeline, how many iterations in a block take least.
  std::optional<std::int64_t> block = {};
  double efficiency() const { return share(work + ghosts + behind + fill); }
  /// Were ghosts to travel while the rank computes what needs none.
  double overlapped() const { return share((work > ghosts ? work : ghosts) + behind + fill); }

 private:
  double share(double takes) const { return takes > 0 ? mean / takes : 1; }
};

/// `seconds`: of all the work, on one rank. Loops around an exchange stand in their middle. What goes through lists
/// counts as all of it, unless it was found out what is wanted (Cuts::wants). Empty where a loop around an exchange has
/// no bounds that are numbers.
std::optional<Forecast> forecast(const Plan& plan, const Cuts& cuts, double seconds, const Network& network);

/// Of a tree: each message goes through so many ranks, one behind the other.
double broadcast_seconds(const Network& network, std::int64_t ranks, double bytes);
/// Until all ranks have the parts of all, each of so many bytes.
double gather_seconds(const Network& network, std::int64_t ranks, double bytes);

}  // namespace trellis::distribute
