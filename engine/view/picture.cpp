#include "engine/view/picture.hpp"

#include <cstdint>
#include <cstdio>

#include "engine/text/node.hpp"
#include "engine/view/svg.hpp"

namespace trellis::view {
namespace {

void paint(Canvas& canvas, const Picture::Raster& raster) {
  for (int y = 0; y < raster.height; ++y)
    for (int x = 0; x < raster.width; ++x) {
      const int row = y * raster.rows / raster.height, column = x * raster.columns / raster.width;
      canvas.pixel(raster.x + x, raster.y + y, raster.cells[static_cast<std::size_t>(row * raster.columns + column)]);
    }
}

void paint(Canvas& canvas, const Picture::Line& line) {
  for (std::size_t k = 1; k < line.points.size(); ++k)
    canvas.line(line.points[k - 1].first, line.points[k - 1].second, line.points[k].first, line.points[k].second,
                line.colour);
}

std::string hex(Colour colour) {
  char out[8];
  std::snprintf(out, sizeof out, "#%02x%02x%02x", colour.red, colour.green, colour.blue);
  return out;
}

std::string place(double x, double y) {
  char out[64];
  std::snprintf(out, sizeof out, "%.1f,%.1f", x, y);
  return out;
}

/// RFC 4648, section 4.
std::string base64(const std::string& bytes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const auto byte = [&](std::size_t n) {
      return k + n < bytes.size() ? static_cast<std::uint8_t>(bytes[k + n]) : 0u;
    };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (int n = 0; n < 4; ++n) out += letters[group >> (18 - 6 * n) & 63];
  }
  for (std::size_t n = 0; n < (3 - bytes.size() % 3) % 3; ++n) out[out.size() - 1 - n] = '=';
  return out;
}

std::string box(int x, int y, int width, int height) {
  return "x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" + std::to_string(width) +
         "\" height=\"" + std::to_string(height) + "\"";
}

std::string svg_of(const Picture::Rectangle& r) {
  return "  <rect " + box(r.x, r.y, r.width, r.height) + " fill=\"" + hex(r.colour) + "\"/>\n";
}

std::string svg_of(const Picture::Line& line) {
  std::string points;
  for (const auto& [x, y] : line.points) points += (points.empty() ? "" : " ") + place(x, y);
  return "  <polyline points=\"" + points + "\" fill=\"none\" stroke=\"" + hex(line.colour) +
         "\" stroke-width=\"2\"/>\n";
}

std::string svg_of(const Picture::Label& label) {
  const char* const anchor = label.align == Canvas::Align::left    ? "start"
                             : label.align == Canvas::Align::right ? "end"
                                                                   : "middle";
  constexpr int baseline = Canvas::text_height - 3;
  return "  <text x=\"" + std::to_string(label.x) + "\" y=\"" + std::to_string(label.y + baseline) +
         "\" text-anchor=\"" + anchor + "\">" + escaped_markup(label.text) + "</text>\n";
}

std::string svg_of(const Picture::Raster& raster) {
  if (raster.rows == 0 || raster.columns == 0) return "";
  Canvas canvas(raster.columns, raster.rows, white);
  paint(canvas, Picture::Raster{0, 0, raster.columns, raster.rows, raster.rows, raster.columns, raster.cells});
  return "  <image " + box(raster.x, raster.y, raster.width, raster.height) +
         " preserveAspectRatio=\"none\" style=\"image-rendering: pixelated\" href=\"data:image/png;base64," +
         base64(canvas.png()) + "\"/>\n";
}

}  // namespace

std::string to_png(const Picture& picture) {
  Canvas canvas(picture.width, picture.height, white);
  for (const Picture::Shape& shape : picture.shapes)
    std::visit(
        text::overloaded{[&](const Picture::Rectangle& r) { canvas.rectangle(r.x, r.y, r.width, r.height, r.colour); },
                         [&](const Picture::Label& l) { canvas.text(l.x, l.y, l.text, black, l.align); },
                         [&](const auto& other) { paint(canvas, other); }},
        shape);
  return canvas.png();
}

std::string to_svg(const Picture& picture) {
  const std::string width = std::to_string(picture.width), height = std::to_string(picture.height);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
                    "\" viewBox=\"0 0 " + width + " " + height +
                    "\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\" fill=\"" +
                    hex(black) + "\">\n" + "  <rect width=\"100%\" height=\"100%\" fill=\"" + hex(white) + "\"/>\n";
  for (const Picture::Shape& shape : picture.shapes)
    out += std::visit([](const auto& one) { return svg_of(one); }, shape);
  return out + "</svg>\n";
}

}  // namespace trellis::view
