#pragma once
// The parts of the pane Loops: bars at rest, bars while one is dragged, and what stands below them.

#include <memory>
#include <string>
#include <vector>

#include "gui/loop_bars.hpp"

namespace trellis::gui {

/// What the pane keeps between frames.
struct LoopsKept {
  std::shared_ptr<const session::CompiledView> compiled;  ///< that the bars are of
  std::shared_ptr<const session::ExplainedView> explained;
  std::vector<LoopBar> bars;
  std::string selected;  ///< the id of the bar that was chosen; the outermost counts until one is
  int dragged = -1;      ///< its place in the order; -1: nothing is dragged
  bool let_go = false;   ///< with Escape, while the button is still down
  float scroll = 0;

  const LoopBar* chosen() const;
};

/// The order with the loop at one place put at another.
lang::Order with_moved_loop(lang::Order order, int from, int to);

/// One bar. `state` goes into its item, `faint` draws it as what a drag leaves where it is.
void draw_loop_bar(const Scene& scene, Ui& ui, const LoopBar& bar, Rect area, bool faint);
/// Each place where the dragged loop may go, as a row with its order, verdict and estimate; asks for the order on
/// release.
void draw_drop_slots(const Scene& scene, Ui& ui, LoopsKept& kept, Rect area);

/// What is done to the loop that is selected; the result is the height.
float draw_loop_actions(Ui& ui, const LoopsKept& kept, Rect area, bool measure_only);
/// The verdict in a sentence, with an edge in its colour.
struct LoopsVerdict {
  Verdict icon = Verdict::unknown;
  std::string title, more;
};
LoopsVerdict loops_verdict(const Scene& scene);
/// The loop of the order at which an illegal order fails; "" for none.
std::string failing_loop(const Scene& scene);

}  // namespace trellis::gui
