#pragma once
// Lazy arrays: what NumPy calls things, each of which builds an expression and computes nothing. Shapes broadcast from
// the last axis on; types are promoted as NumPy does it (promotion.hpp), except that `/` and `%` of integers are the
// language's, which floor. Source: the Array API standard.
//
// Each use of an array renames all of its fields (docs/design/arrays.md#fields).

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/lazy/logic.hpp"

namespace trellis::lazy {

/// What NumPy raises a ValueError for: shapes that do not fit, an empty minimum.
struct ShapeError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

using Sizes = std::vector<std::int64_t>;

/// An axis is a field; one that the expression does not depend on repeats along it.
class Array {
 public:
  Array(Expr expr, std::vector<Field> axes, bool weak = false)
      : expr_(std::move(expr)), axes_(std::move(axes)), weak_(weak) {}
  /// An array that somebody has.
  static Array of(const std::string& name, format::ScalarType type, format::Value fill, const Sizes& shape);
  /// A value of that very type.
  static Array scalar(format::Value value);
  /// A number of the host language, which takes the other operand's type.
  static Array number(double value);
  static Array number(std::int64_t value);

  const Expr& expr() const { return expr_; }
  const std::vector<Field>& axes() const { return axes_; }
  int rank() const { return static_cast<int>(axes_.size()); }
  Sizes shape() const;
  format::ScalarType type() const { return expr_->type; }
  bool weak() const { return weak_; }

  /// The expression with these fields in the place of the axes; what else it has is renamed.
  Expr at(const std::vector<Field>& fields) const;
  /// What computes it, as result `name`.
  Query query(const std::string& name) const;

 private:
  Expr expr_;
  std::vector<Field> axes_;
  bool weak_;
};

/// The operator on operands that broadcast, in their common type: of logic bool, of `/` and functions such as sqrt
/// floating.
Array apply(Operator op, const std::vector<Array>& operands);
Array where(const Array& condition, const Array& then, const Array& otherwise);
Array astype(const Array& a, format::ScalarType type);
/// NumPy's maximum and minimum: a not-a-number wins. The language's max and min (`apply`) pass it over.
Array maximum(const Array& a, const Array& b);
Array minimum(const Array& a, const Array& b);

/// Over these axes, negative ones from the end; over all when there are none. Sums and products of bool and integers
/// are in 64 bits; min and max of bool are all and any, and throw for an empty axis.
enum class KeepAxes { no, yes };
Array reduce(format::ReduceOp op, const Array& a, std::vector<int> axes, KeepAxes keep = KeepAxes::no);
Array mean(const Array& a, const std::vector<int>& axes);
/// argmin, argmax.
Array arg_reduce(format::ReduceOp op, const Array& a, int axis);

Array permute(const Array& a, const std::vector<int>& order);
Array expand_dims(const Array& a, int axis);
Array broadcast_to(const Array& a, const Sizes& shape);
Array diagonal(const Array& a, int axis1 = 0, int axis2 = 1);

/// `count` elements from `first` on, `step` apart.
Array slice(const Array& a, int axis, std::int64_t first, std::int64_t count, std::int64_t step);
Array roll(const Array& a, int axis, std::int64_t by);
Array pad(const Array& a, int axis, std::int64_t before, std::int64_t after, const format::Value& outside);
Array concat(const std::vector<Array>& parts, int axis);
/// Along a new axis.
Array stack(const std::vector<Array>& parts, int axis);
Array reshape(const Array& a, const Sizes& shape);

/// "ik,kj->ij": operands at these letters, combined with `product`, reduced with `sum` over the letters that the result
/// lacks.
Array einsum(format::ReduceOp sum, Operator product, const std::string& letters, const std::vector<Array>& operands);
Array einsum(const std::string& letters, const std::vector<Array>& operands);
/// Of matrices and vectors.
Array matmul(const Array& a, const Array& b);

}  // namespace trellis::lazy
