#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string program_subtitle(const Scene&) { return ""; }

void draw_program(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View program_view = {"program", "Program", "program", program_subtitle, draw_program, ""};

}  // namespace trellis::gui
