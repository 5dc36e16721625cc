#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string placement_subtitle(const Scene&) { return ""; }

void draw_placement(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View placement_view = {"placement", "Placement", "replay", placement_subtitle, draw_placement, "place step", "placement"};

}  // namespace trellis::gui
