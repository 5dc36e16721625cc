#pragma once
// The plane that iterations stand on, and its axes.

#include <cmath>

#include "gui/iterations_shown.hpp"

namespace trellis::gui {

constexpr float iterations_header = 20, iterations_axis = 18;

/// Where places stand in the pane.
struct IterationsPlane {
  Rect area;  ///< of the places alone
  float across = 0, down = 0, radius = 0;
  std::int64_t first_row = 0, first_column = 0, rows = 0, columns = 0;
  std::int64_t block = 1;  ///< iterations that one place stands for, in each direction

  Point at(std::int64_t row, std::int64_t column) const {
    return {std::round(area.x + (static_cast<float>((column - first_column) / block) + 0.5F) * across),
            std::round(area.y + (static_cast<float>((row - first_row) / block) + 0.5F) * down)};
  }
};

/// As large as the area allows; where places would be too small to tell apart, each stands for several.
IterationsPlane iterations_plane(Rect area, const view::Iterations& all);
/// Names and numbers above and beside it; `area` is what they may take.
void draw_iteration_axes(const Scene& scene, Ui& ui, Rect area, const IterationsPlane& plane,
                         const view::Iterations& all);

}  // namespace trellis::gui
