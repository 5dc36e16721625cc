#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string timing_subtitle(const Scene&) { return ""; }

void draw_timing(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View timing_view = {"timing", "Timing", "schedule", timing_subtitle, draw_timing, "time"};

}  // namespace trellis::gui
