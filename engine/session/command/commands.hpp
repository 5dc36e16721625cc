#pragma once
// The commands of the language: one table, one function each. `help`, completion and did-you-mean read the table.

#include <string_view>
#include <vector>

#include "engine/session/command/words.hpp"
#include "engine/session/reply/reply.hpp"
#include "engine/session/running/back_end.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Reads its words, does its work, reports problems in `words.diagnostics()`. The exit code may be set for failures
/// that are not the program's fault; otherwise an error means Exit::wrong_program.
struct CommandResult {
  Result result;
  Exit exit = Exit::success;
};
using Handler = CommandResult (*)(State&, Words&);

struct CommandInfo {
  std::string_view name;
  std::string_view usage;    ///< "run [KERNEL] [jit|native] [threads N]"
  std::string_view summary;  ///< one line
  std::string_view example;  ///< what one may type, for a command that was misused
  Handler handler;           ///< null: part of the language, but it comes later
  /// What looks may compute what it shows; there is nothing in that to undo.
  enum class Effect { acts, looks } effect = Effect::acts;
};

const std::vector<CommandInfo>& commands();
const CommandInfo* find_command(std::string_view name);

// data.cpp
/// The tensor of that name; null is reported.
const lang::TensorInfo* find_tensor(State&, const lang::syntax::Name&, Words&);
/// The tensor that the next word names; null is reported.
const lang::TensorInfo* tensor_word(State&, Words&);
CommandResult load(State&, Words&);
CommandResult random(State&, Words&);
CommandResult fill_with(State&, Words&);
CommandResult prune(State&, Words&);
// print.cpp
CommandResult print(State&, Words&);
CommandResult save(State&, Words&);
// run.cpp
CommandResult run(State&, Words&);
CommandResult check(State&, Words&);
// explore.cpp
/// What `show` shows.
const std::vector<std::string>& stage_names();
CommandResult show(State&, Words&);
CommandResult orders(State&, Words&);
CommandResult why(State&, Words&);
CommandResult core(State&, Words&);
CommandResult fix(State&, Words&);
// time.cpp, count.cpp
CommandResult time(State&, Words&);
CommandResult count(State&, Words&);
// diff.cpp
CommandResult diff(State&, Words&);
// plan.cpp
CommandResult plan(State&, Words&);
// suggest.cpp
CommandResult suggest(State&, Words&);
CommandResult tune(State&, Words&);
// history.cpp
CommandResult snapshot(State&, Words&);
CommandResult restore(State&, Words&);
CommandResult undo(State&, Words&);
CommandResult redo(State&, Words&);
CommandResult history(State&, Words&);
CommandResult reset(State&, Words&);
CommandResult source(State&, Words&);
CommandResult quit(State&, Words&);
CommandResult clear(State&, Words&);
/// Null is reported.
const Content* find_snapshot(const State&, const lang::syntax::Name&, text::Diagnostics&);
// step.cpp: an execution, backwards and forwards
CommandResult step(State&, Words&);
CommandResult back(State&, Words&);
CommandResult goto_(State&, Words&);
CommandResult next(State&, Words&);
/// `show instance`: the smallest read that comes too early, the one that `why` names, else the first of the execution.
CommandResult show_instance(State&, Words&);
// replay.cpp
CommandResult place_(State&, Words&);
CommandResult lattice(State&, Words&);
/// To the step whose number is the next word.
CommandResult goto_event(State&, Words&);
CommandResult goto_lattice_step(State&, Words&);
// select.cpp
CommandResult select(State&, Words&);
CommandResult pin(State&, Words&);
CommandResult unpin(State&, Words&);
// export.cpp, plot.cpp
/// The stages that `export dot` and `export svg` draw.
const std::vector<std::string>& drawn_stages();
CommandResult export_(State&, Words&);
CommandResult plot(State&, Words&);
// program.cpp
CommandResult list(State&, Words&);
CommandResult delete_(State&, Words&);
CommandResult schedule(State&, Words&);
// help.cpp
/// What `help` knows beside commands and error codes.
std::vector<std::string> help_topics();
CommandResult examples(State&, Words&);
CommandResult help(State&, Words&);
CommandResult explain(State&, Words&);

// tutorial.cpp
CommandResult tutorial(State&, Words&);
/// Whether a statement that was carried out does what the present lesson asks for; then that is noted.
std::optional<Learning> learn(State&, std::string_view statement, bool succeeded);
/// The declarations of a program, its schedule, and what fills its tensors; nothing is run or printed.
void carry_out_all(State&, const std::string& name, const std::string& program, text::Diagnostics&);

// quiz.cpp
CommandResult quiz(State&, Words&);

/// Runs one kernel now; what `run`, and `check` on a kernel that has not run yet, do.
std::optional<Ran::Kernel> run_kernel(State&, const lang::Kernel&, const BackEnd&, const run::Limits&, text::Span at,
                                      text::Diagnostics&, Exit&);

}  // namespace trellis::session
