#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string inspector_subtitle(const Scene&) { return ""; }

void draw_inspector(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View inspector_view = {"inspector", "Inspector", "data", inspector_subtitle, draw_inspector, ""};

}  // namespace trellis::gui
