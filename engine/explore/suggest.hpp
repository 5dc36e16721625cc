#pragma once
// Schedules worth trying: a cheaper legal order, threads for an outermost loop without dependences, tiles where data is used
// again after it has left the cache, vectors. Each has been compiled, so it is legal, and is estimated to be cheaper.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/explore/orders.hpp"
#include "engine/explore/traffic.hpp"

namespace trellis::explore {

struct Suggestion {
  std::string command;  ///< "order i k j", "parallel i"
  std::string reason;   ///< one line
  double cost_before = 0, cost_after = 0;  ///< estimate_traffic
};

/// The loops that the kernel gets when this schedule command is added; empty when it is refused.
using Attempt = std::function<std::optional<loop::Stmt>(const std::string& command)>;

struct Kernel {
  const lang::Program& program;
  loop::Stmt loops;                        ///< as they are now
  lang::Order order;                       ///< as they have it
  Judge judge;                             ///< of other orders
  Names sizes;
};

/// The best first.
std::vector<Suggestion> suggest(const Kernel& kernel, const Attempt& attempt, const Machine& machine);

}  // namespace trellis::explore
