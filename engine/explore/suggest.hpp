#pragma once
// Schedules worth trying, by a search: its steps are those of the table of schedule commands (moves.hpp), what does
// more than another whatever the sizes is left out, and of the rest a few are looked at further (a beam), by their
// estimates. Each has been compiled, so it is legal, and is estimated to be faster by more than the estimate is in
// doubt.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/cost/estimate.hpp"
#include "engine/explore/contraction.hpp"
#include "engine/explore/orders.hpp"

namespace trellis::explore {

struct Suggestion {
  std::string command;  ///< "order i k j", "parallel i", "order k i j; jam k 8"
  std::string reason;   ///< one line
  double cycles = 0;    ///< cost::estimate_cycles with it
  double doubt = 1;     ///< it may take so many times as long as that beside what stands
};

/// What the kernel becomes when schedule commands are added.
struct Attempted {
  loop::Stmt loops;
  double cycles = 0;
  cost::Parts parts = {};  ///< of the cycles
  double larger = 0;       ///< cycles where all sizes, and entries with them, are eight times as large
};
/// Empty when the command is refused.
using Attempt = std::function<std::optional<Attempted>(const std::string& command)>;

struct Kernel {
  const lang::Program& program;
  const lang::Kernel& equations;
  Attempted now;
  lang::Order order;  ///< as the loops have it
  Judge judge;        ///< of other orders
  int threads = 1;    ///< that a parallel loop runs on
  Names sizes = {};   ///< that have values
  RegisterBlock block = {};
  std::vector<std::string> workspaces = {};  ///< as schedule commands: other ways to collect what it collects
  std::function<bool()> is_late = [] { return false; };  ///< the search ends with what it has
};

/// The best first; none that gains nothing.
std::vector<Suggestion> suggest(const Kernel& kernel, const Attempt& attempt);

}  // namespace trellis::explore
