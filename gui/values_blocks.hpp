#pragma once
// Where the tensors of an execution stand in a pane: one large, the others beside it, small.

#include "gui/board_grid.hpp"

namespace trellis::gui {

/// A tensor with its title.
struct ValuesBlock {
  std::string tensor, role;  ///< "result", "operand", "temporary", or "expected": the right values of a wrong one
  std::string words;         ///< beside its name
  BoardGrid grid;
  GridPlace place;
  Rect area;  ///< with title and numbers
};

/// `expected`: stands beside the large one, as large. The result is how high all of it is.
float place_blocks(const Paint& paint, std::vector<ValuesBlock>& blocks, std::size_t main,
                   std::optional<std::size_t> expected, Rect area);

}  // namespace trellis::gui
