#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string iterations_subtitle(const Scene&) { return ""; }

void draw_iterations(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View iterations_view = {"iterations", "Iterations", "replay", iterations_subtitle, draw_iterations, "step", "execution"};

}  // namespace trellis::gui
