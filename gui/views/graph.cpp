#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string graph_subtitle(const Scene&) { return ""; }

void draw_graph(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View graph_view = {"graph", "Graph", "stage", graph_subtitle, draw_graph, "show graph"};

}  // namespace trellis::gui
