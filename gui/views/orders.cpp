#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string orders_subtitle(const Scene&) { return ""; }

void draw_orders(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View orders_view = {"orders", "Orders", "schedule", orders_subtitle, draw_orders, "orders"};

}  // namespace trellis::gui
