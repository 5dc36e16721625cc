#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string stages_subtitle(const Scene&) { return ""; }

void draw_stages(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View stages_view = {"stages", "Stages", "stage", stages_subtitle, draw_stages, "show loops"};

}  // namespace trellis::gui
