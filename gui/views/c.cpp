#include <algorithm>

#include "gui/running.hpp"
#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string c_subtitle(const Scene& scene) { return scene.compiled() ? "for both back ends" : ""; }

void draw_c(const Scene& scene, Ui& ui, Rect area) {
  const session::CompiledView* compiled = scene.compiled();
  if (!compiled) {
    if (scene.legal() == false)
      return draw_nothing(ui, area, "an illegal order has no C", "a fix makes it legal: Ctrl+.");
    return draw_nothing(ui, area, scene.kernel ? "there is no C yet" : "there is no kernel yet",
                        scene.kernel ? "" : "write an equation, or Ctrl+G opens an example");
  }
  TextOptions options{.colouring = Colouring::c};
  options.remarks = compiled->c_remarks;
  options.current = running_nodes(scene, ui, text::Stage::c, compiled->c);
  options.heads = at_condition(scene, ui);
  draw_text(scene, ui, "c", compiled->c, area, options);
  if (ui.key("Y")) ui.copy(compiled->c.characters);
}

void draw_c_header(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.compiled()) return;
  if (ui.button("copy", "copy", area.take_right(50).inset(0, 5))) ui.copy(scene.compiled()->c.characters);
  ui.paint().text_in(area, c_subtitle(scene), Font::text, ui.theme()(Token::faint));
  ui.label("subtitle", c_subtitle(scene), area);
}

}  // namespace

const View c_view = {"c", "C", "stage", c_subtitle, draw_c, "show c", "", draw_c_header};

}  // namespace trellis::gui
