#pragma once
// Looking for words in a pane: in its text, or among the things that it shows.

#include <string>
#include <string_view>
#include <vector>

#include "gui/paint.hpp"

namespace trellis::gui {

class App;

struct Occurrence {
  std::uint32_t begin = 0, end = 0;  ///< bytes
};
/// Upper and lower case of ASCII are the same; they do not overlap.
std::vector<Occurrence> occurrences(std::string_view text, std::string_view words);
/// Behind a match; `here`: the one that is looked at.
void paint_occurrence(Paint& paint, const Theme& theme, Rect area, bool here);

/// In the active pane; `replace`: with a second field; else the words to begin with.
void open_find(App& app, const std::string& words);
/// Above the pane that is searched, while one is.
void draw_find(App& app);

}  // namespace trellis::gui
