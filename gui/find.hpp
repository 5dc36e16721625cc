#pragma once
// Looking for words in a pane: in its text, or among the things that it shows.

#include <string_view>
#include <vector>

#include "gui/app.hpp"

namespace trellis::gui {

struct Occurrence {
  std::uint32_t begin = 0, end = 0;  ///< bytes
};
/// Upper and lower case of ASCII are the same; they do not overlap.
std::vector<Occurrence> occurrences(std::string_view text, std::string_view words);
/// Behind a match; `here`: the one that is looked at.
void paint_occurrence(Paint& paint, const Theme& theme, Rect area, bool here);

}  // namespace trellis::gui
