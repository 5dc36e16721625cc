#include "gui/running.hpp"
#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string assembly_subtitle(const Scene& scene) {
  return scene.compiled() ? "of the back end native, linked by lines of C" : "";
}

void draw_assembly(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.compiled()) {
    if (scene.legal() == false)
      return draw_nothing(ui, area, "an illegal order has no machine code", "a fix makes it legal: Ctrl+.");
    return draw_nothing(ui, area, scene.kernel ? "there is no C yet" : "there is no kernel yet");
  }
  auto& shown = ui.memory<std::shared_ptr<const session::Listing>>("listing");
  const auto now = scene.machine_code ? scene.machine_code() : nullptr;
  if (now) shown = now;
  if (!shown) return draw_nothing(ui, area, "the C compiler is at work");
  if (!shown->error.empty()) return draw_nothing(ui, area, shown->error);
  TextOptions options{.colouring = Colouring::assembly};
  options.current = running_nodes(scene, ui, text::Stage::c, shown->text);
  draw_text(scene, ui, "assembly", shown->text, area, options);
  if (!now) ui.paint().fill(area, faded(ui.theme()(Token::pane), 0.35F));  // of the C before
  if (ui.key("Y")) ui.copy(shown->text.characters);
}

}  // namespace

const View assembly_view = {"assembly", "Assembly", "stage", assembly_subtitle, draw_assembly, ""};

}  // namespace trellis::gui
