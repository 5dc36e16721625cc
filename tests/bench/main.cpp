// The program `trellis-bench`: what `trellis bench` becomes. Apart from `trellis`, which would otherwise load the
// peers' libraries at each start.
#include <clocale>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/run/sandbox.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/contest.hpp"

namespace {

struct CommandLine {
  std::string problem;  ///< empty: none
  std::vector<std::string> names;
  trellis::bench::Options options;
  bool json = false;
};

CommandLine read_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--json") line.json = true;
    else if (word == "--once") line.options.once = trellis::bench::only_once() = true;
    else if (word == "--data" && i + 1 == arguments.size()) line.problem = "`--data` needs a folder";
    else if (word == "--data") line.options.data = arguments[++i];
    else if (word == "--only" && i + 1 < arguments.size()) trellis::bench::only_rows() = arguments[++i];
    else if (word.starts_with('-')) line.problem = "`trellis bench` does not know `" + word + "`";
    else line.names.push_back(word);
  }
  trellis::bench::only_small() = line.options.once && line.options.data.empty();
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_CTYPE, "");
  const CommandLine line = read_command_line({argv + 1, argv + argc});
  trellis::run::keep_freed_pages();  // as children of sessions do, which runs of kernels are
  if (line.problem.empty()) return trellis::bench::run(line.names, line.options, line.json);
  std::fprintf(stderr, "trellis: %s; see `trellis help bench`\n", line.problem.c_str());
  return 2;
}
