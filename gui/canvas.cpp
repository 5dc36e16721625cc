#include "gui/canvas.hpp"

#include <cmath>
#include <cstdio>

namespace trellis::gui {
namespace {
constexpr float least_zoom = 0.05F, margin = 16;
/// Below what is fitted, and below what is not, for the buttons.
constexpr float corner_height = 38;
}  // namespace

Canvas::Canvas(Ui& ui, const std::string& name, Rect area, Rect world, float largest_zoom, float least_fit,
               float most_zoom)
    : ui_(ui), kept_(ui.memory<Kept>(name)), area_(area), most_zoom_(most_zoom) {
  Rect room = area.inset(margin, 6);
  room.take_bottom(corner_height - 6);
  const float fit =
      std::clamp(std::min(room.w / std::max(world.w, 1.F), room.h / std::max(world.h, 1.F)), least_fit, largest_zoom);
  const auto show_all = [&] {
    kept_.moved = false, kept_.zoom = fit;
    kept_.centre = world.centre() + (area.centre() - room.centre()) * (1 / fit);
    if (world.h * fit > room.h) kept_.centre.y = world.y + (area.centre().y - room.y) / fit;
  };
  if (!kept_.moved) show_all();
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
  if (const float notches = ui.take_wheel_across(area); notches != 0)
    kept_.moved = true, kept_.centre.x -= notches * 60 / zoom_;
  if (ui.key("F") || ground.double_clicked) show_all();
  place();
  const Rect all = to_window(world);
  cut_off_ = all.x < area.x || all.y < area.y || all.right() > area.right() || all.bottom() > above_buttons().bottom();
}

Canvas::~Canvas() {
  Rect corner{area_.right() - 96, area_.bottom() - 34, 84, 24};
  const auto small = [&](const char* id, const char* label, float width) {
    const bool clicked = ui_.button(id, label, {corner.x, corner.y, width, corner.h});
    corner.x += width + 4;
    return clicked;
  };
  if (small("zoom out", "−", 24)) zoom_by(1 / 1.25F, area_.centre()), ui_.animate();
  if (small("zoom in", "+", 24)) zoom_by(1.25F, area_.centre()), ui_.animate();
  if (small("fit", "fit", 32)) kept_.moved = false, ui_.animate();
  char percent[16];
  std::snprintf(percent, sizeof percent, "%.0f %%", static_cast<double>(zoom_) * 100);
  const Rect where{area_.x + 8, area_.bottom() - 32, ui_.paint().width(percent, Font::text) + 8, 20};
  ui_.paint().fill(where, faded(ui_.theme()(Token::pane), 0.8F), 4);
  ui_.paint().text_in(where.inset(4, 0), percent, Font::text, ui_.theme()(Token::faint));
}

Rect Canvas::above_buttons() const { return {area_.x, area_.y, area_.w, area_.h - corner_height}; }

void Canvas::zoom_by(float factor, Point around) {
  const Point fixed = to_world(around);
  kept_.moved = true;
  kept_.zoom = std::clamp(kept_.zoom * factor, least_zoom, most_zoom_);
  kept_.centre = fixed + (area_.centre() - around) * (1 / kept_.zoom);
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

void Canvas::look_at(Rect world) {
  kept_.moved = true;
  kept_.zoom = std::max(kept_.zoom, 1.F);
  kept_.centre = world.centre();
  place();
}

void Canvas::bring(Point world, Point window) {
  kept_.moved = true;
  kept_.centre = world + (area_.centre() - window) * (1 / zoom_);
  place();
}

}  // namespace trellis::gui
