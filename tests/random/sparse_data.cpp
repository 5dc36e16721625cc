#include "tests/random/sparse_data.hpp"

#include <algorithm>

#include "engine/tensor/convert.hpp"
#include "engine/tensor/pack.hpp"

namespace trellis::randomised {
namespace {

using format::Array;
using format::Value;

std::int64_t number_at(const void* array, bool wide, std::int64_t k) {
  return wide ? static_cast<const std::int64_t*>(array)[k] : static_cast<const std::int32_t*>(array)[k];
}
void put_number(void* array, bool wide, std::int64_t k, std::int64_t value) {
  if (wide) static_cast<std::int64_t*>(array)[k] = value;
  else static_cast<std::int32_t*>(array)[k] = static_cast<std::int32_t>(value);
}

Value random_value(const lang::TensorInfo& info, const tensor::Index& shape, Dice& dice) {
  int number = info.name == "p" ? dice.below(static_cast<int>(std::max<std::int64_t>(shape[0], 1))) : dice.below(4) - (format::is_signed(info.type) ? 1 : 0);
  if (format::is_boolean(info.type)) number = dice.chance(80);
  return Value::of_integer(info.type, number);
}

/// Neighbours of the innermost level change places, or become one.
void disarrange(tensor::Tensor& tensor, Dice& dice) {
  const int last = tensor.rank() - 1;
  const format::Facts facts = format::facts(tensor.format().levels.back());
  if ((facts.ordered && facts.unique) || !facts.positions || facts.table) return;
  void* const coordinates = tensor.array(last, Array::coordinates);
  const void* const positions = tensor.array(last, Array::positions);
  const auto parents = static_cast<std::int64_t>(tensor.array_bytes(last, Array::positions)) / (facts.wide ? 8 : 4) - 1;
  for (std::int64_t parent = 0; parent < parents; ++parent) {
    const std::int64_t end = number_at(positions, facts.wide, parent + 1);
    for (std::int64_t k = number_at(positions, facts.wide, parent); k + 1 < end; ++k) {
      const std::int64_t here = number_at(coordinates, facts.wide, k), next = number_at(coordinates, facts.wide, k + 1);
      if (!facts.unique && dice.chance(40)) put_number(coordinates, facts.wide, k + 1, here);
      else if (!facts.ordered && dice.chance(50)) {
        put_number(coordinates, facts.wide, k, next), put_number(coordinates, facts.wide, k + 1, here);
        if (tensor.format().pattern) continue;
        const Value value = tensor.get_flat(k);
        tensor.set_flat(k, tensor.get_flat(k + 1)), tensor.set_flat(k + 1, value);
      }
    }
  }
}

}  // namespace

tensor::Tensor random_sparse(const lang::TensorInfo& info, const tensor::Index& shape, const lang::Kernel& kernel, Dice& dice) {
  const std::vector<std::string> results = kernel.results();
  const bool computed = std::find(results.begin(), results.end(), info.name) != results.end() && !kernel.inherited.contains(info.name);
  std::vector<std::vector<std::int64_t>> columns(shape.size());
  std::vector<std::int64_t> integers;
  const int density = computed ? 0 : dice.pick(std::vector<int>{0, 15, 35, 35, 60, 95});
  std::vector<bool> kept_rows;
  const bool by_rows = dice.chance(30);
  tensor::for_each_index(shape, [&](const tensor::Index& index) {
    const auto row = static_cast<std::size_t>(index[0]);
    while (kept_rows.size() <= row) kept_rows.push_back(!by_rows || dice.chance(50));
    if (!dice.chance(density) || !kept_rows[row]) return;
    for (std::size_t d = 0; d < shape.size(); ++d) columns[d].push_back(index[d]);
    integers.push_back(random_value(info, shape, dice).as_integer());
  });
  tensor::Entries entries;
  entries.count = integers.size();
  for (const auto& column : columns) entries.indices.emplace_back(std::span<const std::int64_t>(column));
  entries.values = integers.data();
  entries.type = format::ScalarType::i64;
  tensor::PackFailure failure;
  auto tensor = tensor::pack(info.type, shape, info.format, info.fill, entries, failure).value();
  disarrange(tensor, dice);
  return tensor;
}

lang::Program without_formats(lang::Program program) {
  for (lang::TensorInfo& tensor : program.tensors) tensor.format = format::Format::dense(tensor.format.rank());
  return program;
}

check::State without_formats(const check::State& state) {
  check::State plain{state.parameters, {}};
  for (const auto& [name, tensor] : state.tensors) {
    auto dense = tensor::Tensor::create(tensor.type(), tensor.shape(), format::Format::dense(tensor.rank()), tensor.fill()).value();
    tensor::for_each_index(tensor.shape(), [&](const tensor::Index& index) { dense.set(index, tensor.get(index)); });
    plain.tensors[name] = dense;
  }
  return plain;
}

std::string disorder(const tensor::Tensor& tensor) {
  std::int64_t parents = 1;
  for (int level = 0; level < tensor.rank(); ++level) {
    const auto l = static_cast<std::size_t>(level);
    const format::Facts facts = format::facts(tensor.format().levels[l]);
    const std::int64_t size = tensor.shape()[static_cast<std::size_t>(tensor.format().order[l])];
    const std::string where = "level " + std::to_string(level) + " of " + format::to_string(tensor.format());
    const void* const positions = tensor.array(level, Array::positions);
    const void* const coordinates = tensor.array(level, Array::coordinates);
    if (facts.positions && number_at(positions, facts.wide, 0) != 0) return where + " does not begin at 0";
    std::int64_t entries = facts.positions ? 0 : facts.coordinates ? parents : parents * size;
    for (std::int64_t parent = 0; facts.positions && parent < parents; ++parent) {
      const std::int64_t begin = number_at(positions, facts.wide, parent);
      entries = number_at(positions, facts.wide, parent + 1);
      if (entries < begin) return where + ": positions fall";
      for (std::int64_t k = begin; facts.coordinates && k < entries; ++k) {
        const std::int64_t here = number_at(coordinates, facts.wide, k), before = k > begin ? number_at(coordinates, facts.wide, k - 1) : 0;
        if (here < 0 || here >= size) return where + ": coordinate " + std::to_string(here) + " is out of range";
        if (k > begin && facts.ordered && (facts.decreasing ? here > before : here < before)) return where + ": coordinates out of order";
        if (k > begin && facts.unique && here == before) return where + ": a coordinate twice";
      }
    }
    parents = facts.child == format::Child::product ? parents * size : facts.child == format::Child::parent ? parents : entries;
  }
  return "";
}

}  // namespace trellis::randomised
