#pragma once
// What each pass over control flow made of a kernel, run again for whoever asks: `show flow after PASS`, `show flow
// each`, the report's and the explorer's steppers.

#include <optional>
#include <string>
#include <vector>

#include "engine/compile.hpp"

namespace trellis::session {

struct PassShown {
  std::string name, reason;
  std::string diff;  ///< of the flow before and after, as `diff -u` shows it; empty: the pass changed nothing
  /// All lines, of the flow before (`-`), after (`+`) or of both; none where the pass changed nothing.
  struct Line {
    char mark = ' ';
    std::string text;
  };
  std::vector<Line> lines = {};
};

std::vector<PassShown> passes_of(const Compilation& compilation);

/// A pass that changed something with its reason and its diff, the others in between in one line.
std::string to_string(const std::vector<PassShown>& passes);

/// Empty: there is no pass of this name.
std::optional<flow::Flow> flow_after(const Compilation& compilation, const std::string& pass);

}  // namespace trellis::session
