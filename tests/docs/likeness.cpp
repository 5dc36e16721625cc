#include "tests/docs/likeness.hpp"

#include <algorithm>
#include <regex>

namespace trellis::testing {
namespace {

const std::string dots = "…";

std::string without_measurements(std::string line) {
  static const std::regex measurement(
      R"( *\b[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)? ?((ns|µs|us|ms|s|min)\b|(GB|MB|GFLOP|MFLOP)/s) *)");
  line = std::regex_replace(line, measurement, " <measured> ");
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

bool line_alike(const std::string& shown, const std::string& printed) {
  const std::size_t end = shown.find(dots);
  if (end == std::string::npos) return without_measurements(shown) == without_measurements(printed);
  return without_measurements(printed).starts_with(without_measurements(shown.substr(0, end)));
}

// How long the one who waits has waited is said only of what takes long.
std::vector<std::string> without_waits(std::vector<std::string> lines) {
  static const std::regex waited("took [0-9.]+ s *");
  std::erase_if(lines, [](const std::string& line) { return std::regex_match(line, waited); });
  return lines;
}

}  // namespace

bool alike(const std::vector<std::string>& all_shown, const std::vector<std::string>& all_printed) {
  const std::vector<std::string> shown = without_waits(all_shown), printed = without_waits(all_printed);
  // reach[p]: the lines shown so far can stand for the first p lines printed.
  std::vector<bool> reach(printed.size() + 1, false);
  reach[0] = true;
  for (const std::string& line : shown) {
    std::vector<bool> next(printed.size() + 1, false);
    for (std::size_t p = 0; p <= printed.size(); ++p) {
      if (line == dots) next[p] = reach[p] || (p > 0 && next[p - 1]);
      else if (p > 0) next[p] = reach[p - 1] && line_alike(line, printed[p - 1]);
    }
    reach = std::move(next);
  }
  return reach.back();
}

}  // namespace trellis::testing
