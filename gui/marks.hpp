#pragma once
// Marks that mean the same in every pane that replays (tokens: marks): cells of tensors, places of iterations, the
// legend that explains them, and numbers short enough for a cell.

#include <string>
#include <vector>

#include "engine/format/scalar.hpp"
#include "gui/ui.hpp"

namespace trellis::gui {

/// A value in at most five characters, as far as that goes: .749, -3.2, 4e-4, 12k.
std::string short_number(const format::Value& value);

/// What can be said of one cell at one moment, the strongest last.
struct CellMark {
  bool written = true;    ///< else hatched
  bool stored = true;     ///< else it is known to be the fill: empty
  bool padding = false;   ///< it is stored and the fill, as a level stores what nobody listed
  bool computed = false;  ///< it will be what the equation computes now
  bool needed = false;    ///< the statement reads it before or after this step
  bool reads = false, writes = false, early = false, wrong = false;
  bool undefined = false;  ///< run all the same: it has no value
  char alone = ' ';        ///< the side of a comparison that has it, while the other has not done it yet
  bool tainted = false;    ///< likewise: it was computed of such, or of values that were not complete
};
void draw_cell(Paint& paint, const Theme& theme, Rect cell, const CellMark& mark, std::string_view number, Font font);

/// A sample, and what it means.
struct LegendEntry {
  enum class Sample {
    writes,
    reads,
    early,
    unwritten,
    absent,
    padding,
    wrong,
    undefined,
    alone_a,
    alone_b,
    done,
    now,
    to_come,
    needed,
    hidden
  } sample = Sample::writes;
  std::string words;
};
constexpr float legend_height = 28;
/// From the left, as many as fit.
void draw_legend(Ui& ui, Rect area, const std::vector<LegendEntry>& entries);

/// Iterations: done, now, to come, needed now.
void draw_place(Paint& paint, const Theme& theme, Point centre, float radius, LegendEntry::Sample sample);

/// Dashes that run from where a value is written to where it is needed, with a head.
void draw_back_arrow(Ui& ui, Point from, Point to, float bend);
/// How far running dashes have run; 0 with reduced motion.
float dash_phase(Ui& ui);

}  // namespace trellis::gui
