#include "gui/text_field.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::gui {
namespace {

bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

struct MoveKey {
  const char* chord;
  Editor::Move move;
  bool lines;  ///< only where there are many
};
constexpr MoveKey move_keys[] = {{"Left", Editor::Move::left, false},
                                 {"Right", Editor::Move::right, false},
                                 {"Ctrl+Left", Editor::Move::word_left, false},
                                 {"Ctrl+Right", Editor::Move::word_right, false},
                                 {"Home", Editor::Move::line_begin, false},
                                 {"End", Editor::Move::line_end, false},
                                 {"Ctrl+Home", Editor::Move::begin, false},
                                 {"Ctrl+End", Editor::Move::end, false},
                                 {"Up", Editor::Move::up, true},
                                 {"Down", Editor::Move::down, true}};

/// "Shift+Ctrl+Left" is spelt "Ctrl+Shift+Left".
std::string with_shift(const std::string& chord) {
  return chord.starts_with("Ctrl+") ? "Ctrl+Shift+" + chord.substr(5) : "Shift+" + chord;
}

bool take_moves(Ui& ui, Editor& editor, const TextKeys& keys) {
  bool any = false;
  for (const MoveKey& key : move_keys) {
    if (key.lines && !keys.many_lines) continue;
    if (ui.key(key.chord)) editor.move(key.move, false), any = true;
    if (ui.key(with_shift(key.chord))) editor.move(key.move, true), any = true;
  }
  if (!keys.many_lines) return any;
  for (const bool select : {false, true})
    for (const auto& [chord, move] : {std::pair{"PageUp", Editor::Move::up}, std::pair{"PageDown", Editor::Move::down}})
      if (ui.key(select ? with_shift(chord) : chord)) {
        for (int i = 0; i < keys.page; ++i) editor.move(move, select);
        any = true;
      }
  return any;
}

bool take_clipboard(Ui& ui, Editor& editor, const TextKeys& keys) {
  const bool cut = ui.key("Ctrl+X"), copied = ui.key("Ctrl+C");
  if ((cut || copied) && !editor.selected().empty()) {
    ui.copy(editor.selected());
    if (cut) editor.insert("");
    return cut;
  }
  if (!ui.key("Ctrl+V")) return false;
  std::string text = ui.pasted();
  std::erase(text, '\r');
  if (!keys.many_lines)
    while (text.ends_with('\n')) text.pop_back();
  editor.insert(text);
  return true;
}

bool take_lines(Ui& ui, Editor& editor) {
  const auto several = [&] {
    return editor.line_of(editor.selection_begin()) != editor.line_of(editor.selection_end());
  };
  if (ui.key("Enter") || ui.key("Shift+Enter")) return editor.new_line(), true;
  if (ui.key("Tab")) return several() ? editor.indent(false) : editor.insert("  "), true;
  if (ui.key("Shift+Tab")) return editor.indent(true), true;
  if (ui.key("Ctrl+/")) return editor.toggle_comment(), true;
  return false;
}

}  // namespace

int column_of(const Editor& editor, std::size_t at) {
  const std::size_t start = editor.line_start(editor.line_of(at));
  const std::string_view before = std::string_view(editor.text()).substr(start, at - start);
  return static_cast<int>(std::ranges::count_if(before, [](char c) { return !goes_on(c); }));
}

std::size_t offset_at(const Editor& editor, int line, int column) {
  const std::string_view text = editor.line(line);
  std::size_t at = 0;
  for (int c = 0; c < column && at < text.size(); ++c) do
      ++at;
    while (at < text.size() && goes_on(text[at]));
  return editor.line_start(line) + at;
}

std::size_t offset_under(const Editor& editor, const TextLook& look, Point pointer) {
  const int line =
      std::clamp(static_cast<int>(std::floor((pointer.y - look.origin.y) / look.row)), 0, editor.line_count() - 1);
  return offset_at(editor, line,
                   std::max(0, static_cast<int>(std::lround((pointer.x - look.origin.x) / advance_of(look.font)))));
}

Point place_of(const Editor& editor, const TextLook& look, std::size_t at) {
  return {look.origin.x + static_cast<float>(column_of(editor, at)) * advance_of(look.font),
          look.origin.y + static_cast<float>(editor.line_of(at)) * look.row};
}

bool take_text_keys(Ui& ui, Editor& editor, const TextKeys& keys) {
  bool any = take_moves(ui, editor, keys) | take_clipboard(ui, editor, keys);
  if (ui.key("Ctrl+A")) editor.select(0, editor.text().size()), any = true;
  if (ui.key("Ctrl+Z")) any |= editor.undo();
  if (ui.key("Ctrl+Y") || ui.key("Ctrl+Shift+Z")) any |= editor.redo();
  if (ui.key("Backspace") || ui.key("Shift+Backspace")) editor.erase(Editor::Move::left), any = true;
  if (ui.key("Ctrl+Backspace")) editor.erase(Editor::Move::word_left), any = true;
  if (ui.key("Delete")) editor.erase(Editor::Move::right), any = true;
  if (ui.key("Ctrl+Delete")) editor.erase(Editor::Move::word_right), any = true;
  if (keys.many_lines) any |= take_lines(ui, editor);
  const std::string typed = ui.take_typed();
  if (!typed.empty()) editor.insert(typed), any = true;
  return any;
}

void take_text_pointer(Ui& ui, Editor& editor, const TextLook& look, const Response& response) {
  if (response.double_clicked) {
    const auto [begin, end] = word_around(editor.text(), offset_under(editor, look, ui.input().mouse));
    return editor.select(begin, end);
  }
  if (response.pressed) return editor.place_caret(offset_under(editor, look, ui.input().mouse), ui.input().shift);
  // A hand that trembles while it clicks selects nothing.
  const Point way = ui.input().mouse - response.since;
  if (response.held && std::abs(way.x) + std::abs(way.y) > 3)
    editor.place_caret(offset_under(editor, look, ui.input().mouse), true);
}

void draw_selection(Ui& ui, const Editor& editor, const TextLook& look, int line) {
  const std::size_t start = editor.line_start(line), end = start + editor.line(line).size();
  const std::size_t first = std::max(editor.selection_begin(), start), last = std::min(editor.selection_end(), end);
  if (editor.selection_begin() == editor.selection_end() || first > last || editor.selection_end() <= start) return;
  const float left = place_of(editor, look, first).x;
  // A selected line end shows as a blank.
  const float right = place_of(editor, look, last).x + (editor.selection_end() > end ? advance_of(look.font) : 0);
  const float y = look.origin.y + static_cast<float>(line) * look.row;
  ui.paint().fill({left, y, right - left, look.row}, ui.theme().fill(Token::accent, 0.32F));
}

void draw_caret(Ui& ui, const Editor& editor, const TextLook& look) {
  const Point at = place_of(editor, look, editor.caret());
  ui.paint().fill({std::round(at.x) - 1, at.y + 1, 2, look.row - 2}, ui.theme()(Token::ink));
}

std::pair<std::size_t, std::size_t> word_around(const std::string& text, std::size_t at) {
  std::size_t begin = std::min(at, text.size()), end = begin;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  while (end < text.size() && is_word(text[end])) ++end;
  return {begin, end};
}

}  // namespace trellis::gui
