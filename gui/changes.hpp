#pragma once
// Where two frames in a row differ: a frame's triangles say so tile by tile.

#include <cstdint>
#include <vector>

#include "gui/geometry.hpp"

struct ImDrawData;

namespace trellis::gui {

class Changes {
 public:
  /// A few rectangles that hold every pixel in which this frame may differ from the last one that was asked about; all
  /// of it at first, and when the size is another.
  std::vector<Rect> since_last(const ImDrawData& data, int width, int height);
  /// All of the next frame will count as changed.
  void forget() { tiles_.clear(); }

 private:
  std::vector<std::uint64_t> tiles_;
  int across_ = 0, down_ = 0;
};

}  // namespace trellis::gui
