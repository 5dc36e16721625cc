#pragma once
// Draws only what a frame has changed: without a graphics card each pixel costs time. What was drawn stays in a picture
// beside the window, of which each frame shows a copy.

#include "gui/changes.hpp"

struct ImDrawData;

namespace trellis::gui {

/// In an OpenGL context with ImGui's renderer, whose frame has begun.
class Repaint {
 public:
  Repaint() = default;
  ~Repaint();
  Repaint(const Repaint&) = delete;
  Repaint& operator=(const Repaint&) = delete;

  /// Puts the frame into the window's back buffer.
  void draw(const ImDrawData& data, int width, int height);

 private:
  void resize(int width, int height);

  Changes changes_;
  unsigned buffer_ = 0, picture_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace trellis::gui
