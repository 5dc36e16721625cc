#pragma once
// Two texts line by line: what only the left or only the right one has, and what both have.

#include <string>
#include <string_view>
#include <vector>

namespace trellis::gui {

struct SideLine {
  char side = ' ';  ///< 'A', 'B'; ' ': both; '~': lines of both are left out here
  std::string text;
};

/// As explore::unified_diff finds them; empty when the texts are equal.
std::vector<SideLine> side_lines(std::string_view a, std::string_view b);

/// The same side by side: lines of both face each other, and what one has in place of what the other has. A place where
/// a side has nothing is null.
struct FacingLines {
  const SideLine* a = nullptr;
  const SideLine* b = nullptr;
};
std::vector<FacingLines> facing(const std::vector<SideLine>& lines);

}  // namespace trellis::gui
