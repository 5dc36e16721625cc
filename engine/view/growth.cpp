#include "engine/view/growth.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/view/captions.hpp"

namespace trellis::view {
namespace {

/// Whole powers of ten around what the curves hold, of which none is below 1.
struct Decades {
  int low = 0, high = 1;
};

Decades decades_of(const Growth& growth) {
  double least = INFINITY, most = 0;
  for (const Growth::Curve& curve : growth.curves)
    for (const double value : curve.values) least = std::min(least, value), most = std::max(most, value);
  if (!(least <= most)) return {};
  Decades d{static_cast<int>(std::floor(std::log10(std::max(1.0, least)))),
            static_cast<int>(std::ceil(std::log10(std::max(1.0, most))))};
  d.high = std::max(d.high, d.low + 1);
  return d;
}

/// 0 at the least size, 1 at the largest.
double across(const Growth& growth, double size) {
  const double low = std::log(growth.sizes.front()), high = std::log(growth.sizes.back());
  return high > low ? (std::log(size) - low) / (high - low) : 0;
}

/// 0 at the lowest decade, 1 at the highest.
double up(const Decades& d, double value) { return (std::log10(std::max(1.0, value)) - d.low) / (d.high - d.low); }

std::string decade(int power) { return short_number(std::pow(10, power)); }

/// Letters in rows, of which each takes the first that comes.
struct Letters {
  int width, height;
  std::vector<std::string> cells = std::vector<std::string>(static_cast<std::size_t>(width * height), " ");

  void mark(double x, double y, const std::string& letter) {
    std::string& cell =
        at(static_cast<int>(std::lround(x * (width - 1))), static_cast<int>(std::lround((1 - y) * (height - 1))));
    if (cell == " ") cell = letter;
  }
  std::string& at(int column, int row) { return cells[static_cast<std::size_t>(row * width + column)]; }
  std::string row(int r) {
    std::string out;
    for (int c = 0; c < width; ++c) out += at(c, r);
    return out;
  }
};

/// Numbers below the axis, each under its place; what has no room is left out.
std::string below_axis(const Growth& growth, int width) {
  std::string line;
  for (const double size : growth.sizes) {
    const auto column = static_cast<std::size_t>(std::lround(across(growth, size) * (width - 1)));
    if (!line.empty() && line.size() + 1 > column) continue;
    line.resize(std::max(line.size(), column), ' ');
    line += short_number(size);
  }
  return line;
}

constexpr std::array<Colour, 4> colours{Colour{31, 92, 170}, {200, 90, 20}, {20, 130, 90}, {120, 120, 120}};

}  // namespace

std::optional<double> exponent_of(const Growth& growth, const Growth::Curve& curve) {
  const std::size_t n = growth.sizes.size();
  if (n < 2 || growth.sizes[n - 1] <= growth.sizes[n - 2] || curve.values[n - 2] <= 0) return std::nullopt;
  return std::log(curve.values[n - 1] / curve.values[n - 2]) / std::log(growth.sizes[n - 1] / growth.sizes[n - 2]);
}

std::string power_of(const Growth& growth, const Growth::Curve& curve) {
  const auto exponent = exponent_of(growth, curve);
  if (!exponent) return "";
  return growth.size + "^" + short_number(std::round(*exponent * 100) / 100);
}

std::string growth_sketch(const Growth& growth) {
  constexpr int width = 61, height = 17;
  const Decades d = decades_of(growth);
  Letters letters{width, height};
  for (const Growth::Curve& curve : growth.curves)
    for (std::size_t k = 0; k < curve.values.size(); ++k)
      letters.mark(across(growth, growth.sizes[k]), up(d, curve.values[k]), curve.name.substr(0, 1));
  for (const Growth::Curve& curve : growth.curves)
    for (std::size_t k = 0; k + 1 < curve.values.size(); ++k)
      for (int part = 1; part < 24; ++part) {
        const double share = part / 24.0;
        const auto between = [&](double a, double b) { return a + (b - a) * share; };
        letters.mark(between(across(growth, growth.sizes[k]), across(growth, growth.sizes[k + 1])),
                     between(up(d, curve.values[k]), up(d, curve.values[k + 1])), "·");
      }
  const std::size_t margin = std::max(decade(d.low).size(), decade(d.high).size());
  std::string out, axis;
  for (int r = 0; r < height; ++r) {
    const double power = d.high - static_cast<double>(r * (d.high - d.low)) / (height - 1);
    const bool labelled =
        std::abs(power - std::round(power)) < 0.5 * (d.high - d.low) / (height - 1) &&
        static_cast<int>(std::lround((d.high - std::round(power)) * (height - 1) / (d.high - d.low))) == r;
    std::string line =
        padded(labelled ? decade(static_cast<int>(std::round(power))) : "", margin) + " │" + letters.row(r);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  for (int c = 0; c < width; ++c) axis += "─";
  out += std::string(margin + 1, ' ') + "└" + axis + "\n" + std::string(margin + 2, ' ') + below_axis(growth, width) +
         "\n";
  std::string legend;
  for (const Growth::Curve& curve : growth.curves)
    legend += (legend.empty() ? "" : ", ") + curve.name.substr(0, 1) + " " + curve.name;
  return out + "over " + growth.size + ", both axes logarithmic: " + legend + "\n";
}

Picture growth_chart(const Growth& growth, const std::string& title) {
  constexpr int left = 110, top = 70, width = 560, height = 420;
  using Align = Canvas::Align;
  const Decades d = decades_of(growth);
  Picture picture{left + width + 230, top + height + 70};
  const auto x = [&](double size) { return left + width * across(growth, size); };
  const auto y = [&](double value) { return top + height * (1 - up(d, value)); };
  const auto pixel = [](double at) { return static_cast<int>(std::lround(at)); };
  constexpr Colour light{225, 225, 225};
  picture.shapes.emplace_back(Picture::Label{left, 16, title, Align::left});
  picture.shapes.emplace_back(Picture::Label{left, 40, "both axes are logarithmic", Align::left});
  for (int power = d.low; power <= d.high; ++power) {
    const int at = pixel(y(std::pow(10, power)));
    picture.shapes.emplace_back(Picture::Rectangle{left, at, width, 1, light});
    picture.shapes.emplace_back(Picture::Label{left - 12, at - Canvas::text_height / 2, decade(power), Align::right});
  }
  for (const double size : growth.sizes) {
    picture.shapes.emplace_back(Picture::Rectangle{pixel(x(size)), top, 1, height, light});
    picture.shapes.emplace_back(Picture::Label{pixel(x(size)), top + height + 12, short_number(size), Align::centre});
  }
  picture.shapes.emplace_back(Picture::Rectangle{left, top, 1, height, black});
  picture.shapes.emplace_back(Picture::Rectangle{left, top + height, width, 1, black});
  picture.shapes.emplace_back(Picture::Label{left + width / 2, top + height + 36, growth.size, Align::centre});
  for (std::size_t c = 0; c < growth.curves.size(); ++c) {
    const Growth::Curve& curve = growth.curves[c];
    const Colour colour = colours[c % colours.size()];
    Picture::Line line{{}, colour};
    for (std::size_t k = 0; k < curve.values.size(); ++k) {
      line.points.emplace_back(x(growth.sizes[k]), y(curve.values[k]));
      picture.shapes.emplace_back(
          Picture::Rectangle{pixel(line.points.back().first) - 3, pixel(line.points.back().second) - 3, 8, 8, colour});
    }
    picture.shapes.emplace_back(std::move(line));
    const int row = top + 26 * static_cast<int>(c);
    picture.shapes.emplace_back(Picture::Rectangle{left + width + 20, row + 3, 10, 10, colour});
    const std::string power = power_of(growth, curve);
    picture.shapes.emplace_back(
        Picture::Label{left + width + 38, row, curve.name + (power.empty() ? "" : ": " + power), Align::left});
  }
  return picture;
}

}  // namespace trellis::view
