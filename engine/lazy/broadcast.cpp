#include "engine/lazy/broadcast.hpp"

#include <algorithm>

namespace trellis::lazy {

using format::ReduceOp;

std::vector<Field> fresh_fields(const Sizes& sizes) {
  std::vector<Field> fields;
  for (const std::int64_t size : sizes) fields.push_back(fresh_field(size));
  return fields;
}

std::size_t checked_axis(int axis, int rank) {
  if (axis < -rank || axis >= rank)
    throw ShapeError("there is no axis " + std::to_string(axis) + " of " + std::to_string(rank));
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

namespace {

/// The one element along a field of size 1: a reduction over it, which is exact.
Expr only_element(const Expr& e, const Field& field) {
  if (!depends_on(e, field)) return e;
  return agg(format::is_boolean(e->type) ? ReduceOp::any : ReduceOp::max, {field}, e);
}

/// Where `sizes` are the operands' at one axis.
std::int64_t common_size(std::int64_t a, std::int64_t b) {
  if (a != b && a != 1 && b != 1)
    throw ShapeError("sizes " + std::to_string(a) + " and " + std::to_string(b) + " do not broadcast");
  return a == 1 ? b : a;
}

}  // namespace

Expr placed(const Array& a, const std::vector<Field>& axes) {
  std::vector<Field> own;
  Fields squeezed;
  const std::size_t skipped = axes.size() - a.axes().size();
  for (std::size_t axis = 0; axis < a.axes().size(); ++axis) {
    const bool fits = a.axes()[axis].size == axes[skipped + axis].size;
    own.push_back(fits ? axes[skipped + axis] : fresh_field(1));
    if (!fits) squeezed.push_back(own.back());
  }
  Expr e = a.at(own);
  for (const Field& field : squeezed) e = only_element(e, field);
  return e;
}

Broadcast broadcast(const std::vector<Array>& operands) {
  Sizes shape;
  for (const Array& a : operands) {
    Sizes sizes = a.shape();
    const std::size_t rank = std::max(shape.size(), sizes.size());
    sizes.insert(sizes.begin(), rank - sizes.size(), 1);
    shape.insert(shape.begin(), rank - shape.size(), 1);
    for (std::size_t axis = 0; axis < rank; ++axis) shape[axis] = common_size(shape[axis], sizes[axis]);
  }
  Broadcast result{fresh_fields(shape), {}};
  for (const Array& a : operands) result.operands.push_back(placed(a, result.axes));
  return result;
}

}  // namespace trellis::lazy
