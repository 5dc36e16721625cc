#pragma once
// What every overlay stands on: a sheet above the darkened panes, its title, its buttons; and one function each that
// draws them.

#include <string>
#include <vector>

#include "gui/app.hpp"
#include "gui/field.hpp"
#include "gui/icons.hpp"

namespace trellis::gui {

struct Sheet {
  std::string title = {};  ///< empty: no header
  std::string subtitle = {};
  float width = 560, height = 400;
  float top = -1;      ///< where it begins; negative: in the middle
  bool closes = true;  ///< a press outside, or the cross, lets go
};
/// Draws it; the result is the room inside. Nothing below takes the pointer.
Rect draw_sheet(App& app, Ui& ui, Rect window, const Sheet& sheet);

struct Answer {
  std::string id, label, chord;
  bool strong = false;
};
/// Buttons from the right, the first one rightmost. The result is the id of the one that was clicked, or whose chord
/// came.
std::string draw_answers(Ui& ui, Rect area, const std::vector<Answer>& answers);

/// Over a group of things.
void draw_heading(Ui& ui, Rect area, std::string_view words);

// One each. `words` is what stands behind the overlay's name: "palette layout".
void draw_palette(App& app, Ui& ui, Rect window, const std::string& words);
void draw_gallery(App& app, Ui& ui, Rect window, const std::string& words);
void draw_save(App& app, Ui& ui, Rect window, const std::string& words);
void draw_unsaved(App& app, Ui& ui, Rect window, const std::string& words);
void draw_recover(App& app, Ui& ui, Rect window, const std::string& words);
void draw_export(App& app, Ui& ui, Rect window, const std::string& words);
void draw_help(App& app, Ui& ui, Rect window, const std::string& words);
void draw_keys(App& app, Ui& ui, Rect window, const std::string& words);
void draw_tour(App& app, Ui& ui, Rect window, const std::string& words);
/// Notes::last, while it lasts.
void draw_note(App& app, Ui& ui, Rect window);

}  // namespace trellis::gui
