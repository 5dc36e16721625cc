#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string storage_subtitle(const Scene&) { return ""; }

void draw_storage(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View storage_view = {"storage", "Storage", "data", storage_subtitle, draw_storage, "show formats"};

}  // namespace trellis::gui
