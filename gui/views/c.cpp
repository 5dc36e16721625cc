#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string c_subtitle(const Scene&) { return ""; }

void draw_c(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View c_view = {"c", "C", "stage", c_subtitle, draw_c, "show c"};

}  // namespace trellis::gui
