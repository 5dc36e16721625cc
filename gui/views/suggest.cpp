#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string suggest_subtitle(const Scene&) { return ""; }

void draw_suggest(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View suggest_view = {"suggest", "Worth trying", "schedule", suggest_subtitle, draw_suggest, "suggest"};

}  // namespace trellis::gui
