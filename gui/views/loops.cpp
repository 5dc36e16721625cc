#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string loops_subtitle(const Scene&) { return ""; }

void draw_loops(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View loops_view = {"loops", "Loops", "schedule", loops_subtitle, draw_loops, "show loops"};

}  // namespace trellis::gui
