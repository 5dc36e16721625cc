#include <algorithm>
#include <cmath>

#include "gui/views/iterations_parts.hpp"

namespace trellis::gui {

IterationsPlane iterations_plane(Rect area, const view::Iterations& all) {
  IterationsPlane out;
  // Small first coordinates are shown from 0, so that one sees where the equation begins.
  const auto first = [](std::int64_t least) { return least > 0 && least <= 2 ? 0 : least; };
  out.first_row = all.plane() ? first(all.first_row) : 0, out.first_column = first(all.first_column);
  out.rows = all.plane() ? all.last_row - out.first_row + 1 : 1, out.columns = all.last_column - out.first_column + 1;
  constexpr float least = 6, most = 76;
  const auto rooms = [&](std::int64_t block) {
    const auto places = [&](std::int64_t count) { return static_cast<float>((count + block - 1) / block); };
    out.across = std::min(most, area.w / places(out.columns));
    out.down = std::min(most, area.h / places(out.rows));
    return std::min(out.across, out.down);
  };
  while (rooms(out.block) < least && out.block < std::max(out.rows, out.columns)) ++out.block;
  const auto places = [&](std::int64_t count) { return static_cast<float>((count + out.block - 1) / out.block); };
  out.radius = std::clamp(std::min(out.across, out.down) * 0.17F, 2.F, 8.F);
  out.area = {area.x + std::max(0.F, (area.w - out.across * places(out.columns)) / 2), area.y,
              out.across * places(out.columns), out.down * places(out.rows)};
  return out;
}

void draw_iteration_axes(const Scene& scene, Ui& ui, Rect area, const IterationsPlane& plane,
                         const view::Iterations& all) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  if (all.variables.empty()) return;
  const std::string& columns = all.plane() ? all.variables[1] : all.variables[0];
  paint.text_in({plane.area.x, area.y, plane.area.w, iterations_header}, columns, Font::code,
                colour_of_index(scene, t, columns), Align::centre);
  const auto every = [&](float room, float needed) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(needed / room))) * plane.block;
  };
  const float digits = paint.width(std::to_string(plane.first_column + plane.columns), Font::small_mono) + 6;
  for (std::int64_t c = 0; c < plane.columns; c += every(plane.across, digits)) {
    const Point at = plane.at(plane.first_row, plane.first_column + c);
    paint.text_in({at.x - 30, plane.area.y - iterations_axis, 60, iterations_axis},
                  std::to_string(plane.first_column + c), Font::small_mono, t(Token::faint), Align::centre);
  }
  if (!all.plane()) return;
  for (std::int64_t r = 0; r < plane.rows; r += every(plane.down, 14)) {
    const Point at = plane.at(plane.first_row + r, plane.first_column);
    paint.text_in({plane.area.x - 36, at.y - 8, 36, 16}, std::to_string(plane.first_row + r), Font::small_mono,
                  t(Token::faint), Align::right);
  }
  paint.text_in({area.x, plane.area.y, 14, plane.area.h}, all.variables[0], Font::code,
                colour_of_index(scene, t, all.variables[0]));
}

}  // namespace trellis::gui
