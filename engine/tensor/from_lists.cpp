#include "engine/tensor/from_lists.hpp"

#include <cstring>

#include "engine/format/misfit.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {
namespace {

format::Format lists_format(bool by_columns, const Index& shape) {
  format::Format format = *format::Format::named(by_columns ? "csc" : "csr", 2);
  format.name.clear();
  format.pattern = true;
  return format::widened(format, {shape[0], shape[1]});
}

template <class Items>
bool fill(std::shared_ptr<SharedArray>& array, bool wide, const Items& items) {
  array = SharedArray::allocate(items.size() * (wide ? 8 : 4), Writer::this_process);
  if (!array) return false;
  using Item = typename Items::value_type;
  if (sizeof(Item) == (wide ? 8 : 4)) {
    if (!items.empty()) std::memcpy(array->data(), items.data(), items.size() * sizeof(Item));
    return true;
  }
  Numbers numbers{array->data(), wide};
  for (std::size_t k = 0; k < items.size(); ++k) numbers.set(static_cast<std::int64_t>(k), items[k]);
  return true;
}

}  // namespace

std::optional<Tensor> pattern_from(const Lists& lists, bool by_columns, const Index& shape,
                                   const format::Format& format) {
  format::Format plain = lists_format(by_columns, shape);
  if (lists.begin.back() > format::largest_narrow) plain.levels.back().options = {"wide"};
  auto storage = std::make_shared<Storage>(outline(shape, plain));
  LevelStorage& level = storage->levels.back();
  level.parents = lists.count();
  level.entries = lists.begin.back();
  if (!fill(level.positions, level.facts.wide, lists.begin) || !fill(level.coordinates, level.facts.wide, lists.items))
    return std::nullopt;
  if (!storage->count()) return std::nullopt;
  const bool same = plain.levels == format.levels && plain.order == format.order;
  const Tensor made = Tensor::of(format::ScalarType::boolean, shape, same ? format : plain, format::Value::truth(false),
                                 std::move(storage));
  return same ? std::optional(made) : convert(made, format, ExplicitFills::kept);
}

std::optional<Tensor> pattern_from(const std::vector<std::int32_t>& coordinates, std::int64_t size,
                                   const format::Format& format) {
  auto storage = std::make_shared<Storage>(outline({size}, format));
  LevelStorage& level = storage->levels.back();
  level.parents = 1;
  level.entries = std::ssize(coordinates);
  const std::vector<std::int64_t> positions{0, level.entries};
  if (!fill(level.positions, level.facts.wide, positions) || !fill(level.coordinates, level.facts.wide, coordinates) ||
      !storage->count())
    return std::nullopt;
  return Tensor::of(format::ScalarType::boolean, {size}, format, format::Value::truth(false), std::move(storage));
}

std::optional<Lists> lists_of(const Tensor& pattern) {
  const format::Format& format = pattern.format();
  if (format.layout || format.levels.size() != 2 || format.levels[0].name != "dense" ||
      format.levels[1].name != "compressed")
    return std::nullopt;
  const LevelStorage& level = pattern.storage().levels.back();
  const Numbers positions = level.position_numbers(), coordinates = level.coordinate_numbers();
  Lists lists{std::vector<std::int64_t>(static_cast<std::size_t>(level.parents) + 1), {}};
  for (std::size_t k = 0; k < lists.begin.size(); ++k) lists.begin[k] = positions[static_cast<std::int64_t>(k)];
  lists.items.resize(static_cast<std::size_t>(level.entries));
  for (std::size_t k = 0; k < lists.items.size(); ++k)
    lists.items[k] = static_cast<std::int32_t>(coordinates[static_cast<std::int64_t>(k)]);
  return lists;
}

}  // namespace trellis::tensor
