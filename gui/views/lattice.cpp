#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string lattice_subtitle(const Scene&) { return ""; }

void draw_lattice(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View lattice_view = {"lattice", "Lattice", "replay", lattice_subtitle, draw_lattice, "show lattice", "lattice"};

}  // namespace trellis::gui
