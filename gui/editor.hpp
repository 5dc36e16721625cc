#pragma once
// A text that is edited: its characters, a caret with a selection, undo. No drawing; views/program.cpp shows it,
// views/console.cpp a single line of it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trellis::gui {

class Editor {
 public:
  /// Goes up with every change of the text.
  std::uint64_t revision() const { return revision_; }
  const std::string& text() const { return text_; }
  std::size_t caret() const { return caret_; }    ///< byte offset
  std::size_t anchor() const { return anchor_; }  ///< the other end of the selection
  std::size_t selection_begin() const { return std::min(caret_, anchor_); }
  std::size_t selection_end() const { return std::max(caret_, anchor_); }
  std::string selected() const { return text_.substr(selection_begin(), selection_end() - selection_begin()); }

  /// Another text, with nothing to undo.
  void reset(std::string text);
  /// Puts the text in place of the selection. What is typed letter by letter is undone together.
  void insert(std::string_view text);
  /// A change made by a command, undone on its own; the caret stays where it is in the text around.
  void replace(std::size_t begin, std::size_t end, std::string_view text);
  /// The whole text, as one change.
  void replace_all(std::string_view text) { replace(0, text_.size(), text); }

  enum class Move { left, right, word_left, word_right, line_begin, line_end, up, down, begin, end };
  void move(Move move, bool select);
  void place_caret(std::size_t at, bool select);
  void select(std::size_t begin, std::size_t end);
  void erase(Move towards);  ///< the selection, or what lies that way
  void new_line();           ///< with the indentation of this one
  void indent(bool back);    ///< the lines of the selection, by two blanks
  void toggle_comment();     ///< `# ` before the lines of the selection

  bool undo();
  bool redo();

  int line_of(std::size_t at) const;        ///< from 0
  std::size_t line_start(int line) const;   ///< the end of the text behind the last line
  std::string_view line(int number) const;  ///< without its end
  int line_count() const { return static_cast<int>(starts_.size()); }

 private:
  struct Change {
    std::size_t at = 0;
    std::string removed, added;
    std::size_t caret = 0;  ///< before
    bool typed = false;
  };
  void apply(Change change);
  void set_text(std::string text);
  std::size_t moved(std::size_t from, Move move) const;

  std::string text_;
  std::vector<std::size_t> starts_ = {0};
  std::size_t caret_ = 0, anchor_ = 0;
  int wanted_column_ = -1;  ///< of the caret while it goes up and down, in characters
  std::uint64_t revision_ = 1;
  std::vector<Change> done_, undone_;
};

}  // namespace trellis::gui
