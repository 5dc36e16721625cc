#include "gui/editor.hpp"

#include <doctest/doctest.h>

namespace trellis::gui {

TEST_CASE("editor: what is typed is undone word by word, and changes by commands on their own") {
  Editor editor;
  editor.reset("order i j");
  editor.place_caret(9, false);
  for (const char c : std::string(" k")) editor.insert(std::string(1, c));
  CHECK(editor.text() == "order i j k");
  editor.replace(6, 11, "j i k");
  CHECK(editor.text() == "order j i k");
  CHECK(editor.undo());
  CHECK(editor.text() == "order i j k");
  CHECK(editor.undo());
  CHECK(editor.text() == "order i j");
  CHECK_FALSE(editor.undo());
  CHECK(editor.redo());
  CHECK(editor.text() == "order i j k");
}

TEST_CASE("editor: the caret moves by characters, words and lines, not by bytes") {
  Editor editor;
  editor.reset("a → b\nlonger line\nx");
  editor.place_caret(2, false);
  editor.move(Editor::Move::right, false);
  CHECK(editor.caret() == 5);
  editor.move(Editor::Move::line_end, true);
  CHECK(editor.selected() == " b");
  editor.move(Editor::Move::down, false);
  CHECK(editor.line_of(editor.caret()) == 1);
  editor.move(Editor::Move::down, false);
  CHECK(editor.caret() == editor.text().size());
  editor.move(Editor::Move::up, false);
  CHECK(editor.caret() - editor.line_start(1) == 5);  // the column that it came from
  editor.erase(Editor::Move::word_left);
  CHECK(editor.line(1) == "r line");
}

TEST_CASE("editor: lines are indented and commented out, and a new one continues the block") {
  Editor editor;
  editor.reset("kernel f {\n  a = 1\n}");
  editor.place_caret(10, false);
  editor.new_line();
  CHECK(editor.line(1) == "  ");
  editor.select(0, editor.text().size());
  editor.toggle_comment();
  CHECK(editor.line(0) == "# kernel f {");
  editor.toggle_comment();
  CHECK(editor.line(0) == "kernel f {");
}

}  // namespace trellis::gui
