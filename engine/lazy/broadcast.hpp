#pragma once
// Arrays that meet: shapes are compared from the last axis on, and an axis of size 1 is read at its one element where
// it meets a larger one.

#include <vector>

#include "engine/lazy/array.hpp"

namespace trellis::lazy {

struct Broadcast {
  std::vector<Field> axes;     ///< of the result
  std::vector<Expr> operands;  ///< over these fields
};
/// Throws ShapeError where two sizes differ and neither is 1.
Broadcast broadcast(const std::vector<Array>& operands);

/// The array at some fields, of which those of other sizes than its axes are met by axes of size 1.
Expr placed(const Array& a, const std::vector<Field>& axes);

std::vector<Field> fresh_fields(const Sizes& sizes);
/// From 0 on; throws ShapeError when there is no such axis.
std::size_t checked_axis(int axis, int rank);

}  // namespace trellis::lazy
