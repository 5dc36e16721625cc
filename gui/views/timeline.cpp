#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string timeline_subtitle(const Scene&) { return ""; }

void draw_timeline(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View timeline_view = {"timeline", "Timeline", "replay", timeline_subtitle, draw_timeline, "step", "execution"};

}  // namespace trellis::gui
