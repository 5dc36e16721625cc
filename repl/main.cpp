// The program `trellis`: reads the command line and hands over to what was asked for.
#include <algorithm>
#include <clocale>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/run/sandbox.hpp"
#include "engine/session/fault.hpp"
#include "engine/session/running/kept_machine.hpp"
#include "engine/tensor/spill.hpp"
#include "repl/command_line.hpp"
#include "repl/companion.hpp"
#include "repl/interactive.hpp"
#include "repl/render/terminal.hpp"
#include "repl/run_file.hpp"
#include "repl/show_help.hpp"

namespace {

using trellis::repl::CommandLine;

int carry_out(const CommandLine& line) {
  using Action = CommandLine::Action;
  switch (line.action) {
    case Action::converse: return trellis::repl::converse(line);
    case Action::run: return trellis::repl::run_file(line);
    case Action::command: return trellis::repl::command_on_file(line);
    case Action::fix: return trellis::repl::fix_file(line);
    case Action::explain: return trellis::repl::explain_file(line);
    case Action::companion:
      trellis::repl::complain(trellis::repl::exec_companion(line.companion, line.arguments));
      return 2;
    case Action::help: return trellis::repl::show_help(line.topic);
    case Action::examples: return trellis::repl::show_examples(line.topic);
    case Action::version: std::puts("trellis " TRELLIS_VERSION); return 0;
    case Action::wrong: break;
  }
  trellis::repl::complain(line.problem);
  const std::string form = trellis::repl::form_of(line.misused);
  std::fprintf(stderr, "\n%s", form.empty() ? trellis::repl::usage().c_str() : form.c_str());
  return 2;
}

/// False, which is reported, where the folder takes no files.
bool spills(const CommandLine& line) {
  if (line.spill.empty()) return true;
  const std::size_t limit = line.options.data_limit ? line.options.data_limit : trellis::run::default_memory_limit();
  const std::string problem = trellis::tensor::spill(line.spill, limit);
  if (!problem.empty()) trellis::repl::complain("--spill " + line.spill + ": " + problem);
  return problem.empty();
}

}  // namespace

int main(int argc, char** argv) {
  trellis::session::contain_signals();
  std::setlocale(LC_CTYPE, "");  // what the terminal shows; numbers stay as they are in programs
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  CommandLine line = trellis::repl::read_command_line(arguments);
  line.options.machine = trellis::session::kept_machine();
  line.options.chooses_backend =
      std::ranges::none_of(arguments, [](const std::string& argument) { return argument.starts_with("--backend"); });
  const int exit = spills(line) ? carry_out(line) : 2;
  const std::string lost = trellis::repl::lost_output();
  if (lost.empty()) return exit;
  trellis::repl::complain("standard output is not complete: " + lost);
  return exit == 0 ? 2 : exit;
}
