#pragma once
// Bounds of dense levels: what a layout's constraints leave of them below each coordinate of a level further out.
//
//   lower       (i, j) -> (i, j) {dense, dense} : j <= i          row i stores i + 1 elements
//   banded(W)   (i, j) -> (i, j) {dense, dense} : -W <= j-i <= W  row i those from i - W to i + W
//
// docs/design/layouts.md#bounded-levels. Positions are counted by an array, whatever the levels above.

#include "engine/format/format.hpp"

namespace trellis::format {

/// The layout's levels for a tensor with these sizes, each dense one with the bounds that constraints on what is
/// stored, or on what the first branch is about, give it: those that name it, as it is or negated, and one level
/// further out. Runs and free slots have no coordinate to count by; neither has a level whose least coordinate depends
/// on sizes.
std::vector<Level> with_bounds(std::vector<Level> levels, const Layout& layout, const std::vector<math::Affine>& shape);

}  // namespace trellis::format
