#include "gui/pictures.hpp"

#include <imgui.h>

#include <cmath>

namespace trellis::gui {
namespace {

/// ImGui's context is one for the process: pictures are drawn in others between two frames.
class KeepContext {
 public:
  KeepContext() : before_(ImGui::GetCurrentContext()) {}
  ~KeepContext() { ImGui::SetCurrentContext(before_); }
  KeepContext(const KeepContext&) = delete;
  KeepContext& operator=(const KeepContext&) = delete;

 private:
  ImGuiContext* before_;
};

bool write_png(App& app, const Picture& wanted, float width, float height) {
  Surface surface(wanted.scale);
  Input nothing;
  nothing.now = app.ui.input().now;
  surface.draw(app, nothing, width, height);
  Pixels pixels = surface.picture();
  if (!wanted.pane.empty()) {
    const Rect area = app.panes.area_of(wanted.pane);
    const auto scaled = [&](float v) { return static_cast<int>(std::lround(v * wanted.scale)); };
    pixels = pixels.part(scaled(area.x), scaled(area.y), scaled(area.w), scaled(area.h));
  }
  return pixels.write_png(wanted.path);
}

}  // namespace

void make_pictures(App& app, Surface& surface, float width, float height) {
  for (const Picture& wanted : app.exports.take_pictures()) {
    const KeepContext keep;
    const bool there = wanted.pane.empty() || !app.panes.area_of(wanted.pane).empty();
    if (!there) {
      app.notes.say("the pane " + wanted.pane + " is not to be seen", true);
      continue;
    }
    std::string problem;
    if (wanted.kind == Picture::Kind::png) {
      if (!write_png(app, wanted, width, height)) problem = "cannot write " + wanted.path;
    } else {
      problem = write_text(
          wanted.path, surface.svg(app, width, height,
                                   wanted.pane.empty() ? Rect{0, 0, width, height} : app.panes.area_of(wanted.pane)));
    }
    app.notes.say(problem.empty() ? "written " + wanted.path : problem, !problem.empty());
  }
}

}  // namespace trellis::gui
