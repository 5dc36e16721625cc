// Tensors in which nothing is stored yet: to be filled, or with room for a kernel that appends.

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>

#include "engine/format/storage_order.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/region_builder.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

constexpr std::int64_t most_narrow = std::numeric_limits<std::int32_t>::max();

/// Calls `use(array, bytes)` for each array that the storage needs for its counts. False on overflow.
template <class Use>
bool for_each_array(Storage& storage, std::size_t value_bytes, const Use& use) {
  const auto take = [&](std::shared_ptr<SharedArray>& array, std::int64_t count, std::size_t width) {
    const std::int64_t bytes = times(count, static_cast<std::int64_t>(width));
    return bytes != INT64_MAX && use(array, static_cast<std::size_t>(bytes));
  };
  for (LevelStorage& level : storage.levels) {
    if (level.facts.positions && !take(level.positions, level.parents + 1, level.width())) return false;
    if (level.facts.coordinates && !take(level.coordinates, level.entries, level.width())) return false;
    const std::int64_t regions = level.facts.bounded ? level.parents : level.entries;
    if (level.facts.starts && !take(level.starts, regions, level.width())) return false;
    if (level.facts.offsets && !take(level.offsets, regions + 1, level.width())) return false;
    if (level.facts.table && level.facts.locate == format::Locate::direct && !take(level.table, level.children(), 1))
      return false;
    if (level.facts.table && level.facts.locate == format::Locate::hash &&
        !take(level.table, slots_for(level.entries) + 1, level.width()))
      return false;
  }
  return value_bytes == 0 || take(storage.values, storage.places, value_bytes);
}

/// Of a level in which nothing is listed; arrays are zeros so far.
void write_empty_fibers(LevelStorage& level) {
  Numbers positions = level.position_numbers(), coordinates = level.coordinate_numbers();
  if (level.facts.locate == format::Locate::hash) level.slots().set(0, slots_for(0) - 1);
  for (std::int64_t entry = 0; entry < level.entries; ++entry) {
    if (level.facts.full()) positions.set(entry + 1, entry + 1);
    coordinates.set(entry, level.facts.slots > 0 ? level.size : level.facts.full() ? level.size - 1 : -1);
  }
}

/// Of a level in bounds below dense ones.
void write_bounds(const std::vector<LevelStorage>& levels, std::span<const format::Level> formats, std::size_t l) {
  Numbers offsets = levels[l].offset_numbers(), starts = levels[l].start_numbers();
  if (levels[l].parents == 0) return;
  for_each_bounded(levels, formats, l, [&](std::int64_t parent, format::Bounds::Range range) {
    offsets.set(parent + 1, offsets[parent] + range.end - range.low);
    if (levels[l].facts.starts) starts.set(parent, range.low);
  });
}

void write_fills(const Storage& storage, format::ScalarType type, const format::Value& fill) {
  if (!storage.values || is_zero_bits(fill)) return;
  with_elements(type, storage.values->data(),
                [&]<class T>(T* elements) { std::fill_n(elements, storage.places, stored_as<T>(fill)); });
}

/// For as many places as it counts. False when memory is refused.
bool allocate_values(Storage& storage, format::ScalarType type, const format::Value& fill, Writer writer) {
  const std::int64_t bytes = times(storage.places, static_cast<std::int64_t>(format::size_of(type)));
  if (bytes == INT64_MAX) return false;
  storage.values = SharedArray::allocate(static_cast<std::size_t>(bytes), writer);
  if (storage.values) write_fills(storage, type, fill);
  return storage.values != nullptr;
}

}  // namespace

std::optional<std::size_t> Tensor::bytes_needed(format::ScalarType type, const Index& shape,
                                                const format::Format& format) {
  if (format.all_dense()) return bytes_needed(type, shape);
  if (format.layout) return bytes_needed(type, format::level_sizes(format, shape), format.stored());
  Storage storage = outline(shape, format);
  std::size_t sum = 0;
  const auto add = [&](const auto&, std::size_t bytes) { return !__builtin_add_overflow(sum, bytes, &sum); };
  const bool fits = std::none_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 0; }) &&
                    storage.count_places() && for_each_array(storage, format.pattern ? 0 : format::size_of(type), add);
  return fits ? std::optional(sum) : std::nullopt;
}

std::optional<Tensor> Tensor::create(format::ScalarType type, Index shape, format::Format format, format::Value fill) {
  if (format.layout) {
    const auto stored = create(type, format::level_sizes(format, shape), format.stored(), fill);
    return stored ? std::optional(stored->as(std::move(shape), std::move(format))) : std::nullopt;
  }
  assert(format.order.size() == shape.size() && fill.type == type && format::objection(format).empty());
  if (!bytes_needed(type, shape, format)) return std::nullopt;
  auto storage = std::make_shared<Storage>(outline(shape, format));
  const auto allocate = [](std::shared_ptr<SharedArray>& array, std::size_t bytes) {
    return (array = SharedArray::allocate(bytes, Writer::this_process)) != nullptr;
  };
  if (level_too_narrow(shape, format) || !storage->count_places()) return std::nullopt;
  if (!for_each_array(*storage, format.pattern ? 0 : format::size_of(type), allocate)) return std::nullopt;
  for (std::size_t l = 0; l < storage->levels.size(); ++l) {
    write_empty_fibers(storage->levels[l]);
    if (storage->levels[l].facts.bounded) write_bounds(storage->levels, format.levels, l);
  }
  if (!storage->count()) return std::nullopt;
  write_fills(*storage, type, fill);
  return of(type, std::move(shape), std::move(format), fill, std::move(storage));
}

std::optional<Tensor> Tensor::with_own_values(format::ScalarType type, const format::Format& format,
                                              const format::Value& fill, Writer writer) const {
  assert(format.levels == format_.levels && format.order == format_.order && !format.pattern && !reserved());
  auto storage = std::make_shared<Storage>(*storage_);
  if (!allocate_values(*storage, type, fill, writer)) return std::nullopt;
  return of(type, shape_, format, fill, std::move(storage));
}

std::optional<Tensor> Tensor::with_structure_of(const Tensor& other, Writer writer) const {
  if (format_.layout) {
    const auto made = stored().with_structure_of(other.stored(), writer);
    return made ? std::optional(made->as(shape_, format_)) : std::nullopt;
  }
  const std::vector<LevelStorage>& lent = other.storage_->levels;
  auto storage = std::make_shared<Storage>(outline(shape_, format_));
  // A last level may be called nonunique or not: what is stored of it is the same.
  const std::vector<format::Facts> facts = format::facts(format_), others = format::facts(other.format_);
  for (std::size_t l = 0; l < facts.size() && l < others.size() && facts[l] == others[l]; ++l)
    storage->levels[l] = lent[l];
  if (!storage->count() || !allocate_values(*storage, type_, fill_, writer)) return std::nullopt;
  return of(type_, shape_, format_, fill_, std::move(storage));
}

std::optional<Tensor> Tensor::reserve(format::ScalarType type, Index shape, format::Format format, format::Value fill,
                                      std::size_t limit_bytes, Writer writer, std::int64_t most_entries) {
  if (format.layout) {
    const auto room =
        reserve(type, format::level_sizes(format, shape), format.stored(), fill, limit_bytes, writer, most_entries);
    return room ? std::optional(room->as(std::move(shape), std::move(format))) : std::nullopt;
  }
  if (format.all_known()) return create(type, std::move(shape), std::move(format), fill);
  auto storage =
      std::make_shared<Storage>(outline(shape, RegionBuilder::builds(format) ? as_appended(format) : format));
  if (level_too_narrow(shape, format)) return std::nullopt;

  // `room` positions of the level above, or where entries are appended, so many for each of them.
  const auto limit = static_cast<std::int64_t>(std::min<std::size_t>(limit_bytes, INT64_MAX));
  std::int64_t capacity = 1, room = 1;
  bool appended = false;
  for (const std::int64_t size : shape) capacity = size == 0 ? 0 : times(capacity, size);
  const auto within = [&](std::int64_t each, std::size_t width) {
    if (appended)
      capacity = std::min(capacity, limit / std::max<std::int64_t>(1, times(each, static_cast<std::int64_t>(width))));
    return appended || times(each + 1, static_cast<std::int64_t>(width)) <= limit;
  };
  for (const LevelStorage& level : storage->levels) {
    if (level.facts.positions && !within(room, level.width())) return std::nullopt;
    if (!level.facts.coordinates) {
      room = times(room, level.size);
      continue;
    }
    if (!level.facts.wide) capacity = std::min(capacity, most_narrow);
    appended = true;
    room = 1;
    within(1, level.width());
  }
  if (room == INT64_MAX || !within(room, format::size_of(type))) return std::nullopt;
  capacity = std::min(capacity, most_entries);

  using Content = SharedArray::Content;
  const auto room_for = [&](std::int64_t count, std::size_t width, Content content) {
    const std::size_t bytes = static_cast<std::size_t>(count) * width;
    return writer == Writer::this_process ? SharedArray::scratch(bytes, content)
                                          : SharedArray::reserve(bytes, writer, content);
  };
  const auto reserved = [&](std::int64_t count, std::size_t width) { return room_for(count, width, Content::zeros); };
  // What is written entry by entry need not be zero before.
  const auto appendable = [&](std::int64_t count, std::size_t width) {
    return room_for(count, width, Content::anything);
  };
  std::int64_t parents = 1;
  bool refused = false;
  for (LevelStorage& level : storage->levels) {
    if (level.facts.positions) refused = refused || !(level.positions = reserved(parents + 1, level.width()));
    if (level.facts.coordinates) refused = refused || !(level.coordinates = appendable(capacity, level.width()));
    if (level.facts.starts) refused = refused || !(level.starts = appendable(capacity, level.width()));
    parents = level.facts.coordinates ? capacity : times(parents, level.size);
  }
  const bool by_entry = !storage->levels.empty() && storage->levels.back().facts.coordinates;
  storage->values = by_entry ? appendable(parents, format::size_of(type)) : reserved(parents, format::size_of(type));
  if (refused || !storage->values) return std::nullopt;
  storage->capacity = capacity;
  return of(type, std::move(shape), std::move(format), fill, std::move(storage));
}

}  // namespace trellis::tensor
