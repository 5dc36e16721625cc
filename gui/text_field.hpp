#pragma once
// What every text that can be typed in has in common: keys, clipboard, pointer, selection and caret. The editor of the
// program is one of many lines, the console's line one that grows.

#include "gui/editor.hpp"
#include "gui/ui.hpp"

namespace trellis::gui {

struct TextLook {
  Point origin;  ///< of the first character of the first line
  Font font = Font::code;
  float row = 20;
};

/// Characters before that offset in its line.
int column_of(const Editor& editor, std::size_t at);
/// The offset of a character of a line, or of its end where it is shorter.
std::size_t offset_at(const Editor& editor, int line, int column);
/// Where the caret goes when the pointer is there: between the nearest two characters.
std::size_t offset_under(const Editor& editor, const TextLook& look, Point pointer);
/// The corner above the character at that offset.
Point place_of(const Editor& editor, const TextLook& look, std::size_t at);

struct TextKeys {
  bool many_lines = true;  ///< otherwise Enter, Tab, Up and Down are left to the caller
  int page = 20;           ///< lines that PageUp and PageDown go
};
/// Carries out what was typed and pressed in this frame. True: text, caret or selection are others now.
bool take_text_keys(Ui& ui, Editor& editor, const TextKeys& keys = {});
/// A press puts the caret, dragging selects, a double click selects the word.
void take_text_pointer(Ui& ui, Editor& editor, const TextLook& look, const Response& response);
/// Behind the text of a line.
void draw_selection(Ui& ui, const Editor& editor, const TextLook& look, int line);
void draw_caret(Ui& ui, const Editor& editor, const TextLook& look);

/// The name around an offset, letters, digits and `_`: where it begins and ends.
std::pair<std::size_t, std::size_t> word_around(const std::string& text, std::size_t at);

}  // namespace trellis::gui
