#pragma once
// A factorisation's pattern to look at: what the operand stores, what fills in and why, and the elimination tree. Text,
// windows and the report show the same value.
//
//   o              3
//   . o            └─ 2
//   o . o             ├─ 0
//   . o + o           └─ 1
//
// In the drawing of the tree an arrow leads from a column to its parent, the first one that it changes.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/symbolic/eliminate.hpp"
#include "engine/view/drawing.hpp"

namespace trellis::session {

struct MaskPicture {
  bool symmetric = false;              ///< the lower triangle alone, and a tree
  bool reversed = false;               ///< rows and columns are counted from the last one
  std::int64_t rows = 0;               ///< of the matrix, which is square
  std::int64_t given = 0, filled = 0;  ///< entries: with the diagonal; what the operands do not store

  struct Cell {
    std::int64_t given = 0, filled = 0;
    /// Of a cell for one element that fills in: the first column k whose elimination does it, as (i,k) and (k,j) have
    /// entries; else -1.
    std::int32_t by = -1;
  };
  std::int64_t block = 1;   ///< a cell stands for so many rows and columns
  std::int64_t across = 0;  ///< cells in each direction
  std::vector<Cell> cells;  ///< by rows
  const Cell& at(std::int64_t row, std::int64_t column) const {
    return cells[static_cast<std::size_t>(row * across + column)];
  }

  std::vector<std::int32_t> parent;  ///< of a symmetric one, by column; -1: a root
  view::Drawing tree;                ///< its nodes' ids are places in `columns`; empty where it is too large
  std::vector<std::pair<std::int32_t, std::int32_t>> columns;  ///< by node: the first and the last, each below the next
};

MaskPicture mask_picture(const symbolic::Elimination& how, const symbolic::Factor& factor, view::FontSize font = {});

/// `36 rows, 96 given, 150 filled in`.
std::string caption(const MaskPicture& picture);
/// Of one cell: `row 6, column 5: filled in, as (6,2) and (5,2) have entries`.
std::string explain(const MaskPicture& picture, std::int64_t row, std::int64_t column);

/// Of at most so many rows; of larger ones there is no text.
constexpr std::int64_t largest_text = 48;
/// `o` where the operand stores something or on the diagonal, `+` where it fills in, `.` where nothing is; below it, of
/// a symmetric one, the tree, each column below the first row that it has an entry in.
std::string to_string(const MaskPicture& picture);

/// {"caption", "symmetric", "rows", "block", "across", "given": [row of numbers…], "filled", "by", "columns", "tree"}
nlohmann::ordered_json to_json(const MaskPicture& picture);

}  // namespace trellis::session
