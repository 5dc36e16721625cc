#pragma once
// Parts of the pane Operands: the tracks of one walk, and the arrays that it goes through.

#include <string>
#include <vector>

#include "engine/explore/fiber_walk.hpp"
#include "gui/operands.hpp"
#include "gui/scene.hpp"

namespace trellis::gui {

constexpr float operand_names_width = 64;

/// A walk as it is drawn, at one of its steps.
struct OperandsDrawing {
  const Scene& scene;
  Ui& ui;
  const coiterate::Lattice& lattice;
  const explore::LatticeTrace& trace;
  const explore::FiberWalk& walk;
  const explore::LatticeStep& step;
  std::size_t at = 0;  ///< steps taken
  std::vector<std::string> names;
  std::string prefix = {};         ///< of the ids of what is drawn: of a loop around
  std::int64_t low = 0, high = 0;  ///< coordinates, half-open

  const coiterate::Literal& literal(int operand) const;
  const explore::LatticeStep::Cursor* cursor(int operand) const;
  const session::TensorView* tensor(int operand) const;
  std::int64_t coordinate(int operand, std::int64_t stored) const;
  Colour hue(int operand) const;
};

/// A ruler of coordinates with a track for each operand and one for the result; the result is their height.
float draw_tracks(OperandsDrawing& walk, Rect area);
/// What an operand has in memory: positions, coordinates, the pointer, values. The result is the height.
float draw_operand_arrays(const OperandsDrawing& walk, const explore::FiberWalk::Fiber& fiber, Rect area);
/// What the walk writes on the way to a result, as far as it is known; the result is the height.
float draw_workspace(const OperandsDrawing& walk, Rect area);
/// What the walk fills: a result, or a workspace on the way to one; empty: nothing is known of that.
std::string written_by(const OperandsDrawing& walk);

}  // namespace trellis::gui
