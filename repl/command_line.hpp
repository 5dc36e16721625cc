#pragma once
// The command line (docs/design/language.md#command-line), from words to a value. Nothing is opened or run here.

#include <string>
#include <vector>

#include "engine/session/state/state.hpp"
#include "repl/render/terminal.hpp"

namespace trellis::repl {

struct CommandLine {
  enum class Action {
    converse,
    run,
    command,
    fix,
    explain,
    companion,
    help,
    examples,
    version,
    wrong
  } action = Action::wrong;
  std::string problem;  ///< of `wrong`
  std::string misused;  ///< of `wrong`: the command that has a form of its own; "" when it is none
  std::string command;  ///< of `command`: the statement that comes behind the file's own, `show loops`
  int fix = 0;          ///< of `fix`: its number
  std::string file;  ///< of `run`, `fix`, `explain` and the prompt; "-" is standard input, empty (at the prompt): none
  std::string output;                  ///< of `explain`: the page of HTML; empty: text goes to standard output
  std::string topic;                   ///< of `help`; the name of `examples`
  std::string companion;               ///< `bench`, `gui`: a program of its own, companion.hpp
  std::vector<std::string> arguments;  ///< of the companion, which reads them itself
  enum class Replies { text, json } replies = Replies::text;
  WantsColour colour = WantsColour::when_terminal;
  std::string spill;  ///< where tensors that take more than `options.data_limit` lie; empty: there may be none
  session::Options options;
};

CommandLine read_command_line(const std::vector<std::string>& arguments);

/// All forms, a line or more each.
std::string usage();
/// How one command of the command line is written, with an example.
std::string form_of(const std::string& command);

}  // namespace trellis::repl
