#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string explain_subtitle(const Scene&) { return ""; }

void draw_explain(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View explain_view = {"explain", "Explain", "schedule", explain_subtitle, draw_explain, "why"};

}  // namespace trellis::gui
