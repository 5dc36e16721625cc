#include "gui/canvas.hpp"

#include <cmath>
#include <cstdio>

namespace trellis::gui {
namespace {
constexpr float least_zoom = 0.05F, most_zoom = 4, margin = 16;
}

Canvas::Canvas(Ui& ui, const std::string& name, Rect area, Rect world, float largest_zoom)
    : kept_(ui.memory<Kept>(name)), area_(area) {
  const float fit = std::min({largest_zoom, (area.w - 2 * margin) / std::max(world.w, 1.F), (area.h - 2 * margin) / std::max(world.h, 1.F)});
  const auto zoom_by = [&](float factor, Point around) {
    const Point fixed = to_world(around);
    kept_.moved = true;
    kept_.zoom = std::clamp(kept_.zoom * factor, least_zoom, most_zoom);
    kept_.centre = fixed + (area_.centre() - around) * (1 / kept_.zoom);
    place();
  };
  if (!kept_.moved) kept_.zoom = std::max(fit, least_zoom), kept_.centre = world.centre();
  place();

  const Response ground = ui.item(name, "canvas", name, "", area);
  auto& last = ui.memory<Point>(name + ".last");
  if (ground.pressed) last = ui.input().mouse;
  if (ground.held && !(last == ui.input().mouse)) {
    kept_.moved = true;
    kept_.centre = kept_.centre - (ui.input().mouse - last) * (1 / zoom_);
    last = ui.input().mouse;
  }
  if (const float notches = ui.take_wheel(area); notches != 0) {
    if (ui.input().ctrl) {
      zoom_by(std::pow(1.15F, notches), ui.input().mouse);
    } else {
      kept_.moved = true;
      (ui.input().shift ? kept_.centre.x : kept_.centre.y) -= notches * 60 / zoom_;
    }
  }
  if (const float notches = ui.take_wheel_across(area); notches != 0) kept_.moved = true, kept_.centre.x -= notches * 60 / zoom_;
  if (ui.key("F") || ground.double_clicked) kept_.moved = false, kept_.zoom = std::max(fit, least_zoom), kept_.centre = world.centre();
  place();

  // Drawn by whoever comes last in the pane would be better; the corner is kept free by fitting with a margin.
  Rect corner{area.right() - 96, area.bottom() - 34, 84, 24};
  const auto small = [&](const char* id, const char* label, float width) {
    const bool clicked = ui.button(id, label, {corner.x, corner.y, width, corner.h});
    corner.x += width + 4;
    return clicked;
  };
  if (small("zoom out", "−", 24)) zoom_by(1 / 1.25F, area.centre());
  if (small("zoom in", "+", 24)) zoom_by(1.25F, area.centre());
  if (small("fit", "fit", 32)) kept_.moved = false;
  char percent[16];
  std::snprintf(percent, sizeof percent, "%.0f %%", static_cast<double>(zoom_) * 100);
  ui.paint().text({area.x + 12, area.bottom() - 28}, percent, Font::text, ui.theme()(Token::faint));
  place();
}

void Canvas::place() {
  zoom_ = kept_.zoom;
  origin_ = area_.centre() - kept_.centre * zoom_;
  origin_ = {std::round(origin_.x), std::round(origin_.y)};
}

void Canvas::show(Rect world) {
  const Rect seen = to_window(world);
  if (area_.contains({seen.x, seen.y}) && area_.contains({seen.right(), seen.bottom()})) return;
  kept_.centre = world.centre();
  kept_.moved = true;
  place();
}

}  // namespace trellis::gui
