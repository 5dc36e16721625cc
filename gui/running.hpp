#pragma once
// What runs now, for panes that follow every replay: which one moved last, and the nodes of a stage that its step is
// about.

#include <vector>

#include "gui/scene.hpp"

namespace trellis::gui {

enum class Replay { none, execution, placement, lattice };

/// The one that moved last while the pane was looked at; before that one that is under way.
Replay replay_in_hand(const Scene& scene, Ui& ui);

/// The step of the walk through lattices that has been taken last, or null; and the lattice that it is in.
const explore::LatticeStep* lattice_step(const Scene& scene);
const coiterate::NumberedLattice* lattice_of(const session::ReplayedLattices& walk, int number);

/// The replay in hand walks lattices, and an operand has just reached its end: what is looked at is a condition.
bool at_condition(const Scene& scene, Ui& ui);

/// Nodes of that stage that the last step of the replay in hand is about, as far as its text shows them. Of later
/// stages all that was made of it; of earlier ones, and of a fragment that is placed, the innermost.
const std::vector<text::NodeId>& running_nodes(const Scene& scene, Ui& ui, text::Stage stage, const text::Text& text);

}  // namespace trellis::gui
