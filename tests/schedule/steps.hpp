#pragma once
// Steps on loops in their notation: what comes out, or why not.

#include <sstream>

#include "engine/lang/schedule_commands.hpp"
#include "engine/schedule/apply.hpp"
#include "tests/loop/notation.hpp"

namespace trellis::schedule::testing {

/// `tile i j 2 2`, with the default names of new loops.
inline lang::ScheduleStep step(const std::string& command) {
  using Kind = lang::ScheduleStep::Kind;
  std::istringstream words(command);
  std::string word;
  words >> word;
  const lang::ScheduleCommand* const known = lang::schedule_command(word);
  REQUIRE_MESSAGE((known && known->step), word, " is no step");
  lang::ScheduleStep result{known->step->kind, {}, {}, {}, {}, {}};
  bool into = false;
  while (words >> word) {
    if (word == "into") into = true;
    else if (std::isalpha(static_cast<unsigned char>(word[0]))) (into ? result.into : result.loops).push_back(word);
    else result.factors.push_back(std::stoll(word));
  }
  if (result.kind == Kind::tile)
    for (const char* suffix : {"_o", "_i"})
      for (const std::string& loop : result.loops) result.into.push_back(loop + suffix);
  return result;
}

/// Commands separated by commas.
inline std::vector<lang::ScheduleStep> steps(const std::string& commands) {
  std::vector<lang::ScheduleStep> result;
  std::istringstream all(commands);
  for (std::string command; std::getline(all, command, ',');) result.push_back(step(command));
  return result;
}

inline loop::Stmt nest(const std::string& notation) { return loop::number(loop::testing::loops(notation)); }

/// The loops after the commands, or the refusal: `E0140 …` and its instance.
inline std::string after(const std::string& notation, const std::string& commands) {
  text::Diagnostics diagnostics;
  const auto scheduled =
      apply(nest(notation), steps(commands), loop::testing::world(), loop::testing::solver(), diagnostics);
  if (scheduled) {
    CHECK(loop::verify(scheduled->loops, loop::testing::world()) == "");
    return loop::to_string(scheduled->loops);
  }
  std::string refusal;
  for (const auto& d : diagnostics.all()) {
    refusal += d.code + " " + d.message + "\n" + (d.instance_text.empty() ? "" : d.instance_text + "\n");
    for (const auto& note : d.notes) refusal += note.message + "\n";
  }
  return refusal;
}

}  // namespace trellis::schedule::testing
