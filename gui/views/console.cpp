#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string console_subtitle(const Scene&) { return ""; }

void draw_console(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View console_view = {"console", "Console", "program", console_subtitle, draw_console, ""};

}  // namespace trellis::gui
