#pragma once
// A plan of lazy arrays as a drawing: a box for each query, one for each operand, and on the arrows how much is stored.
//
//   B ── 200 ──> t1(j) = sum(k)(B(j,k) * v(k)) ── 20 ──> R(i) = sum(j)(A(i,j) * t1(j))

#include "engine/lazy/why.hpp"
#include "engine/view/drawing.hpp"

namespace trellis::view {

/// Of the chosen way or of the second one. Ids of nodes are places among the operands, and behind these among the
/// kernels.
Drawing drawing_of(const lazy::Why& why, const lazy::Why::Way& way, FontSize font = {});

}  // namespace trellis::view
