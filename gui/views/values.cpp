#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string values_subtitle(const Scene&) { return ""; }

void draw_values(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View values_view = {"values", "Values", "data", values_subtitle, draw_values, "step", "execution"};

}  // namespace trellis::gui
