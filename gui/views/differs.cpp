#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string differs_subtitle(const Scene&) { return ""; }

void draw_differs(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View differs_view = {"differs", "What differs", "schedule", differs_subtitle, draw_differs, "diff"};

}  // namespace trellis::gui
