#pragma once
// Triangles to pixels without OpenGL: pictures for docs, tests and `--screenshot` on machines without a display. What
// it paints is what the window paints.

#include <cstdint>
#include <string>
#include <vector>

#include "gui/geometry.hpp"

struct ImDrawData;

namespace trellis::gui {

struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint32_t> colours;  ///< by rows from the top; red in the lowest byte
  /// False: the file cannot be written.
  bool write_png(const std::string& path) const;
  Pixels part(int x, int y, int w, int h) const;
  /// Pictures of one size in rows of so many, from the upper left.
  static Pixels sheet(const std::vector<Pixels>& pictures, int columns);
};

/// The part of the pixels that differ visibly; 1 when the sizes do.
double difference(const Pixels& a, const Pixels& b);

/// The texture that ImGui's fonts lie in: a byte of opacity for each place.
struct Coverage {
  const unsigned char* bytes = nullptr;
  int width = 0, height = 0;
};

/// `scale` pixels a unit.
Pixels rasterise(const ImDrawData& data, const Coverage& fonts, float scale);

}  // namespace trellis::gui
