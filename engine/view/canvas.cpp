#include "engine/view/canvas.hpp"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_easy_font.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace trellis::view {

namespace {

constexpr int font_scale = 2;

/// A corner of a letter's rectangle, as stb_easy_font writes it.
struct Vertex {
  float x, y, z;
  std::array<unsigned char, 4> colour;
};

}  // namespace

Canvas::Canvas(int width, int height, Colour background)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), background) {}

void Canvas::pixel(int x, int y, Colour colour) {
  if (x < 0 || x >= width_ || y < 0 || y >= height_) return;
  pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)] = colour;
}

void Canvas::rectangle(int x, int y, int width, int height, Colour colour) {
  for (int v = std::max(y, 0); v < std::min(y + height, height_); ++v)
    for (int u = std::max(x, 0); u < std::min(x + width, width_); ++u) pixel(u, v, colour);
}

void Canvas::line(double x0, double y0, double x1, double y1, Colour colour) {
  const int steps = std::max(1, static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0)))));
  for (int s = 0; s <= steps; ++s) {
    const double along = static_cast<double>(s) / steps;
    rectangle(static_cast<int>(std::lround(x0 + along * (x1 - x0))),
              static_cast<int>(std::lround(y0 + along * (y1 - y0))), 2, 2, colour);
  }
}

int Canvas::text_width(std::string_view ascii) {
  std::string copy(ascii);
  return font_scale * stb_easy_font_width(copy.data());
}

void Canvas::text(int x, int y, std::string_view ascii, Colour colour, Align align) {
  std::string copy(ascii);
  if (align == Align::centre) x -= text_width(ascii) / 2;
  if (align == Align::right) x -= text_width(ascii);
  std::vector<Vertex> corners(64 * 4 * (copy.size() + 1));
  const int letters = stb_easy_font_print(0, 0, copy.data(), nullptr, corners.data(),
                                          static_cast<int>(corners.size() * sizeof(Vertex)));
  for (int q = 0; q < letters; ++q) {
    const Vertex& from = corners[static_cast<std::size_t>(4 * q)];
    const Vertex& to = corners[static_cast<std::size_t>(4 * q + 2)];
    rectangle(x + font_scale * static_cast<int>(from.x), y + font_scale * static_cast<int>(from.y),
              font_scale * static_cast<int>(to.x - from.x), font_scale * static_cast<int>(to.y - from.y), colour);
  }
}

std::string Canvas::png() const {
  std::string bytes;
  const auto append = [](void* out, void* data, int size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  stbi_write_png_to_func(append, &bytes, width_, height_, 3, pixels_.data(), 3 * width_);
  return bytes;
}

}  // namespace trellis::view
