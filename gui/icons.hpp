#pragma once
// Small pictures that stand for actions, drawn with strokes so that they are crisp at every scale and have the colour
// of their text. A verdict is no icon: Paint::verdict draws those.

#include "gui/ui.hpp"

namespace trellis::gui {

enum class Icon {
  first,
  back,
  play,
  pause,
  step,
  last,
  event_back,
  event_forth,
  search,
  chevron,
  close,
  theme,
  file,
  folder,
  clock,
  plus,
  book,
  pane,
  gear,
  key,
  prompt,
  order,
  tensor,
  kernel,
  download,
  question,
  check
};

/// Within a square of `size` around the centre.
void draw_icon(Paint& paint, Icon icon, Point centre, float size, Colour colour);

/// A button that shows an icon; `label` is what is read out, and its tooltip with the chord behind it.
struct IconButton {
  Icon icon = Icon::play;
  std::string label;
  std::string chord = {};
  bool strong = false, chosen = false, plain = false;  ///< plain: no frame until the pointer is there
  float size = 14;
};
bool icon_button(Ui& ui, const std::string& id, const IconButton& look, Rect area);

/// Keys as on their caps, "Ctrl" "P", ending at the right of the area; the result is how wide they are.
float draw_chord(Paint& paint, const Theme& theme, Rect area, std::string_view chord);
float width_of_chord(const Paint& paint, std::string_view chord);

}  // namespace trellis::gui
