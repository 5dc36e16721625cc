#include "engine/lazy/array.hpp"

#include <algorithm>
#include <numeric>

#include "engine/lazy/broadcast.hpp"
#include "engine/lazy/operation.hpp"
#include "engine/lazy/promotion.hpp"

namespace trellis::lazy {

using format::BinaryOp;
using format::Function;
using format::ReduceOp;
using format::ScalarType;
using format::Value;

Array Array::of(const std::string& name, ScalarType type, Value fill, const Sizes& shape) {
  const std::vector<Field> axes = fresh_fields(shape);
  return {table(name, type, fill, axes), axes};
}

Array Array::scalar(Value value) { return {constant(value), {}}; }
Array Array::number(double value) { return {constant(Value::of(ScalarType::f64, value)), {}, true}; }
Array Array::number(std::int64_t value) { return {constant(Value::of_integer(ScalarType::i64, value)), {}, true}; }

Sizes Array::shape() const {
  Sizes sizes;
  for (const Field& axis : axes_) sizes.push_back(axis.size);
  return sizes;
}

Expr Array::at(const std::vector<Field>& fields) const {
  std::vector<std::pair<Field, Field>> names;
  for (std::size_t axis = 0; axis < fields.size(); ++axis) names.emplace_back(axes_[axis], fields[axis]);
  return renamed(expr_, names);
}

Query Array::query(const std::string& name) const { return {name, axes_, expr_, {}}; }

namespace {

bool has_floating_result(const Operator& op) {
  const auto* function = std::get_if<Function>(&op);
  return function && format::floating_only(*function);
}

bool is_logical_operator(const Operator& op) {
  const auto* binary = std::get_if<BinaryOp>(&op);
  const auto* unary = std::get_if<format::UnaryOp>(&op);
  return (binary && format::is_logical(*binary)) || (unary && *unary == format::UnaryOp::logical_not);
}

/// Of bool NumPy adds by `or`, multiplies by `and`, and compares as numbers.
Operator of_truths(const Operator& op) {
  if (op == Operator(BinaryOp::add) || op == Operator(Function::max)) return BinaryOp::logical_or;
  if (op == Operator(BinaryOp::multiply) || op == Operator(Function::min)) return BinaryOp::logical_and;
  return op;
}

/// That arithmetic and comparisons of bool are done in, where there is no logic that says the same.
ScalarType number_for(const Operator& op, ScalarType type) {
  const auto* binary = std::get_if<BinaryOp>(&op);
  const bool equality = binary && (*binary == BinaryOp::equal || *binary == BinaryOp::not_equal);
  const bool bits =
      binary && format::is_bitwise(*binary) && *binary != BinaryOp::shift_left && *binary != BinaryOp::shift_right;
  return !format::is_boolean(type) || equality || bits ? type : ScalarType::i64;
}

Promoted common_type(std::span<const Array> operands) {
  Promoted common{operands[0].type(), operands[0].weak()};
  for (const Array& a : operands.subspan(1)) common = promoted(common, {a.type(), a.weak()});
  return common;
}

std::vector<Expr> cast_all(ScalarType type, std::vector<Expr> operands) {
  for (Expr& operand : operands) operand = cast(type, operand);
  return operands;
}

/// A truth value of numbers is whether they are not 0.
Expr truth_of(const Expr& e) {
  if (format::is_boolean(e->type)) return e;
  return map(BinaryOp::not_equal, {e, constant(Value::of_integer(e->type, 0))});
}

}  // namespace

Array apply(Operator op, const std::vector<Array>& operands) {
  if (const auto* to = std::get_if<Cast>(&op)) return astype(operands[0], to->type);
  if (std::holds_alternative<Where>(op)) return where(operands[0], operands[1], operands[2]);
  Promoted type = common_type(operands);
  Broadcast b = broadcast(operands);
  if (is_logical_operator(op)) {
    for (Expr& operand : b.operands) operand = truth_of(operand);
    return {map(op, std::move(b.operands)), b.axes};
  }
  if (has_floating_result(op)) type.type = floating(type.type);
  const bool several = operands.size() > 1;
  if (format::is_boolean(type.type) && several) op = of_truths(op);
  if (!is_logical_operator(op)) type.type = number_for(op, type.type);
  return {map(op, cast_all(type.type, std::move(b.operands))), b.axes, type.weak};
}

Array where(const Array& condition, const Array& then, const Array& otherwise) {
  const Promoted type = common_type(std::vector{then, otherwise});
  Broadcast b = broadcast({condition, then, otherwise});
  return {map(Where(), {truth_of(b.operands[0]), cast(type.type, b.operands[1]), cast(type.type, b.operands[2])}),
          b.axes};
}

Array astype(const Array& a, ScalarType type) {
  const Expr e = a.at(a.axes());
  return {format::is_boolean(type) ? truth_of(e) : cast(type, e), a.axes()};
}

namespace {

Array propagating(Function f, const Array& a, const Array& b) {
  const Array other = apply(f, {b, a});
  return format::is_floating(other.type()) ? where(apply(BinaryOp::not_equal, {a, a}), a, other) : other;
}

}  // namespace

Array maximum(const Array& a, const Array& b) { return propagating(Function::max, a, b); }
Array minimum(const Array& a, const Array& b) { return propagating(Function::min, a, b); }

namespace {

/// In the operand's type where the reduction asks for another: `any` of numbers, sums of small integers.
std::pair<ReduceOp, Expr> prepared(ReduceOp op, const Expr& e) {
  if (op == ReduceOp::any || op == ReduceOp::all) return {op, truth_of(e)};
  if (format::is_boolean(e->type) && op == ReduceOp::min) return {ReduceOp::all, e};
  if (format::is_boolean(e->type) && op == ReduceOp::max) return {ReduceOp::any, e};
  return {op, cast(accumulating(op, e->type), e)};
}

void refuse_empty(ReduceOp op, const Fields& over) {
  const bool has_none = op == ReduceOp::min || op == ReduceOp::max || format::is_arg(op);
  if (has_none && std::ranges::any_of(over, [](const Field& f) { return f.size == 0; }))
    throw ShapeError(std::string(format::name_of(op)) + " of an empty axis has no value");
}

}  // namespace

Array reduce(ReduceOp op, const Array& a, std::vector<int> axes, KeepAxes keep) {
  if (axes.empty()) {
    axes.resize(static_cast<std::size_t>(a.rank()));
    std::iota(axes.begin(), axes.end(), 0);
  }
  std::vector<bool> reduced(static_cast<std::size_t>(a.rank()), false);
  for (const int axis : axes) reduced[checked_axis(axis, a.rank())] = true;
  Fields over;
  std::vector<Field> left;
  for (std::size_t axis = 0; axis < reduced.size(); ++axis) {
    const Field& field = a.axes()[axis];
    if (reduced[axis]) over.push_back(field);
    if (!reduced[axis]) left.push_back(field);
    else if (keep == KeepAxes::yes) left.push_back(fresh_field(1));
  }
  refuse_empty(op, over);
  const auto [operation, operand] = prepared(op, a.at(a.axes()));
  return {agg(operation, as_set(over), operand), left};
}

Array mean(const Array& a, const std::vector<int>& axes) {
  const Array sum = reduce(ReduceOp::sum, astype(a, floating(a.type())), axes);
  double count = 1;
  for (const Field& axis : a.axes()) count *= static_cast<double>(axis.size);
  for (const Field& axis : sum.axes()) count /= static_cast<double>(axis.size);
  return apply(BinaryOp::divide, {sum, Array::number(count)});
}

Array arg_reduce(ReduceOp op, const Array& a, int axis) {
  const std::size_t at = checked_axis(axis, a.rank());
  std::vector<Field> left = a.axes();
  const Field over = left[at];
  left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
  refuse_empty(op, {over});
  return {arg(op, over, a.at(a.axes())), left};
}

}  // namespace trellis::lazy
