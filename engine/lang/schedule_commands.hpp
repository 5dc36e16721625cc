#pragma once
// All schedule commands: what is typed, what `help` says of it and, of those that are steps from loops to loops, how it
// is written. What each does is in schedule/step.cpp for steps, in results/ and coiterate/ for the others.

#include <optional>
#include <span>
#include <string_view>

#include "engine/lang/schedule.hpp"
#include "engine/lang/syntax.hpp"

namespace trellis::lang {

struct ScheduleCommand {
  std::string_view name;
  std::string_view usage;    ///< "skew i j [1]"
  std::string_view summary;  ///< one line

  /// How a step is written: names of loops, then numbers.
  struct Step {
    ScheduleStep::Kind kind;
    std::size_t least = 1, most = 1;  ///< loops
    std::size_t factors = 0;          ///< numbers; `tile` has one for each loop
    std::string_view example = {};    ///< with all of them: "skew i j 1"
  };
  std::optional<Step> step = std::nullopt;
};

/// In the order in which `help` lists them.
std::span<const ScheduleCommand> schedule_commands();
/// Null for another word.
const ScheduleCommand* schedule_command(std::string_view name);
/// Of `plan off` and `plan on` too, which share their word with a command that shows something.
const ScheduleCommand* schedule_command(const syntax::Command& command);
const ScheduleCommand& command_of(ScheduleStep::Kind kind);

}  // namespace trellis::lang
