#include "gui/views/views.hpp"

namespace trellis::gui {

const std::vector<View>& views() {
  static const std::vector<View> all = {
      program_view,  console_view,  loops_view,   graph_view,     placement_view, iterations_view, values_view,
      lattice_view,  operands_view, step_view,    stages_view,    passes_view,    c_view,          assembly_view,
      timeline_view, explain_view,  orders_view,  timing_view,    formats_view,   storage_view,    pattern_view,
      plan_view,     suggest_view,  differs_view, inspector_view, lesson_view,    quiz_view,       ranks_view};
  return all;
}

const View* find_view(std::string_view id) {
  if (id.ends_with(":B")) id.remove_suffix(2);
  for (const View& view : views())
    if (view.id == id) return &view;
  return nullptr;
}

void draw_nothing(Ui& ui, Rect area, std::string_view why, std::string_view what_to_do) {
  Paint& paint = ui.paint();
  const Rect middle{area.x + 16, area.y + area.h / 2 - 20, area.w - 32, 20};
  paint.text_in(middle, why, Font::text, ui.theme()(Token::soft), Align::centre);
  if (!what_to_do.empty())
    paint.text_in(middle.moved({0, 20}), what_to_do, Font::text, ui.theme()(Token::faint), Align::centre);
  ui.label("nothing", std::string(why), middle);
}

}  // namespace trellis::gui
