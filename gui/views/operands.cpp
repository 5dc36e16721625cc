// Operands as they are stored along a loop that walks them, and where each pointer stands.
#include <algorithm>

#include "engine/explore/walks_around.hpp"
#include "gui/views/operands_parts.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using explore::FiberWalk;
using explore::LatticeStep;

std::string operands_subtitle(const Scene& scene) {
  const session::DrawnView* drawn = scene.drawn();
  return drawn && drawn->lattice_walk ? "as they are stored, and where each pointer stands" : "";
}

/// A loop around, as it stands: where its operands are.
float draw_around(const Scene& scene, Ui& ui, const explore::LatticeTrace& trace, std::size_t k, Rect area) {
  const LatticeStep& step = trace.steps[k];
  const coiterate::NumberedLattice* one = lattice_of(*scene.drawn()->lattice_walk, step.lattice);
  if (!one) return 0;
  const FiberWalk walk = explore::walk_of_step(trace, k);
  const OperandsDrawing w{scene,
                          ui,
                          *one->lattice,
                          trace,
                          walk,
                          step,
                          k + 1,
                          coiterate::brief_names(*one->lattice),
                          "around:" + one->lattice->for_().variable + ":"};
  const float top = area.y;
  const std::string words = "around it: " + coiterate::head(*one->lattice) + ", at " + one->lattice->for_().variable +
                            "=" + std::to_string(*step.coordinate);
  const Rect row = area.take_top(24);
  ui.paint().line({row.x + 14, row.y + 2}, {row.right() - 14, row.y + 2}, ui.theme()(Token::line), 1);
  ui.paint().text_in({row.x + 14, row.y + 4, row.w - 28, 20}, words, Font::list_mono, ui.theme()(Token::soft));
  ui.label("around:" + one->lattice->for_().variable, words, row);
  for (const FiberWalk::Fiber& fiber : walk.fibers) area.take_top(draw_operand_arrays(w, fiber, area));
  return area.y - top;
}

void draw_operands(const Scene& scene, Ui& ui, Rect area) {
  const session::DrawnView* drawn = scene.drawn();
  if (!drawn)
    return draw_nothing(ui, area, scene.kernel ? "working" : "there is no kernel yet",
                        scene.kernel ? "" : "write an equation, or Ctrl+G opens an example");
  if (!drawn->lattice_walk) {
    if (scene.legal() == false)
      return draw_nothing(ui, area, "an illegal order walks nothing", "a fix makes it legal: Ctrl+.");
    return draw_nothing(ui, area, "no loop of this kernel walks what is stored",
                        "give an operand a sparse format: format A csr");
  }
  const explore::LatticeTrace& trace = drawn->lattice_walk->trace;
  if (trace.steps.empty()) return draw_nothing(ui, area, "the loops had nothing to walk");
  const std::size_t at = std::min(scene.steps.lattice, trace.steps.size());
  const std::size_t number = at == 0 ? 0 : at - 1;
  struct Kept {
    std::shared_ptr<const session::DrawnView> of;
    FiberWalk walk;
    std::vector<std::size_t> around;
    std::size_t number = 0;
    float down = 0;
  };
  auto& kept = ui.memory<Kept>("walk");
  if (kept.of != scene.kernel->drawn || kept.number != number)
    kept.of = scene.kernel->drawn, kept.number = number, kept.walk = explore::walk_of_step(trace, number),
    kept.around = explore::steps_around(trace, number);
  const coiterate::NumberedLattice* one = lattice_of(*drawn->lattice_walk, trace.steps[number].lattice);
  if (!one) return draw_nothing(ui, area, "this loop has no lattice");
  // Before the first step nothing has moved.
  LatticeStep before = trace.steps[number];
  before.coordinate.reset();
  for (LatticeStep::Cursor& cursor : before.cursors) cursor.at = cursor.begin, cursor.here = cursor.ran_out = false;
  OperandsDrawing w{scene,
                    ui,
                    *one->lattice,
                    trace,
                    kept.walk,
                    at == 0 ? before : trace.steps[number],
                    at,
                    coiterate::brief_names(*one->lattice)};
  std::string around;
  for (const auto& [name, value] : w.step.around)
    around += (around.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  if (!around.empty()) {
    const Rect row = area.take_top(22);
    ui.paint().text_in(row.inset(14, 0), "at " + around, Font::list_mono, ui.theme()(Token::soft));
    ui.label("around", around, row);
  }
  Rect content = area.moved({0, -kept.down});
  const Clip clip(ui.paint(), area);
  content.h = 4000;
  content.take_top(draw_tracks(w, content));
  ui.paint().line({content.x + 14, content.y}, {content.right() - 14, content.y}, ui.theme()(Token::line), 1);
  content.take_top(8);
  for (const FiberWalk::Fiber& fiber : w.walk.fibers) content.take_top(draw_operand_arrays(w, fiber, content));
  content.take_top(draw_workspace(w, content));
  for (const std::size_t k : kept.around) content.take_top(draw_around(scene, ui, trace, k, content));
  ui.scroll("operands", area, content.y - area.y + kept.down, kept.down);
}

}  // namespace

const View operands_view = {"operands",    "Operands",     "replay", operands_subtitle,
                            draw_operands, "lattice step", "lattice"};

}  // namespace trellis::gui
