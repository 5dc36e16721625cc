#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string step_subtitle(const Scene&) { return ""; }

void draw_step(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View step_view = {"step", "This step", "replay", step_subtitle, draw_step, "step"};

}  // namespace trellis::gui
