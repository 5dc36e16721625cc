// What each pass over control flow changed, one after the other: its reason, and the lines that it took out and put in.
#include <algorithm>

#include "engine/session/stages/flow_passes.hpp"
#include "gui/diff_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

/// A pass that changed something, and the flow before and after it as texts.
struct ChangingPass {
  std::string name, reason, before, after;
};

struct PassesKept {
  std::shared_ptr<const session::DrawnView> of;
  std::vector<ChangingPass> changing;
  std::size_t idle = 0;
  std::size_t at = 0;

  /// The passes are run again where another kernel is shown, and only while this pane is.
  void renew(const std::shared_ptr<const session::DrawnView>& drawn) {
    if (of == drawn) return;
    of = drawn;
    changing.clear();
    const std::vector<session::PassShown> all = session::passes_of(drawn->compiled->compilation);
    for (const session::PassShown& pass : all) {
      if (pass.diff.empty()) continue;
      ChangingPass one{pass.name, pass.reason, {}, {}};
      for (const session::PassShown::Line& line : pass.lines) {
        if (line.mark != '+') one.before += line.text + '\n';
        if (line.mark != '-') one.after += line.text + '\n';
      }
      changing.push_back(std::move(one));
    }
    idle = all.size() - changing.size();
    at = std::min(at, changing.empty() ? 0 : changing.size() - 1);
  }
};

std::string passes_subtitle(const Scene& scene) {
  return scene.compiled() ? "what each changes in the control flow" : "";
}

/// To the pass before, or the next one, by buttons and keys; which one it is.
void draw_pass_stepper(Ui& ui, PassesKept& kept, Rect row) {
  const std::size_t last = kept.changing.size() - 1;
  if ((ui.button("back", "back", row.take_left(44)) || ui.key("Left")) && kept.at > 0) --kept.at;
  row.take_left(4);
  if ((ui.button("on", "next", row.take_left(44)) || ui.key("Right")) && kept.at < last) ++kept.at;
  if (ui.key("Home")) kept.at = 0;
  if (ui.key("End")) kept.at = last;
  row.take_left(8);
  const ChangingPass& pass = kept.changing[kept.at];
  const std::string count = std::to_string(kept.at + 1) + " / " + std::to_string(last + 1);
  const Rect right = row.take_right(ui.paint().width(count, Font::text) + 4);
  ui.paint().text_in(right, count, Font::text, ui.theme()(Token::faint), Align::right);
  ui.paint().text_in(row, pass.name, Font::mono, ui.theme()(Token::ink));
  ui.label("pass", pass.name, row, count);
}

void draw_passes(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.compiled())
    return draw_nothing(
        ui, area,
        scene.legal() == false ? "an illegal order does not get as far as control flow" : "there is no kernel yet",
        scene.legal() == false ? "a fix makes it legal: Ctrl+." : "write an equation");
  auto& kept = ui.memory<PassesKept>("kept");
  kept.renew(scene.kernel->drawn);
  if (kept.changing.empty()) return draw_nothing(ui, area, "no pass changes this kernel");
  draw_pass_stepper(ui, kept, area.take_top(28).inset(8, 2));
  const ChangingPass& pass = kept.changing[kept.at];
  const Rect reason = area.take_top(22).inset(8, 0);
  ui.paint().text_in(reason, pass.reason, Font::text, ui.theme()(Token::soft));
  ui.label("reason", pass.reason, reason);
  draw_diff(scene, ui, "pass " + pass.name, pass.before, pass.after, area, Colouring::program);
}

}  // namespace

const View passes_view = {"passes", "Passes", "stage", passes_subtitle, draw_passes, "show flow each"};

}  // namespace trellis::gui
