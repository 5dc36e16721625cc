#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string formats_subtitle(const Scene&) { return ""; }

void draw_formats(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View formats_view = {"formats", "Formats", "data", formats_subtitle, draw_formats, "show formats"};

}  // namespace trellis::gui
