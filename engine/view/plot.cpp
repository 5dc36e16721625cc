#include "engine/view/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "engine/view/cells.hpp"

namespace trellis::view {

namespace {

constexpr Colour white{255, 255, 255}, black{20, 20, 20}, light{225, 225, 225}, blue{31, 92, 170}, grey{150, 150, 150};
constexpr int chart_width = 900, chart_height = 520, most_pixels = 640;
constexpr int left = 110, right = 40, top = 50, bottom = 50;

std::string label(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// Dark blue over green to yellow: even in lightness, and told apart by people who see few colours.
Colour heat(double share) {
  static constexpr std::array<std::array<double, 3>, 5> stops{{{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double at = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const auto before = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double rest = at - static_cast<double>(before);
  const auto mix = [&](std::size_t c) { return static_cast<std::uint8_t>(std::lround(stops[before][c] * (1 - rest) + stops[before + 1][c] * rest)); };
  return {mix(0), mix(1), mix(2)};
}

/// Numbers from low to high along a stretch of pixels.
struct Scale {
  double low, high;
  int begin, length;
  double operator()(double value) const { return begin + length * (high > low ? (value - low) / (high - low) : 0.5); }
};

void title_of(Canvas& canvas, const std::string& title) { canvas.text(left, 16, title, black); }

std::vector<double> index_ticks(std::int64_t size, int count) {
  std::vector<double> all = ticks(0, static_cast<double>(size) - 1, count);
  std::erase_if(all, [](double k) { return k != std::floor(k); });
  return all;
}

/// Ticks of indices, under and left of a matrix's picture. Index k is the middle of its cell.
void index_axes(Canvas& canvas, const tensor::Index& shape, int width, int height) {
  for (const double k : index_ticks(shape[1], 6))
    canvas.text(left + static_cast<int>((k + 0.5) * width / static_cast<double>(shape[1])), top + height + 10, label(k), black, Canvas::Align::centre);
  for (const double k : index_ticks(shape[0], 6))
    canvas.text(left - 10, top + static_cast<int>((k + 0.5) * height / static_cast<double>(shape[0])) - Canvas::text_height / 2, label(k), black,
                Canvas::Align::right);
}

/// Pixels for a matrix: whole ones per cell where they fit, and no side thinner than a line of text.
std::pair<int, int> picture_size(const tensor::Index& shape) {
  const double longest = std::max<double>(1, static_cast<double>(std::max(shape[0], shape[1])));
  const double scale = longest < most_pixels ? std::floor(most_pixels / longest) : most_pixels / longest;
  const auto side = [&](std::int64_t size) { return std::clamp(static_cast<int>(std::lround(static_cast<double>(size) * scale)), size > 0 ? 8 : 0, most_pixels); };
  return {side(shape[1]), side(shape[0])};
}

template <class ColourOf>
void draw_cells(Canvas& canvas, const Cells& cells, int width, int height, const ColourOf& colour_of) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      canvas.pixel(left + x, top + y, colour_of(cells.at(y * cells.rows / height, x * cells.columns / width)));
}

void colour_bar(Canvas& canvas, int x, int height, const Cells& cells) {
  for (int y = 0; y < height; ++y) canvas.rectangle(x, top + y, 20, 1, heat(1 - static_cast<double>(y) / std::max(1, height - 1)));
  const Scale scale{cells.lowest, cells.highest, top + height - 1, -(height - 1)};
  for (const double value : ticks(cells.lowest, cells.highest, 6)) {
    const int y = static_cast<int>(std::lround(scale(value)));
    canvas.rectangle(x + 20, y, 6, 2, black);
    canvas.text(x + 32, y - Canvas::text_height / 2, label(value), black);
  }
}

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
  if (!(low <= high)) return {};
  if (low == high) return {low};
  const double rough = (high - low) / count, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough) step = factor * power;
  std::vector<double> result;
  for (double at = std::ceil(low / step); at * step <= high + step * 1e-9 && result.size() < 100; ++at) {
    const double value = at * step;
    result.push_back(std::abs(value) < step * 1e-9 ? 0 : value);
  }
  return result;
}

Canvas line_chart(const tensor::Tensor& vector, const std::string& title) {
  Canvas canvas(chart_width, chart_height, white);
  title_of(canvas, title);
  const std::int64_t n = vector.count();
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto value = [&](std::int64_t i) { return vector.get(tensor::Index{i}).as_double(); };
  for (std::int64_t i = 0; i < n; ++i)
    if (std::isfinite(value(i))) low = std::min(low, value(i)), high = std::max(high, value(i));
  if (!(low <= high)) low = high = 0;
  const int width = chart_width - left - right, height = chart_height - top - bottom;
  const Scale across{0, static_cast<double>(n) - 1, left, width}, up{low, high, top + height, -height};
  for (const double v : ticks(low, high, 6)) {
    const int y = static_cast<int>(std::lround(up(v)));
    canvas.rectangle(left, y, width, 1, light);
    canvas.text(left - 12, y - Canvas::text_height / 2, label(v), black, Canvas::Align::right);
  }
  for (const double i : index_ticks(n, 8)) {
    const int x = static_cast<int>(std::lround(across(i)));
    canvas.rectangle(x, top, 1, height, light);
    canvas.text(x, top + height + 12, label(i), black, Canvas::Align::centre);
  }
  canvas.rectangle(left, top, 1, height, black);
  canvas.rectangle(left, top + height, width, 1, black);
  std::int64_t previous = -1;  // -1: none, since the line breaks at what is not finite
  for (std::int64_t i = 0; i < n; ++i) {
    if (!std::isfinite(value(i))) {
      previous = -1;
      continue;
    }
    const double x = across(static_cast<double>(i)), y = up(value(i));
    if (previous >= 0) canvas.line(across(static_cast<double>(previous)), up(value(previous)), x, y, blue);
    if (n <= 60) canvas.rectangle(static_cast<int>(std::lround(x)) - 3, static_cast<int>(std::lround(y)) - 3, 8, 8, blue);
    else if (previous < 0) canvas.rectangle(static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y)), 2, 2, blue);
    previous = i;
  }
  return canvas;
}

Canvas heat_map(const tensor::Tensor& matrix, const std::string& title) {
  const auto [width, height] = picture_size(matrix.shape());
  Canvas canvas(left + std::max(width, 100) + 180, top + std::max(height, 100) + bottom, white);
  title_of(canvas, title);
  const Cells cells = cells_of(matrix, std::max(height, 1), std::max(width, 1));
  const double range = cells.highest - cells.lowest;
  draw_cells(canvas, cells, width, height, [&](const Cells::Cell& cell) {
    if (cell.finite == 0) return grey;
    return heat(range > 0 ? (cell.mean() - cells.lowest) / range : 0.5);
  });
  index_axes(canvas, matrix.shape(), width, height);
  colour_bar(canvas, left + width + 30, std::max(height, 100), cells);
  return canvas;
}

Canvas grey_image(const tensor::Tensor& matrix) {
  Canvas canvas(static_cast<int>(matrix.shape()[1]), static_cast<int>(matrix.shape()[0]), white);
  tensor::for_each_index(matrix.shape(), [&](const tensor::Index& index) {
    const auto value = static_cast<std::uint8_t>(matrix.get(index).integer);
    canvas.pixel(static_cast<int>(index[1]), static_cast<int>(index[0]), {value, value, value});
  });
  return canvas;
}

Canvas spy(const tensor::Tensor& matrix, const std::string& title) {
  const auto [width, height] = picture_size(matrix.shape());
  Canvas canvas(left + std::max(width, 320) + right, top + height + bottom, white);
  title_of(canvas, title);
  const Cells cells = cells_of(matrix, std::max(height, 1), std::max(width, 1));
  draw_cells(canvas, cells, width, height, [&](const Cells::Cell& cell) {
    if (cell.stored == 0) return white;
    // A single entry among thousands must still be seen.
    const double strength = 0.35 + 0.65 * std::sqrt(cell.density());
    const auto mix = [&](std::uint8_t c) { return static_cast<std::uint8_t>(std::lround(255 + strength * (c - 255))); };
    return Colour{mix(blue.red), mix(blue.green), mix(blue.blue)};
  });
  for (const auto& [x, y, w, h] : {std::array{-1, -1, width + 2, 1}, {-1, height, width + 2, 1}, {-1, -1, 1, height + 2}, {width, -1, 1, height + 2}})
    canvas.rectangle(left + x, top + y, w, h, grey);
  index_axes(canvas, matrix.shape(), width, height);
  return canvas;
}

}  // namespace trellis::view
