#pragma once
// A line to type in, and rows to choose from: what palette, questions and forms are made of.

#include <functional>
#include <optional>
#include <string>

#include "gui/editor.hpp"
#include "gui/ui.hpp"

namespace trellis::gui {

struct LineLook {
  std::string placeholder = {};
  Font font = Font::text;
  bool framed = true;
};
/// Typing goes to it while it has the text focus, which a press on it gives. True: the text has changed.
bool draw_field(Ui& ui, const std::string& id, Editor& line, Rect area, const LineLook& look = {});
/// Gives it the text focus.
void focus_field(Ui& ui, const std::string& id);

/// Which of the rows is chosen, and how far they are scrolled.
struct Choosing {
  std::size_t at = 0;
  float offset = 0;
};
struct RowLook {
  std::string id, label, state = {};
};
struct Rows {
  std::size_t count = 0;
  float height = 30;
  std::size_t across = 1;  ///< as a grid: Left and Right choose as well
  float gap = 0;           ///< between those of a grid
  std::string role = "row";
  std::function<RowLook(std::size_t)> look = {};
  std::function<void(std::size_t, Rect, bool chosen)> draw = {};
};
/// Arrows, page keys and wheel move about. The result is the row that a click or Enter has taken.
std::optional<std::size_t> draw_rows(Ui& ui, Rect area, const Rows& rows, Choosing& kept);

}  // namespace trellis::gui
