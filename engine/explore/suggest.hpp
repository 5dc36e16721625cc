#pragma once
// Schedules worth trying: a faster legal order, loops over what an operand stores, operands looked up in tables,
// results with few entries in csr, threads for an outermost loop without dependences, tiles where data is used again
// after it has left the cache, several iterations at once, vectors. Each has been compiled, so it is legal, and is
// estimated to be faster.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/cost/estimate.hpp"
#include "engine/explore/orders.hpp"

namespace trellis::explore {

struct Suggestion {
  std::string command;  ///< "order i k j", "parallel i", "skew t i 2; reorder i t; jam t 8"
  std::string reason;   ///< one line
  double cycles = 0;    ///< cost::estimate_cycles with it
};

/// What the kernel becomes when schedule commands are added.
struct Attempted {
  loop::Stmt loops;
  double cycles = 0;
  cost::Parts parts = {};  ///< of the cycles
};
/// Empty when the command is refused.
using Attempt = std::function<std::optional<Attempted>(const std::string& command)>;

struct Kernel {
  const lang::Program& program;
  Attempted now;
  lang::Order order;  ///< as the loops have it
  Judge judge;        ///< of other orders
  int threads = 1;    ///< that a parallel loop runs on
};

/// The best first; none that gains nothing.
std::vector<Suggestion> suggest(const Kernel& kernel, const Attempt& attempt);

}  // namespace trellis::explore
