#include "engine/tensor/borrow.hpp"

#include <cassert>

#include "engine/format/storage_order.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

std::optional<Tensor> borrow(format::ScalarType type, const Index& shape, const format::Format& format,
                             const format::Value& fill, const BorrowedArrays& arrays) {
  assert(arrays.levels.size() == static_cast<std::size_t>(format.rank()));
  const Index sizes = format.layout ? format::level_sizes(format, shape) : shape;
  auto storage = std::make_shared<Storage>(outline(sizes, format.layout ? format.stored() : format));
  for (std::size_t l = 0; l < storage->levels.size(); ++l) storage->levels[l].entries = arrays.levels[l].entries;
  if (!storage->count_places()) return std::nullopt;

  const auto lend = [&](const void* data, std::int64_t count, std::size_t width) {
    return data ? SharedArray::borrow(data, static_cast<std::size_t>(count) * width, arrays.owner) : nullptr;
  };
  for (std::size_t l = 0; l < storage->levels.size(); ++l) {
    LevelStorage& level = storage->levels[l];
    const BorrowedLevel& theirs = arrays.levels[l];
    const std::int64_t regions = level.facts.bounded ? level.parents : level.entries;
    level.positions = lend(theirs.positions, level.parents + 1, level.width());
    level.coordinates = lend(theirs.coordinates, level.entries, level.width());
    level.starts = lend(theirs.starts, regions, level.width());
    level.offsets = lend(theirs.offsets, regions + 1, level.width());
    assert(!level.facts.table);
  }
  if (!format.pattern) {
    const std::int64_t places = storage->places;
    const auto bytes = times(places, static_cast<std::int64_t>(format::size_of(type)));
    storage->values = SharedArray::borrow(arrays.values, static_cast<std::size_t>(bytes), arrays.owner, arrays.place);
  }
  if (!storage->count()) return std::nullopt;
  return Tensor::of(type, shape, format, fill, std::move(storage));
}

}  // namespace trellis::tensor
