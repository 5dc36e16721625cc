#pragma once
// Which iterations are shown at a step: those of its equation or of one that the user has chosen, with the fourth index
// and further ones fixed, as they are at that step or as the user has chosen.

#include "gui/replayed.hpp"

namespace trellis::gui {

/// Of one equation and slice; made anew when the execution or they change.
struct IterationsShown {
  std::shared_ptr<const session::Recorded> of;
  view::EquationIndices equation;
  text::Point slice;                ///< the indices that are fixed
  std::vector<text::Point> slices;  ///< that there are, this one among them
  bool chosen = false;              ///< by the user, whatever the step is in
  view::Iterations iterations;
};
const IterationsShown& iterations_shown(const Scene& scene, Ui& ui, const Replayed& replayed);

/// A row of chips, one for each equation that is computed; a click keeps its iterations in view, another one lets the
/// steps choose again. False: there is one equation, and no row.
bool draw_statement_chips(const Scene& scene, Ui& ui, const Replayed& replayed, const IterationsShown& shown,
                          Rect area);

/// A row of choosers, one for each index that is fixed, and back to the slice of the step; PageUp and PageDown go from
/// one slice to the next. The choice holds until the next step.
void draw_slice_chooser(const Scene& scene, Ui& ui, const IterationsShown& shown, Rect area);

}  // namespace trellis::gui
