#include "engine/view/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/view/captions.hpp"
#include "engine/view/cells.hpp"
#include "engine/view/element_levels.hpp"

namespace trellis::view {

namespace {

using Align = Canvas::Align;

constexpr Colour light{225, 225, 225}, blue{31, 92, 170}, grey{150, 150, 150}, pale{214, 224, 238};
constexpr int chart_width = 900, chart_height = 540, most_pixels = 640;
namespace frame_margin {
constexpr int left = 110, right = 40, top = 70, bottom = 50;
}  // namespace frame_margin

/// Dark blue over green to yellow: even in lightness, and told apart by people who see few colours.
Colour heat(double share) {
  static constexpr std::array<std::array<double, 3>, 5> stops{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double at = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const auto before = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double rest = at - static_cast<double>(before);
  const auto mix = [&](std::size_t c) {
    return static_cast<std::uint8_t>(std::lround(stops[before][c] * (1 - rest) + stops[before + 1][c] * rest));
  };
  return {mix(0), mix(1), mix(2)};
}

/// Blue on white, the stronger the denser: a single entry among thousands must still be seen.
Colour ink(double density) {
  const double strength = 0.35 + 0.65 * std::sqrt(density);
  const auto mix = [&](std::uint8_t c) { return static_cast<std::uint8_t>(std::lround(255 + strength * (c - 255))); };
  return {mix(blue.red), mix(blue.green), mix(blue.blue)};
}

/// Numbers from low to high along a stretch of pixels.
struct Scale {
  double low, high;
  int begin, length;
  double operator()(double value) const { return begin + length * fraction(value, low, high); }
  int pixel(double value) const { return static_cast<int>(std::lround((*this)(value))); }
};

Picture titled(int width, int height, const std::string& caption, const std::string& more) {
  Picture picture{std::max(width, frame_margin::left + Canvas::text_width(caption) + 10), height};
  picture.shapes.emplace_back(Picture::Label{frame_margin::left, 16, caption, Align::left});
  if (!more.empty()) picture.shapes.emplace_back(Picture::Label{frame_margin::left, 40, more, Align::left});
  return picture;
}

/// Round ones, and the last, so that the axis says how long it is.
std::vector<double> index_ticks(std::int64_t size, int count) {
  const double last = static_cast<double>(size) - 1;
  std::vector<double> all = ticks(0, last, count);
  std::erase_if(all, [](double k) { return k != std::floor(k); });
  if (all.size() < 2 || all.back() == last) return all;
  if (last - all.back() < 0.75 * (all[1] - all[0])) all.pop_back();
  all.push_back(last);
  return all;
}

/// Ticks of indices, under and left of a matrix's picture. Index k is the middle of its cell.
void add_index_axes(Picture& picture, const tensor::Index& shape, int width, int height) {
  const auto middle = [](double k, int pixels, std::int64_t size) {
    return static_cast<int>((k + 0.5) * pixels / static_cast<double>(size));
  };
  for (const double k : index_ticks(shape[1], 6))
    picture.shapes.emplace_back(Picture::Label{frame_margin::left + middle(k, width, shape[1]),
                                               frame_margin::top + height + 10, short_number(k), Align::centre});
  for (const double k : index_ticks(shape[0], 6))
    picture.shapes.emplace_back(Picture::Label{
        frame_margin::left - 10, frame_margin::top + middle(k, height, shape[0]) - Canvas::text_height / 2,
        short_number(k), Align::right});
}

/// Pixels for a matrix: whole ones per cell where they fit, and no side thinner than a line of text.
std::pair<int, int> picture_size(const tensor::Index& shape) {
  const double longest = std::max<double>(1, static_cast<double>(std::max(shape[0], shape[1])));
  const double scale = longest < most_pixels ? std::floor(most_pixels / longest) : most_pixels / longest;
  const auto side = [&](std::int64_t size) {
    return std::clamp(static_cast<int>(std::lround(static_cast<double>(size) * scale)), size > 0 ? 8 : 0, most_pixels);
  };
  return {side(shape[1]), side(shape[0])};
}

template <class ColourOf>
void add_cells(Picture& picture, const Cells& cells, int width, int height, const ColourOf& colour_of) {
  Picture::Raster raster{frame_margin::left, frame_margin::top, width, height, cells.rows, cells.columns, {}};
  for (const Cells::Cell& cell : cells.cells) raster.cells.push_back(colour_of(cell));
  picture.shapes.emplace_back(std::move(raster));
}

void add_colour_bar(Picture& picture, int x, int height, const Cells& cells) {
  Picture::Raster bar{x, frame_margin::top, 20, height, height, 1, {}};
  for (int y = 0; y < height; ++y) bar.cells.push_back(heat(1 - static_cast<double>(y) / std::max(1, height - 1)));
  picture.shapes.emplace_back(std::move(bar));
  const Scale scale{cells.lowest, cells.highest, frame_margin::top + height - 1, -(height - 1)};
  for (const double value : ticks(cells.lowest, cells.highest, 6)) {
    picture.shapes.emplace_back(Picture::Rectangle{x + 20, scale.pixel(value), 6, 2, black});
    picture.shapes.emplace_back(
        Picture::Label{x + 32, scale.pixel(value) - Canvas::text_height / 2, short_number(value), Align::left});
  }
}

/// Lines between the blocks of a layout, where these are large enough to be seen.
void add_block_lines(Picture& picture, const tensor::Tensor& matrix, int width, int height) {
  constexpr int least_cell = 4;
  const std::int64_t rows = matrix.shape()[0], columns = matrix.shape()[1];
  if (rows * least_cell > height || columns * least_cell > width) return;
  const BlockCuts cuts = block_cuts(matrix, most_pixels);
  const auto pixel = [](std::size_t line, std::int64_t lines, int pixels) {
    return static_cast<int>(static_cast<std::int64_t>(line) * pixels / lines);
  };
  for (std::size_t r = 0; r < cuts.rows.size(); ++r)
    if (cuts.rows[r])
      picture.shapes.emplace_back(
          Picture::Rectangle{frame_margin::left, frame_margin::top + pixel(r, rows, height), width, 1, grey});
  for (std::size_t c = 0; c < cuts.columns.size(); ++c)
    if (cuts.columns[c])
      picture.shapes.emplace_back(
          Picture::Rectangle{frame_margin::left + pixel(c, columns, width), frame_margin::top, 1, height, grey});
}

/// A chart's frame: lines across at round values, and the two axes.
void add_axes(Picture& picture, const Scale& across, const Scale& up, const std::vector<double>& marks) {
  const int bottom_line = up.begin, height = -up.length;
  for (const double v : ticks(up.low, up.high, 6)) {
    picture.shapes.emplace_back(Picture::Rectangle{frame_margin::left, up.pixel(v), across.length, 1, light});
    picture.shapes.emplace_back(
        Picture::Label{frame_margin::left - 12, up.pixel(v) - Canvas::text_height / 2, short_number(v), Align::right});
  }
  for (const double v : marks) {
    picture.shapes.emplace_back(Picture::Rectangle{across.pixel(v), frame_margin::top, 1, height, light});
    picture.shapes.emplace_back(Picture::Label{across.pixel(v), bottom_line + 12, short_number(v), Align::centre});
  }
  picture.shapes.emplace_back(Picture::Rectangle{frame_margin::left, frame_margin::top, 1, height, black});
  picture.shapes.emplace_back(Picture::Rectangle{frame_margin::left, bottom_line, across.length, 1, black});
}

/// The vector's line in pixels, broken at what is not finite. Where many elements share a column of pixels, their least
/// and greatest are enough.
std::vector<Picture::Line> lines_of(const tensor::Tensor& vector, const Scale& across, const Scale& up) {
  std::vector<Picture::Line> lines;
  bool open = false;
  const std::int64_t n = vector.count();
  for (std::int64_t i = 0; i < n; ++i) {
    const double value = vector.get(tensor::Index{i}).as_double();
    if (!std::isfinite(value)) {
      open = false;
      continue;
    }
    if (!std::exchange(open, true)) lines.push_back({{}, blue});
    auto& points = lines.back().points;
    const std::pair<double, double> point{across(static_cast<double>(i)), up(value)};
    const std::size_t k = points.size();
    const auto column = [](const auto& p) { return std::floor(p.first); };
    const bool crowded = k >= 3 && column(points[k - 3]) == column(point);
    if (!crowded) points.push_back(point);
    else if (const auto [least, greatest] = std::minmax({points[k - 2].second, points[k - 1].second});
             point.second < least || point.second > greatest)
      (points[k - 2].second == (point.second < least ? least : greatest) ? points[k - 2] : points[k - 1]) = point;
  }
  return lines;
}

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
  if (!(low <= high)) return {};
  if (low == high) return {low};
  const double rough = high / count - low / count, power = std::pow(10, std::floor(std::log10(rough)));
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

Extent extent_of(const tensor::Tensor& vector) {
  Extent extent;
  for (std::int64_t i = 0; i < vector.count(); ++i) extent.add(vector.get(tensor::Index{i}).as_double());
  return extent;
}

Picture line_chart(const tensor::Tensor& vector, const std::string& name) {
  const std::int64_t n = vector.count();
  const Extent extent = extent_of(vector);
  Picture picture = titled(chart_width, chart_height, caption(extent, vector, name), "");
  if (extent.empty()) return picture;
  const int width = chart_width - frame_margin::left - frame_margin::right,
            height = chart_height - frame_margin::top - frame_margin::bottom;
  const Scale across{0, static_cast<double>(n) - 1, frame_margin::left, width},
      up{extent.least, extent.greatest, frame_margin::top + height, -height};
  add_axes(picture, across, up, index_ticks(n, 8));
  constexpr std::size_t most_marked = 60;
  for (Picture::Line& line : lines_of(vector, across, up)) {
    const bool marked = n <= static_cast<std::int64_t>(most_marked) || line.points.size() == 1;
    for (std::size_t k = 0; marked && k < line.points.size(); ++k)
      picture.shapes.emplace_back(Picture::Rectangle{static_cast<int>(std::lround(line.points[k].first)) - 3,
                                                     static_cast<int>(std::lround(line.points[k].second)) - 3, 8, 8,
                                                     blue});
    picture.shapes.emplace_back(std::move(line));
  }
  return picture;
}

Picture heat_map(const tensor::Tensor& matrix, const std::string& name) {
  const auto [width, height] = picture_size(matrix.shape());
  const Cells cells = cells_of(matrix, std::max(height, 1), std::max(width, 1));
  Picture picture = titled(frame_margin::left + std::max(width, 420) + 180,
                           frame_margin::top + std::max(height, 100) + frame_margin::bottom,
                           caption(cells.extent, matrix, name), cell_caption(cells));
  add_cells(picture, cells, width, height, [&](const Cells::Cell& cell) {
    if (cell.finite == 0) return grey;
    return heat(fraction(cell.mean(), cells.lowest, cells.highest));
  });
  add_index_axes(picture, matrix.shape(), width, height);
  add_colour_bar(picture, frame_margin::left + width + 30, std::max(height, 100), cells);
  return picture;
}

Canvas grey_image(const tensor::Tensor& matrix) {
  Canvas canvas(static_cast<int>(matrix.shape()[1]), static_cast<int>(matrix.shape()[0]), white);
  tensor::for_each_index(matrix.shape(), [&](const tensor::Index& index) {
    const auto value = static_cast<std::uint8_t>(matrix.get(index).integer);
    canvas.pixel(static_cast<int>(index[1]), static_cast<int>(index[0]), {value, value, value});
  });
  return canvas;
}

Picture spy(const tensor::Tensor& matrix, const std::string& name) {
  const auto [width, height] = picture_size(matrix.shape());
  const Cells cells = cells_of(matrix, std::max(height, 1), std::max(width, 1));
  const std::string more = cells.aggregates() ? "darker where more of up to " + std::to_string(cells.block_rows) +
                                                    " x " + std::to_string(cells.block_columns) + " elements are"
                                              : "";
  Picture picture = titled(frame_margin::left + std::max(width, 520) + frame_margin::right,
                           frame_margin::top + height + frame_margin::bottom, spy_caption(cells, matrix, name), more);
  add_cells(picture, cells, width, height, [](const Cells::Cell& cell) {
    return cell.stored > 0 ? ink(cell.density()) : cell.padding > 0 ? pale : white;
  });
  add_block_lines(picture, matrix, width, height);
  for (const auto& [x, y, w, h] : {std::array{-1, -1, width + 2, 1},
                                   {-1, height, width + 2, 1},
                                   {-1, -1, 1, height + 2},
                                   {width, -1, 1, height + 2}})
    picture.shapes.emplace_back(Picture::Rectangle{frame_margin::left + x, frame_margin::top + y, w, h, grey});
  add_index_axes(picture, matrix.shape(), width, height);
  return picture;
}

Picture bar_chart(const Histogram& histogram, const std::string& name) {
  Picture picture = titled(chart_width, chart_height, caption(histogram, name), "");
  if (histogram.counts.empty()) return picture;
  const int width = chart_width - frame_margin::left - frame_margin::right,
            height = chart_height - frame_margin::top - frame_margin::bottom;
  const auto most = static_cast<double>(*std::ranges::max_element(histogram.counts));
  const Scale across{histogram.edges.front(), histogram.edges.back(), frame_margin::left, width},
      up{0, most, frame_margin::top + height, -height};
  add_axes(picture, across, up, ticks(across.low, across.high, 8));
  for (std::size_t k = 0; k < histogram.counts.size(); ++k) {
    const int x = across.pixel(histogram.edges[k]), y = up.pixel(static_cast<double>(histogram.counts[k]));
    picture.shapes.emplace_back(
        Picture::Rectangle{x + 1, y, std::max(1, across.pixel(histogram.edges[k + 1]) - x - 1), up.begin - y, blue});
  }
  return picture;
}

}  // namespace trellis::view
