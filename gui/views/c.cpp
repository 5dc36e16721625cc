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
    if (scene.legal() == false) return draw_nothing(ui, area, "an illegal order has no C", "a fix makes it legal: Ctrl+.");
    return draw_nothing(ui, area, scene.kernel ? "there is no C yet" : "there is no kernel yet", scene.kernel ? "" : "write an equation, or Ctrl+G opens an example");
  }
  TextOptions options{.colouring = Colouring::c};
  options.current = running_nodes(scene, ui, text::Stage::c, compiled->c);
  draw_text(scene, ui, "c", compiled->c, area, options);
  const Rect copy{area.right() - 68, area.y + 4, 54, 24};
  if (ui.button("copy", "copy", copy)) ui.copy(compiled->c.characters);
}

}  // namespace

const View c_view = {"c", "C", "stage", c_subtitle, draw_c, "show c"};

}  // namespace trellis::gui
