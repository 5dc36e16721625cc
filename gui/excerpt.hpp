#pragma once
// The lines of the program that a message is about, with its labels below them, each at the end of an elbow from the
// place that it speaks of, as compilers draw them in a terminal.

#include <string>
#include <vector>

#include "gui/page.hpp"
#include "gui/scene.hpp"

namespace trellis::gui {

struct Excerpt {
  struct Label {
    int begin = 0, end = 0;  ///< characters of the line
    Token token = Token::bad;
    std::string words;
  };
  int line = 0;  ///< from 1
  std::string text;
  std::vector<Label> labels;  ///< from left to right
};
/// In the order of the lines.
std::vector<Excerpt> excerpts_of(const text::Diagnostic& diagnostic, const text::Sources& sources);
void draw_excerpt(const Scene& scene, Page& page, const Excerpt& excerpt, Token edge);

}  // namespace trellis::gui
