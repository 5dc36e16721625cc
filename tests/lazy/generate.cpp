#include "tests/lazy/generate.hpp"

#include <algorithm>
#include <numeric>

#include "engine/lazy/promotion.hpp"
#include "engine/tensor/convert.hpp"

namespace trellis::lazy {

using format::BinaryOp;
using format::Function;
using format::ReduceOp;
using format::ScalarType;
using format::Value;

format::Format random_storage(randomised::Dice& dice, int rank) {
  format::Format format = format::Format::dense(rank);
  if (rank == 0 || dice.chance(20)) return format;
  if (rank >= 2 && dice.chance(50)) {
    const std::vector<std::string> names =
        rank == 2 ? std::vector<std::string>{"csr", "csc", "coo", "dcsr"} : std::vector<std::string>{"csf"};
    return format::Format::named(dice.pick(names), rank).value();
  }
  format.name.clear();
  for (format::Level& level : format.levels)
    level.name = dice.pick(std::vector<std::string>{"dense", "compressed", "compressed", "hashed", "bytemap"});
  if (dice.chance(30)) std::ranges::reverse(format.order);
  return format;
}

Sizes Generator::shape() {
  Sizes sizes;
  for (int rank = dice_.pick(std::vector{0, 1, 1, 2, 2, 2, 3}); rank > 0; --rank)
    sizes.push_back(wishes_.empty && dice_.chance(3) ? 0 : 1 + dice_.below(4));
  return sizes;
}

ScalarType Generator::type() {
  using enum ScalarType;
  return dice_.pick(std::vector{f64, f64, f64, f32, i64, i64, i32, i16, u64, u32, u8, boolean, boolean});
}

Value Generator::value(ScalarType type) {
  if (wishes_.wide && format::is_integer(type) && dice_.chance(50))
    return Value::of_integer(type, (static_cast<std::int64_t>(dice_.below(1 << 30)) << 34) + dice_.below(1 << 30));
  if (wishes_.wide && format::is_floating(type))
    return Value::of(type, (dice_.below(2'000'001) - 1'000'000) * (dice_.chance(50) ? 1e-9 : 1.0 / 3));
  if (format::is_floating(type)) return Value::of(type, dice_.pick(std::vector{0.0, 1.0, 2.0, -1.0, 0.5, 3.0, -2.0}));
  if (format::is_boolean(type)) return Value::truth(dice_.chance(60));
  return Value::of_integer(type, dice_.pick(std::vector{0, 1, 2, format::is_signed(type) ? -1 : 4, 3, 5}));
}

Value Generator::fill(ScalarType type) {
  if (dice_.chance(50)) return Value::of_integer(type, 0);
  return wishes_.wide && dice_.chance(50) ? format::highest(type) : value(type);
}

Pair Generator::operand(Sizes shape, ScalarType type) {
  std::vector<Pair> fitting;
  for (const Pair& pair : used_)
    if (pair.computed.shape == shape && pair.computed.type == type) fitting.push_back(pair);
  if (!fitting.empty() && dice_.chance(40)) return dice_.pick(fitting);
  const Value background = fill(type);
  const int rank = static_cast<int>(shape.size()), stored = dice_.pick(std::vector{10, 40, 80});
  const NdArray array = NdArray::of(
      shape, type, [&](const tensor::Index&) { return rank == 0 || dice_.chance(stored) ? value(type) : background; });
  auto dense = tensor::Tensor::create(type, shape, format::Format::dense(rank), background).value();
  tensor::for_each_index(shape, [&](const tensor::Index& index) { dense.set(index, array.at(index)); });
  const std::string name = "T" + std::to_string(operands_.size());
  operands_[name] = tensor::with_format(dense, random_storage(dice_, rank)).value();
  used_.push_back({Array::of(name, type, background, shape), array});
  return used_.back();
}

/// A constant, an operand that broadcasts, or one of the very shape.
Pair Generator::leaf(const Sizes& shape, ScalarType type) {
  if (dice_.chance(12)) {
    const Value v = value(type);
    return {Array::scalar(v), {{}, type, {v}}};
  }
  if (shape.empty() || !dice_.chance(35)) return operand(shape, type);
  Sizes small(shape.begin() + dice_.below(static_cast<int>(shape.size()) + 1), shape.end());
  for (std::int64_t& size : small)
    if (dice_.chance(30)) size = 1;
  return operand(small, type);
}

Pair Generator::full(const Sizes& shape, ScalarType type, int depth) {
  const Pair pair = make(shape, type, depth);
  if (pair.lazy.shape() == shape) return pair;
  return {broadcast_to(pair.lazy, shape), nd_broadcast(pair.computed, shape)};
}

Pair Generator::make(const Sizes& shape, ScalarType type, int depth) {
  if (depth == 0) return leaf(shape, type);
  const std::vector<std::string> kinds = {"unary",   "binary", "binary",   "binary",   "compare", "convert",
                                          "where",   "reduce", "reduce",   "reduce",   "mean",    "arg",
                                          "permute", "spread", "contract", "contract", "slice",   "roll",
                                          "pad",     "concat", "stack",    "reshape"};
  for (;;) {
    const std::string kind = dice_.pick(kinds);
    if (auto pair = drawn(kind, shape, type, depth - 1)) {
      ++drawn_[kind];
      return *pair;
    }
  }
}

std::optional<Pair> Generator::drawn(const std::string& kind, const Sizes& shape, ScalarType type, int depth) {
  const bool has_axis = !shape.empty();
  if (kind == "unary") return unary(shape, type, depth);
  if (kind == "binary") return binary(shape, type, depth);
  if (kind == "compare" && format::is_boolean(type)) return compared(shape, depth);
  if (kind == "convert" && !format::is_boolean(type)) return converted(shape, type, depth);
  if (kind == "where") return chosen(shape, type, depth);
  if (kind == "reduce") return reduced(shape, type, depth);
  if (kind == "mean" && type == ScalarType::f64) return meant(shape, depth);
  if (kind == "arg" && type == ScalarType::i64) return best(shape, depth);
  if (kind == "permute" && shape.size() > 1) return permuted(shape, type, depth);
  if (kind == "spread") return spread(shape, type, depth);
  if (kind == "contract" && accumulating(ReduceOp::sum, type) == type) return contracted(shape, type, depth);
  if (kind == "slice" && has_axis) return sliced(shape, type, depth);
  if (kind == "roll" && has_axis) return rolled(shape, type, depth);
  if (kind == "pad" && has_axis) return padded(shape, type, depth);
  if (kind == "concat" && has_axis) return joined(shape, type, depth);
  if (kind == "stack" && has_axis) return stacked(shape, type, depth);
  if (kind == "reshape" && has_axis) return reshaped(shape, type, depth);
  return std::nullopt;
}

Pair Generator::unary(const Sizes& shape, ScalarType type, int depth) {
  const Pair a = make(shape, type, depth);
  std::vector<Operator> operators = {format::UnaryOp::negate, Function::abs};
  if (format::is_boolean(type)) operators = {format::UnaryOp::logical_not};
  if (format::is_floating(type)) operators.emplace_back(Function::floor);
  if (format::is_integer(type)) operators.emplace_back(format::UnaryOp::bit_not);
  const Operator op = dice_.pick(operators);
  return {apply(op, {a.lazy}), nd_map(op, {a.computed})};
}

Pair Generator::binary(const Sizes& shape, ScalarType type, int depth) {
  const Pair a = make(shape, type, depth), b = make(shape, type, dice_.chance(60) ? depth : 0);
  std::vector<Operator> operators = {BinaryOp::add,      BinaryOp::subtract, BinaryOp::multiply,
                                     BinaryOp::multiply, Function::min,      Function::max};
  if (format::is_boolean(type)) operators = {BinaryOp::logical_and, BinaryOp::logical_or, BinaryOp::not_equal};
  if (format::is_floating(type)) operators.insert(operators.end(), {BinaryOp::divide, BinaryOp::power});
  if (format::is_integer(type)) operators.emplace_back(BinaryOp::bit_and);
  const Operator op = dice_.pick(operators);
  return {apply(op, {a.lazy, b.lazy}), nd_map(op, {a.computed, b.computed})};
}

Pair Generator::compared(const Sizes& shape, int depth) {
  ScalarType type = this->type();
  if (format::is_boolean(type)) type = ScalarType::i32;
  const Pair a = make(shape, type, depth), b = make(shape, type, 0);
  const Operator op =
      dice_.pick(std::vector{BinaryOp::less, BinaryOp::less_equal, BinaryOp::equal, BinaryOp::not_equal});
  return {apply(op, {a.lazy, b.lazy}), nd_map(op, {a.computed, b.computed})};
}

Pair Generator::converted(const Sizes& shape, ScalarType type, int depth) {
  ScalarType from = this->type();
  if (format::is_floating(from)) from = ScalarType::boolean;
  const Pair a = make(shape, from, depth);
  return {astype(a.lazy, type), nd_cast(type, a.computed)};
}

Pair Generator::chosen(const Sizes& shape, ScalarType type, int depth) {
  const Pair c = make(shape, ScalarType::boolean, depth), a = make(shape, type, depth), b = make(shape, type, 0);
  return {where(c.lazy, a.lazy, b.lazy), nd_map(Where(), {c.computed, a.computed, b.computed})};
}

Pair Generator::reduced(const Sizes& shape, ScalarType type, int depth) {
  std::vector<ReduceOp> operations = {ReduceOp::min, ReduceOp::max};
  if (format::is_boolean(type)) operations = {ReduceOp::any, ReduceOp::all};
  else if (accumulating(ReduceOp::sum, type) == type)
    operations = {ReduceOp::sum, ReduceOp::sum, ReduceOp::prod, ReduceOp::min, ReduceOp::max};
  const ReduceOp op = dice_.pick(operations);
  Sizes wide = shape;
  std::vector<bool> over(shape.size(), false);
  for (int count = dice_.pick(std::vector{1, 1, 2}); count > 0; --count) {
    const int at = dice_.below(static_cast<int>(wide.size()) + 1);
    const bool none = wishes_.empty && dice_.chance(5) && op != ReduceOp::min && op != ReduceOp::max;
    wide.insert(wide.begin() + at, none ? 0 : 1 + dice_.below(3));
    over.insert(over.begin() + at, true);
  }
  std::vector<int> axes;
  for (std::size_t d = 0; d < over.size(); ++d)
    if (over[d]) axes.push_back(static_cast<int>(d));
  const Pair a = full(wide, type, depth);
  return {reduce(op, a.lazy, axes), nd_reduce(op, a.computed, over)};
}

Pair Generator::meant(const Sizes& shape, int depth) {
  Sizes wide = shape;
  wide.push_back(dice_.pick(std::vector{1, 2, 4}));
  std::vector<bool> over(wide.size(), false);
  over.back() = true;
  const Pair a = full(wide, ScalarType::f64, depth);
  const NdArray count{{}, ScalarType::f64, {Value::of(ScalarType::f64, static_cast<double>(wide.back()))}};
  return {mean(a.lazy, {-1}), nd_map(BinaryOp::divide, {nd_reduce(ReduceOp::sum, a.computed, over), count})};
}

Pair Generator::best(const Sizes& shape, int depth) {
  Sizes wide = shape;
  const int at = dice_.below(static_cast<int>(shape.size()) + 1);
  wide.insert(wide.begin() + at, 1 + dice_.below(3));
  std::vector<bool> over(wide.size(), false);
  over[static_cast<std::size_t>(at)] = true;
  ScalarType type = this->type();
  if (format::is_boolean(type)) type = ScalarType::i32;
  const Pair a = full(wide, type, depth);
  const ReduceOp op = dice_.pick(std::vector{ReduceOp::argmin, ReduceOp::argmax});
  return {arg_reduce(op, a.lazy, at), nd_reduce(op, a.computed, over)};
}

Pair Generator::permuted(const Sizes& shape, ScalarType type, int depth) {
  std::vector<int> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t d = order.size(); d > 1; --d)
    std::swap(order[d - 1], order[static_cast<std::size_t>(dice_.below(static_cast<int>(d)))]);
  Sizes before(shape.size());
  for (std::size_t d = 0; d < order.size(); ++d) before[static_cast<std::size_t>(order[d])] = shape[d];
  const Pair a = full(before, type, depth);
  return {permute(a.lazy, order), nd_permute(a.computed, order)};
}

Pair Generator::spread(const Sizes& shape, ScalarType type, int depth) {
  Sizes small = shape;
  for (std::int64_t& size : small)
    if (dice_.chance(40)) size = 1;
  const Pair a = full(small, type, depth);
  return {broadcast_to(a.lazy, shape), nd_broadcast(a.computed, shape)};
}

Pair Generator::contracted(const Sizes& shape, ScalarType type, int depth) {
  using Semiring = std::pair<ReduceOp, Operator>;
  std::vector<Semiring> semirings = {{ReduceOp::sum, BinaryOp::multiply}, {ReduceOp::sum, BinaryOp::multiply},
                                     {ReduceOp::min, BinaryOp::add},      {ReduceOp::max, BinaryOp::add},
                                     {ReduceOp::min, Function::max},      {ReduceOp::max, Function::min}};
  if (format::is_boolean(type))
    semirings = {{ReduceOp::any, BinaryOp::logical_and}, {ReduceOp::all, BinaryOp::logical_or}};
  const auto [sum, product] = dice_.pick(semirings);
  const std::string result = std::string("abcdefgh").substr(0, shape.size()), bound = dice_.chance(40) ? "xy" : "x";
  std::map<char, std::int64_t> sizes;
  for (std::size_t d = 0; d < shape.size(); ++d) sizes[result[d]] = shape[d];
  for (const char c : bound) sizes[c] = 1 + dice_.below(3);
  std::vector<std::string> names(dice_.chance(35) ? 3 : 2);
  for (std::string& own : names)
    for (const auto& [c, size] : sizes)
      if (dice_.chance(65)) own += c;
  for (const auto& [c, size] : sizes)
    if (std::ranges::none_of(names, [&](const std::string& own) { return own.find(c) != std::string::npos; }))
      names[0] += c;
  std::vector<Array> lazy;
  std::vector<NdArray> computed;
  std::string letters;
  for (std::size_t k = 0; k < names.size(); ++k) {
    Sizes own;
    for (const char c : names[k]) own.push_back(sizes.at(c));
    const Pair a = full(own, type, k == 0 ? depth : 0);
    lazy.push_back(a.lazy);
    computed.push_back(a.computed);
    letters += (k > 0 ? "," : "") + names[k];
  }
  letters += "->" + result;
  return {einsum(sum, product, letters, lazy), nd_einsum(sum, product, letters, computed)};
}

Pair Generator::sliced(Sizes shape, ScalarType type, int depth) {
  const int axis = axis_of(shape);
  std::int64_t& size = shape[static_cast<std::size_t>(axis)];
  const std::int64_t count = size, step = dice_.pick(std::vector{1, 2, -1, -2}), before = dice_.below(3);
  const std::int64_t reach = count > 0 ? (count - 1) * std::abs(step) + 1 : 0;
  size = before + reach + dice_.below(2) + (count == 0);
  const std::int64_t first = step > 0 ? before : before + std::max<std::int64_t>(reach, 1) - 1;
  const Pair a = full(shape, type, depth);
  return {slice(a.lazy, axis, first, count, step), nd_slice(a.computed, axis, first, count, step)};
}

Pair Generator::rolled(const Sizes& shape, ScalarType type, int depth) {
  const int axis = axis_of(shape), by = dice_.below(9) - 4;
  const Pair a = full(shape, type, depth);
  return {roll(a.lazy, axis, by), nd_roll(a.computed, axis, by)};
}

Pair Generator::padded(Sizes shape, ScalarType type, int depth) {
  const int axis = axis_of(shape);
  std::int64_t& size = shape[static_cast<std::size_t>(axis)];
  const std::int64_t before = dice_.below(static_cast<int>(size) + 1);
  const std::int64_t after = dice_.below(static_cast<int>(size - before) + 1);
  size -= before + after;
  const Value outside = value(type);
  const Pair a = full(shape, type, depth);
  return {pad(a.lazy, axis, before, after, outside), nd_pad(a.computed, axis, before, after, outside)};
}

Pair Generator::joined(const Sizes& shape, ScalarType type, int depth) {
  const int axis = axis_of(shape);
  const auto d = static_cast<std::size_t>(axis);
  const int size = static_cast<int>(shape[d]);
  Sizes one = shape, two = shape;
  one[d] = wishes_.empty || size < 2 ? dice_.below(size + 1) : 1 + dice_.below(size - 1);
  two[d] = size - one[d];
  const Pair a = full(one, type, depth), b = full(two, type, 0);
  return {concat({a.lazy, b.lazy}, axis), nd_concat(a.computed, b.computed, axis)};
}

Pair Generator::stacked(Sizes shape, ScalarType type, int depth) {
  const auto two = std::ranges::find(shape, 2);
  if (two == shape.end()) return rolled(shape, type, depth);
  const int axis = static_cast<int>(two - shape.begin());
  shape.erase(two);
  const Pair a = full(shape, type, depth), b = full(shape, type, 0);
  return {stack({a.lazy, b.lazy}, axis), nd_stack(a.computed, b.computed, axis)};
}

std::optional<Pair> Generator::reshaped(const Sizes& shape, ScalarType type, int depth) {
  const std::int64_t count = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  if (count == 0) return std::nullopt;
  std::vector<std::int64_t> divisors;
  for (std::int64_t d = 1; d <= count; ++d)
    if (count % d == 0) divisors.push_back(d);
  const std::int64_t rows = dice_.pick(divisors);
  const Sizes before = dice_.chance(70) ? Sizes{rows, count / rows} : Sizes{count};
  const Pair a = full(before, type, depth);
  return Pair{reshape(a.lazy, shape), nd_reshape(a.computed, shape)};
}

}  // namespace trellis::lazy
