#pragma once
// What a search for schedules tries next, of the table of schedule commands (lang/schedule_commands.hpp): the lines
// that are worth compiling for loops as they stand.

#include <string>
#include <vector>

#include "engine/explore/suggest.hpp"

namespace trellis::explore {

struct Move {
  std::string_view of;                ///< the schedule command, by name
  std::vector<std::string> variants;  ///< "tile i j 16 16", …: where the first is refused, so are the others
  std::string reason = {};            ///< empty: what the estimate says it gains by
  /// The factor by which an estimate of its gain has been wrong: on the benchmark `advice` the ratio of clock and
  /// estimate stayed within it.
  double doubt = 1;
  bool each = false;         ///< all variants are looked at further, not the best alone
  bool first_legal = false;  ///< no variant behind the first that is legal
};

/// Of one command of the table, none for those that the search leaves to people: they change rounding or results, or
/// are parts of others. `loops`: where the search stands; `first`: nothing was changed yet.
std::vector<Move> moves(std::string_view command, const Kernel& kernel, const loop::Stmt& loops, bool first);

/// Does an equation read what the kernel computes?
bool recurs(const lang::Kernel& kernel);

}  // namespace trellis::explore
