#pragma once
// What may be typed next, as a list at the caret: it opens while a word is typed and with Ctrl+Space, and is as the
// prompt's.

#include <string>
#include <vector>

#include "gui/editor.hpp"
#include "gui/scene.hpp"

namespace trellis::gui {

struct Completing {
  std::string before;              ///< the text up to the caret that words are wanted for; empty: none are
  bool wanted_all = false;         ///< asked for by Ctrl+Space: also when nothing stands there yet
  bool take_only = false;          ///< by Tab: the only word there is is taken at once
  std::size_t begin = 0;           ///< of the word
  std::vector<std::string> words;  ///< empty: the list is not open
  std::string closing;
  std::size_t chosen = 0;
  bool open() const { return !words.empty(); }
  void close() { *this = {}; }
};

/// Before the field takes its keys: arrows choose, Enter and Tab take, Escape closes.
void take_completion_keys(Ui& ui, Editor& editor, Completing& completing);
/// After that: `typed` says whether letters came or went. The list follows the word.
void follow_completion(const Scene& scene, Editor& editor, Completing& completing, bool typed);
/// Below the caret, or above it where there is no room; over all panes.
void draw_completion(Ui& ui, Editor& editor, Completing& completing, Point caret, float row);

}  // namespace trellis::gui
