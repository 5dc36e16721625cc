#pragma once
// What the lowering of one loop knows while it writes down the points of the loop's lattice.

#include <optional>
#include <vector>

#include "engine/coiterate/lattice.hpp"
#include "engine/flow/flow.hpp"

namespace trellis::coiterate {

/// A lattice whose operands have got their cursors.
struct OpenLattice {
  const Lattice& lattice;
  const loop::For& loop;
  std::optional<flow::Coiterate::Point::Regions> regions;  ///< of the point that is being lowered
  std::vector<flow::Cursor> cursors;
  std::vector<int> cursor_of;  ///< by operand, -1: none

  const Literal& literal(int operand) const { return lattice.operands[static_cast<std::size_t>(operand)].literal; }
  const flow::Cursor& cursor(int operand) const {
    return cursors[static_cast<std::size_t>(cursor_of[static_cast<std::size_t>(operand)])];
  }
  std::vector<int> operands_walked() const {
    std::vector<int> all;
    for (std::size_t operand = 0; operand < cursor_of.size(); ++operand)
      if (cursor_of[operand] >= 0) all.push_back(static_cast<int>(operand));
    return all;
  }
  std::vector<int> cursors_of(const std::vector<int>& operands) const {
    std::vector<int> numbers;
    for (const int operand : operands) numbers.push_back(cursor_of[static_cast<std::size_t>(operand)]);
    return numbers;
  }
};

}  // namespace trellis::coiterate
