#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string operands_subtitle(const Scene&) { return ""; }

void draw_operands(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View operands_view = {"operands", "Operands", "replay", operands_subtitle, draw_operands, "lattice step", "lattice"};

}  // namespace trellis::gui
