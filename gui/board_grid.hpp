#pragma once
// One tensor at one moment as a grid of cells: a scalar is one cell, a vector a row, a matrix a grid, more dimensions
// slices of one. Cells too small for numbers show colours alone, and where even these do not fit, each stands for a
// block.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/replay/recorded.hpp"
#include "engine/view/element_levels.hpp"
#include "gui/marks.hpp"

namespace trellis::gui {

/// What is said of one element beyond its value.
struct ElementMark {
  CellMark mark;
  std::string remark;  ///< for the tooltip: "written at step 14"
};
using ElementMarks = std::map<std::size_t, ElementMark>;  ///< by offset; others are only written or not

struct BoardGrid {
  std::string tensor;
  const session::Board* board = nullptr;
  const ElementMarks* marks = nullptr;
  std::vector<std::int64_t> slice = {};  ///< of three and more dimensions: the first ones
  std::optional<tensor::Index> selected = {};
  const view::BlockCuts* cuts = nullptr;      ///< between blocks of its layout there are lines
  std::optional<format::Value> padding = {};  ///< what is stored and the same is marked as padding
  std::string prefix = {};                    ///< of its items' ids, where the same tensor stands there twice

  std::int64_t rows() const;
  std::int64_t columns() const;
  tensor::Index index_at(std::int64_t row, std::int64_t column) const;
};

/// Where the cells of a grid stand.
struct GridPlace {
  Rect cells;
  float across = 0, down = 0;  ///< of a cell
  std::int64_t block_rows = 1, block_columns = 1;
  Font font = Font::small_mono;
  bool numbers = false;
  Rect cell(std::int64_t row, std::int64_t column) const {
    return {cells.x + static_cast<float>(column / block_columns) * across,
            cells.y + static_cast<float>(row / block_rows) * down, across, down};
  }
};
/// In that room, with cells of at most that size.
GridPlace place_grid(const Paint& paint, const BoardGrid& grid, Rect room, Point largest_cell);
/// Room that row and column numbers take at the left and on top.
Point grid_margin(const Paint& paint, const BoardGrid& grid);
void draw_grid(Ui& ui, const BoardGrid& grid, const GridPlace& place);

}  // namespace trellis::gui
