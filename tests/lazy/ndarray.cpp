#include "tests/lazy/ndarray.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "tests/lazy/dense.hpp"

namespace trellis::lazy {

using format::ReduceOp;
using format::Value;
using tensor::Index;

NdArray NdArray::of(const Sizes& shape, format::ScalarType type, const std::function<Value(const Index&)>& value) {
  NdArray array{shape, type, {}};
  tensor::for_each_index(shape, [&](const Index& index) { array.values.push_back(value(index)); });
  return array;
}

const Value& NdArray::at(const Index& index) const {
  std::int64_t place = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) place = place * shape[d] + index[d];
  return values[static_cast<std::size_t>(place)];
}

NdArray nd_broadcast(const NdArray& a, const Sizes& shape) {
  return NdArray::of(shape, a.type, [&](const Index& index) {
    Index own(index.end() - static_cast<std::ptrdiff_t>(a.shape.size()), index.end());
    for (std::size_t d = 0; d < own.size(); ++d)
      if (a.shape[d] == 1) own[d] = 0;
    return a.at(own);
  });
}

NdArray nd_map(const Operator& op, const std::vector<NdArray>& operands) {
  Sizes shape;
  for (const NdArray& a : operands) {
    if (a.shape.size() > shape.size()) shape.insert(shape.begin(), a.shape.size() - shape.size(), 1);
    const std::size_t skipped = shape.size() - a.shape.size();
    for (std::size_t d = 0; d < a.shape.size(); ++d)
      if (a.shape[d] != 1) shape[skipped + d] = a.shape[d];
  }
  std::vector<NdArray> wide;
  for (const NdArray& a : operands) wide.push_back(nd_broadcast(a, shape));
  NdArray result{shape, {}, {}};
  for (std::size_t k = 0; k < wide[0].values.size(); ++k) {
    std::vector<Value> values;
    for (const NdArray& a : wide) values.push_back(a.values[k]);
    result.values.push_back(computed(op, values));
  }
  std::vector<Value> zeros;
  for (const NdArray& a : operands) zeros.push_back(Value::of_integer(a.type, 0));
  result.type = computed(op, zeros).type;
  return result;
}

NdArray nd_cast(format::ScalarType type, const NdArray& a) { return nd_map(Cast{type}, {a}); }

NdArray nd_reduce(ReduceOp op, const NdArray& a, const std::vector<bool>& axes) {
  Sizes left, over;
  for (std::size_t d = 0; d < axes.size(); ++d) (axes[d] ? over : left).push_back(a.shape[d]);
  const auto type = format::is_arg(op) ? format::ScalarType::i64 : a.type;
  return NdArray::of(left, type, [&](const Index& outer) {
    Value sum = format::is_arg(op) ? Value::of_integer(type, -1) : format::identity(op, a.type);
    std::optional<Value> best;
    tensor::for_each_index(over, [&](const Index& inner) {
      Index index;
      std::size_t o = 0, i = 0;
      for (const bool reduced : axes) index.push_back(reduced ? inner[i++] : outer[o++]);
      const Value& next = a.at(index);
      if (!format::is_arg(op)) {
        sum = format::combine(op, sum, next);
        return;
      }
      const auto pair =
          op == ReduceOp::argmin ? std::vector{next, best.value_or(next)} : std::vector{best.value_or(next), next};
      if (best && !computed(format::BinaryOp::less, pair).is_true()) return;
      best = next;
      sum = Value::of_integer(type, inner[0]);
    });
    return sum;
  });
}

NdArray nd_permute(const NdArray& a, const std::vector<int>& order) {
  Sizes shape;
  for (const int axis : order) shape.push_back(a.shape[static_cast<std::size_t>(axis)]);
  return NdArray::of(shape, a.type, [&](const Index& index) {
    Index own(index.size());
    for (std::size_t d = 0; d < order.size(); ++d) own[static_cast<std::size_t>(order[d])] = index[d];
    return a.at(own);
  });
}

namespace {

/// The element that `from` names along one axis; outside of the array where that is empty.
NdArray moved(const NdArray& a, int axis, std::int64_t size, const Value& outside,
              const std::function<std::int64_t(std::int64_t)>& from) {
  Sizes shape = a.shape;
  shape[static_cast<std::size_t>(axis)] = size;
  return NdArray::of(shape, a.type, [&](Index index) {
    auto& coordinate = index[static_cast<std::size_t>(axis)];
    coordinate = from(coordinate);
    return coordinate < 0 || coordinate >= a.shape[static_cast<std::size_t>(axis)] ? outside : a.at(index);
  });
}

}  // namespace

NdArray nd_slice(const NdArray& a, int axis, std::int64_t first, std::int64_t count, std::int64_t step) {
  return moved(a, axis, count, {}, [&](std::int64_t k) { return first + k * step; });
}

NdArray nd_roll(const NdArray& a, int axis, std::int64_t by) {
  const std::int64_t size = a.shape[static_cast<std::size_t>(axis)];
  return moved(a, axis, size, {}, [&](std::int64_t k) { return ((k - by) % size + size) % size; });
}

NdArray nd_pad(const NdArray& a, int axis, std::int64_t before, std::int64_t after, const Value& outside) {
  const std::int64_t size = a.shape[static_cast<std::size_t>(axis)];
  return moved(a, axis, before + size + after, outside, [&](std::int64_t k) { return k - before; });
}

NdArray nd_concat(const NdArray& a, const NdArray& b, int axis) {
  const auto d = static_cast<std::size_t>(axis);
  Sizes shape = a.shape;
  shape[d] += b.shape[d];
  return NdArray::of(shape, a.type, [&](Index index) {
    if (index[d] < a.shape[d]) return a.at(index);
    index[d] -= a.shape[d];
    return b.at(index);
  });
}

NdArray nd_stack(const NdArray& a, const NdArray& b, int axis) {
  Sizes shape = a.shape;
  shape.insert(shape.begin() + axis, 2);
  return NdArray::of(shape, a.type, [&](Index index) {
    const bool first = index[static_cast<std::size_t>(axis)] == 0;
    index.erase(index.begin() + axis);
    return first ? a.at(index) : b.at(index);
  });
}

NdArray nd_reshape(const NdArray& a, const Sizes& shape) { return {shape, a.type, a.values}; }

NdArray nd_einsum(ReduceOp sum, const Operator& product, const std::string& letters,
                  const std::vector<NdArray>& operands) {
  std::vector<std::string> names(1);
  const std::size_t arrow = letters.find("->");
  for (const char c : letters.substr(0, arrow)) {
    if (c == ',') names.emplace_back();
    else names.back() += c;
  }
  const std::string result = letters.substr(arrow + 2);
  std::map<char, std::int64_t> sizes;
  for (std::size_t k = 0; k < names.size(); ++k)
    for (std::size_t d = 0; d < names[k].size(); ++d) sizes[names[k][d]] = operands[k].shape[d];
  Sizes shape, over;
  std::string bound;
  for (const char c : result) shape.push_back(sizes.at(c));
  for (const auto& [c, size] : sizes)
    if (result.find(c) == std::string::npos) bound += c, over.push_back(size);
  return NdArray::of(shape, operands[0].type, [&](const Index& outer) {
    Value total = format::identity(sum, operands[0].type);
    tensor::for_each_index(over, [&](const Index& inner) {
      const auto coordinate = [&](char c) {
        const std::size_t place = result.find(c);
        return place != std::string::npos ? outer[place] : inner[bound.find(c)];
      };
      std::optional<Value> term;
      for (std::size_t k = 0; k < names.size(); ++k) {
        Index index;
        for (const char c : names[k]) index.push_back(coordinate(c));
        term = term ? computed(product, {*term, operands[k].at(index)}) : operands[k].at(index);
      }
      total = format::combine(sum, total, *term);
    });
    return total;
  });
}

}  // namespace trellis::lazy
