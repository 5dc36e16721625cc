// What moves the elements of arrays: where fields stand, and the language's shape operators.

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/lazy/array.hpp"
#include "engine/lazy/broadcast.hpp"
#include "engine/lazy/promotion.hpp"

namespace trellis::lazy {

using format::ReduceOp;
using Op = lang::Shape::Op;

Array permute(const Array& a, const std::vector<int>& order) {
  std::vector<Field> axes;
  for (const int axis : order) axes.push_back(a.axes()[checked_axis(axis, a.rank())]);
  if (as_set(axes).size() != a.axes().size() || axes.size() != a.axes().size())
    throw ShapeError("a permutation names each axis once");
  return {a.at(a.axes()), axes};
}

Array expand_dims(const Array& a, int axis) {
  std::vector<Field> axes = a.axes();
  axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(checked_axis(axis, a.rank() + 1)), fresh_field(1));
  return {a.at(a.axes()), axes};
}

namespace {

std::string shape_text(const Sizes& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "(" + text + ")";
}

}  // namespace

Array broadcast_to(const Array& a, const Sizes& shape) {
  const std::vector<Field> axes = fresh_fields(shape);
  const Sizes own = a.shape();
  bool fits = own.size() <= shape.size();
  for (std::size_t k = 1; fits && k <= own.size(); ++k)
    fits = own[own.size() - k] == 1 || own[own.size() - k] == shape[shape.size() - k];
  if (!fits) throw ShapeError(shape_text(own) + " does not broadcast to " + shape_text(shape));
  return {placed(a, axes), axes};
}

Array diagonal(const Array& a, int axis1, int axis2) {
  const std::size_t first = checked_axis(axis1, a.rank()), second = checked_axis(axis2, a.rank());
  std::vector<Field> at = a.axes();
  if (first == second || at[first].size != at[second].size) throw ShapeError("a diagonal has two axes of one size");
  at[second] = at[first];
  std::vector<Field> axes = at;
  axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(std::max(first, second)));
  axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(std::min(first, second)));
  axes.push_back(at[first]);
  return {a.at(at), axes};
}

namespace {

/// The operator along one axis, which gets the size `made`.
Array along(const Array& a, std::size_t axis, std::int64_t made, Shape node) {
  std::vector<Field> at = fresh_fields(a.shape()), axes = at;
  axes[axis] = fresh_field(made);
  node.parts = {a.at(at)};
  node.from = {at[axis]};
  node.to = {axes[axis]};
  return {shape(std::move(node)), axes};
}

}  // namespace

Array slice(const Array& a, int axis, std::int64_t first, std::int64_t count, std::int64_t step) {
  const std::size_t at = checked_axis(axis, a.rank());
  const std::int64_t size = a.axes()[at].size, last = first + (count - 1) * step;
  const bool inside = count == 0 || (first >= 0 && first < size && last >= 0 && last < size);
  if (count < 0 || step == 0 || !inside) throw ShapeError("the slice leaves the axis");
  return along(a, at, count, {Op::slice, {}, {}, {}, {count == 0 ? 0 : first, step}});
}

Array roll(const Array& a, int axis, std::int64_t by) {
  const std::size_t at = checked_axis(axis, a.rank());
  return along(a, at, a.axes()[at].size, {Op::roll, {}, {}, {}, {by}});
}

Array pad(const Array& a, int axis, std::int64_t before, std::int64_t after, const format::Value& outside) {
  const std::size_t at = checked_axis(axis, a.rank());
  if (before < 0 || after < 0) throw ShapeError("pad takes nothing away");
  return along(a, at, before + a.axes()[at].size + after,
               {Op::pad, {}, {}, {}, {before, after}, format::cast(a.type(), outside)});
}

namespace {

format::ScalarType common_type(const std::vector<Array>& parts) {
  if (parts.empty()) throw ShapeError("nothing to join");
  format::ScalarType type = parts[0].type();
  for (const Array& part : parts) type = promoted(type, part.type());
  return type;
}

}  // namespace

Array concat(const std::vector<Array>& parts, int axis) {
  const format::ScalarType type = common_type(parts);
  const std::size_t at = checked_axis(axis, parts[0].rank());
  std::vector<Field> axes = fresh_fields(parts[0].shape());
  std::int64_t total = 0;
  Shape node{Op::concat, {}, {}, {}};
  for (const Array& part : parts) {
    Sizes rest = part.shape(), wanted = parts[0].shape();
    if (rest.size() != wanted.size()) throw ShapeError("concat joins arrays of one rank");
    wanted[at] = rest[at];
    if (rest != wanted) throw ShapeError("concat joins arrays that differ in one axis alone");
    std::vector<Field> own = axes;
    own[at] = fresh_field(rest[at]);
    node.from.push_back(own[at]);
    node.parts.push_back(cast(type, part.at(own)));
    total += rest[at];
  }
  axes[at] = fresh_field(total);
  node.to = {axes[at]};
  return {shape(std::move(node)), axes};
}

Array stack(const std::vector<Array>& parts, int axis) {
  const format::ScalarType type = common_type(parts);
  std::vector<Field> axes = fresh_fields(parts[0].shape());
  Shape node{Op::stack, {}, {}, {fresh_field(static_cast<std::int64_t>(parts.size()))}};
  for (const Array& part : parts) {
    if (part.shape() != parts[0].shape()) throw ShapeError("stack joins arrays of one shape");
    node.parts.push_back(cast(type, part.at(axes)));
  }
  const std::size_t at = checked_axis(axis, parts[0].rank() + 1);
  axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(at), node.to[0]);
  return {shape(std::move(node)), axes};
}

Array reshape(const Array& a, const Sizes& sizes) {
  const auto count = [](const Sizes& s) {
    return std::accumulate(s.begin(), s.end(), std::int64_t{1}, std::multiplies<>());
  };
  if (count(a.shape()) != count(sizes)) throw ShapeError("a reshape keeps the number of elements");
  if (a.shape() == sizes) return {a.at(a.axes()), a.axes()};
  if (count(sizes) == 0) return {constant(format::Value::of_integer(a.type(), 0)), fresh_fields(sizes)};
  // A scalar has no digits, nor has what becomes one.
  if (sizes.empty()) return reduce(format::is_boolean(a.type()) ? ReduceOp::any : ReduceOp::max, a, {});
  if (a.rank() == 0) return broadcast_to(a, sizes);
  const std::vector<Field> from = fresh_fields(a.shape()), to = fresh_fields(sizes);
  return {shape({Op::reshape, {a.at(from)}, from, to}), to};
}

namespace {

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') parts.emplace_back();
    else if (c != ' ') parts.back() += c;
  }
  return parts;
}

}  // namespace

Array einsum(ReduceOp sum, Operator op, const std::string& letters, const std::vector<Array>& operands) {
  const std::size_t arrow = letters.find("->");
  if (arrow == std::string::npos) throw ShapeError("einsum is written with an arrow, as in ik,kj->ij");
  const std::vector<std::string> names = split_at_commas(letters.substr(0, arrow));
  if (names.size() != operands.size()) throw ShapeError("einsum names the axes of each operand");
  const auto result = split_at_commas(letters.substr(arrow + 2)).front();
  const bool logical = sum == ReduceOp::any || sum == ReduceOp::all;
  format::ScalarType type = accumulating(sum, common_type(operands));
  if (logical != format::is_boolean(type)) type = logical ? format::ScalarType::boolean : format::ScalarType::i64;
  std::map<char, Field> fields;
  Expr all;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const Array& a = operands[k];
    if (names[k].size() != a.axes().size()) throw ShapeError("einsum names each axis of " + names[k]);
    std::vector<Field> at;
    for (std::size_t axis = 0; axis < names[k].size(); ++axis) {
      const std::int64_t size = a.axes()[axis].size;
      at.push_back(fields.try_emplace(names[k][axis], fresh_field(size)).first->second);
      if (at.back().size != size) throw ShapeError(std::string("einsum: two sizes of ") + names[k][axis]);
    }
    const Expr factor = logical ? astype(a, type).at(at) : cast(type, a.at(at));
    all = all ? map(op, {all, factor}) : factor;
  }
  std::vector<Field> axes;
  for (const char letter : result) {
    if (!fields.contains(letter)) throw ShapeError(std::string("einsum: no operand has ") + letter);
    axes.push_back(fields.at(letter));
  }
  Fields over;
  for (const auto& [letter, field] : fields)
    if (result.find(letter) == std::string::npos) over.push_back(field);
  return {agg(sum, as_set(over), all), axes};
}

Array einsum(const std::string& letters, const std::vector<Array>& operands) {
  return einsum(ReduceOp::sum, format::BinaryOp::multiply, letters, operands);
}

Array matmul(const Array& a, const Array& b) {
  if (a.rank() < 1 || b.rank() < 1 || a.rank() > 2 || b.rank() > 2)
    throw ShapeError("matmul is of matrices and vectors");
  const std::string left = a.rank() == 2 ? "ik" : "k", right = b.rank() == 2 ? "kj" : "k";
  const std::string result = std::string(a.rank() == 2 ? "i" : "") + (b.rank() == 2 ? "j" : "");
  return einsum(left + "," + right + "->" + result, {a, b});
}

}  // namespace trellis::lazy
