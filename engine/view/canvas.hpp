#pragma once
// A picture of pixels to draw on, and its bytes as a PNG file. Coordinates go right and down from 0; what lies outside
// is cut.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trellis::view {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
};

class Canvas {
 public:
  Canvas(int width, int height, Colour background);
  int width() const { return width_; }
  int height() const { return height_; }

  void pixel(int x, int y, Colour colour);
  void rectangle(int x, int y, int width, int height, Colour colour);
  /// Two pixels wide.
  void line(double x0, double y0, double x1, double y1, Colour colour);

  enum class Align { left, centre, right };
  /// ASCII text, its top at y.
  void text(int x, int y, std::string_view ascii, Colour colour, Align align = Align::left);
  static int text_width(std::string_view ascii);
  static constexpr int text_height = 16;

  std::string png() const;

 private:
  int width_, height_;
  std::vector<Colour> pixels_;
};

}  // namespace trellis::view
