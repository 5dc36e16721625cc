// The program `trellis`: reads the command line and hands over to what was asked for.
#include <clocale>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/session/fault.hpp"
#include "repl/command_line.hpp"
#include "repl/companion.hpp"
#include "repl/interactive.hpp"
#include "repl/run_file.hpp"
#include "repl/show_help.hpp"

int main(int argc, char** argv) {
  trellis::session::contain_signals();
  std::setlocale(LC_CTYPE, "");  // what the terminal shows; numbers stay as they are in programs
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const trellis::repl::CommandLine line = trellis::repl::read_command_line(arguments);
  switch (line.action) {
    case trellis::repl::CommandLine::Action::converse: return trellis::repl::converse(line);
    case trellis::repl::CommandLine::Action::run: return trellis::repl::run_file(line);
    case trellis::repl::CommandLine::Action::fix:
      return trellis::repl::fix_file(line);
    case trellis::repl::CommandLine::Action::explain: return trellis::repl::explain_file(line);
    case trellis::repl::CommandLine::Action::companion:
      std::fprintf(stderr, "trellis: %s\n", trellis::repl::exec_companion(line.companion, line.arguments).c_str());
      return 2;
    case trellis::repl::CommandLine::Action::help: return trellis::repl::show_help(line.topic);
    case trellis::repl::CommandLine::Action::examples: return trellis::repl::show_examples(line.topic);
    case trellis::repl::CommandLine::Action::version: std::puts("trellis " TRELLIS_VERSION); return 0;
    case trellis::repl::CommandLine::Action::wrong: break;
  }
  std::fprintf(stderr, "trellis: %s\n\n%s", line.problem.c_str(), trellis::repl::usage());
  return 2;
}
