#include "engine/tensor/level_builder.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "engine/tensor/spill.hpp"

namespace trellis::tensor {

using format::Child;

namespace {

/// A nonunique level has an entry for each one of the singletons below it.
std::size_t reach_of(const Storage& storage, std::size_t level) {
  std::size_t last = level;
  if (!storage.levels[level].facts.unique && storage.levels[level].facts.child == Child::entry)
    while (last + 1 < storage.levels.size() && storage.levels[last + 1].facts.covaries()) ++last;
  return last;
}

}  // namespace

bool LevelBuilder::begin(format::ScalarType type, const Index& shape, const format::Format& format,
                         const format::Value& fill, std::int64_t most_entries, std::size_t limit_bytes) {
  type_ = type;
  shape_ = shape;
  format_ = format;
  fill_ = fill;
  storage_ = std::make_shared<Storage>(outline(shape, format));
  const std::size_t depth = storage_->levels.size();
  const auto most_wide = static_cast<std::int64_t>(sizeof(std::int64_t));
  in_file_ = is_spilled(static_cast<std::size_t>(times(most_entries, most_wide * (std::ssize(storage_->levels) + 1))));
  const auto set_aside = [&](std::shared_ptr<SharedArray>& array, std::int64_t count, std::size_t width) {
    const std::int64_t bytes = times(count, static_cast<std::int64_t>(width));
    return bytes < INT64_MAX / 2 && (array = reserve(static_cast<std::size_t>(bytes))) != nullptr;
  };
  std::int64_t parents = 1;  // at most
  for (std::size_t l = 0; l < depth; ++l) {
    LevelStorage& level = storage_->levels[l];
    const std::size_t reach = reach_of(*storage_, l);
    std::int64_t entries = parents;
    for (std::size_t k = l; k <= reach; ++k) entries = times(entries, storage_->levels[k].size);
    if (level.facts.child != Child::parent) entries = std::min(entries, most_entries);
    else entries = parents;
    if (level.facts.coordinates && !level.facts.wide && entries > std::numeric_limits<std::int32_t>::max())
      trouble_ = Trouble::too_large;
    if (level.facts.positions && !set_aside(level.positions, parents + 1, level.width())) return false;
    if (level.facts.coordinates && !set_aside(level.coordinates, entries, level.width())) return false;
    parents = level.facts.child == Child::product ? times(parents, level.size) : entries;
    levels_.push_back({level.position_numbers(), level.coordinate_numbers(), reach, 0});
    pads_ = level.facts.child == Child::product;
  }
  // Padding that goes beyond the limit is refused when it comes to that.
  const std::size_t width = format.pattern ? 1 : format::size_of(type);
  most_places_ = std::min(parents, static_cast<std::int64_t>(std::min<std::size_t>(limit_bytes, INT64_MAX) / width));
  if (!format.pattern && !set_aside(storage_->values, most_places_, width)) return false;
  first_.resize(depth + 1, depth);
  for (std::size_t d = 0; d < depth; ++d)
    for (std::size_t l = depth; l-- > 0;)
      if (l <= d && levels_[l].reach >= d) first_[d] = l;
  last_.assign(depth, -1);
  at_.assign(depth, 0);
  return trouble_ == Trouble::none;
}

/// All arrays of a tensor that is too large for memory lie in files, small ones apart.
std::shared_ptr<SharedArray> LevelBuilder::reserve(std::size_t bytes) const {
  constexpr std::size_t small = std::size_t{1} << 16;
  return in_file_ && bytes > small ? SharedArray::reserve_in_file(bytes)
                                   : SharedArray::reserve(bytes, Writer::this_process);
}

/// Makes the position of `coordinate` at a level, new below its parent.
void LevelBuilder::open(std::size_t l, std::int64_t coordinate) {
  LevelStorage& level = storage_->levels[l];
  Level& arrays = levels_[l];
  const std::int64_t parent = l == 0 ? 0 : at_[l - 1];
  if (in_file_ && !has_room(level, parent)) {
    trouble_ = Trouble::no_memory;
    return;
  }
  if (level.facts.coordinates) {
    if (level.facts.child != Child::parent)
      for (; arrays.opened < parent; ++arrays.opened) arrays.positions.set(arrays.opened + 1, level.entries);
    arrays.coordinates.set(level.entries, coordinate);
    ++level.entries;
  }
  switch (level.facts.child) {
    case Child::entry: at_[l] = level.entries - 1; break;
    case Child::product: at_[l] = parent * level.size + coordinate; break;
    case Child::parent: at_[l] = parent; break;
    case Child::offset: break;  // RegionBuilder builds these
  }
}

/// For another entry below the parent.
bool LevelBuilder::has_room(const LevelStorage& level, std::int64_t parent) {
  const auto bytes = [&](std::int64_t count) { return static_cast<std::size_t>(count) * level.width(); };
  return (!level.positions || level.positions->commit(bytes(parent + 2))) &&
         (!level.coordinates || level.coordinates->commit(bytes(level.entries + 1)));
}

bool LevelBuilder::pad(std::int64_t places) {
  if (storage_->values && !storage_->values->commit(static_cast<std::size_t>(places) * format::size_of(type_)))
    return false;
  if (!pads_) return true;
  if (places > filled_ && storage_->values && !is_zero_bits(fill_))
    with_elements(type_, values(),
                  [&]<class T>(T* elements) { std::fill(elements + filled_, elements + places, stored_as<T>(fill_)); });
  filled_ = std::max(filled_, places);
  return true;
}

std::size_t LevelBuilder::add(const std::vector<std::vector<std::int64_t>>& coordinates, std::size_t count,
                              std::span<std::int64_t> places) {
  const std::size_t depth = levels_.size();
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t d = 0;
    while (d < depth && coordinates[d][k] == last_[d]) ++d;
    for (std::size_t l = first_[d]; l < depth; ++l) {
      // Its parent stays, which has no room for another.
      if (l == d && storage_->levels[l].facts.child == Child::parent && first_[d] == l) {
        trouble_ = Trouble::singleton_taken;
        troubled_level_ = l;
        return k;
      }
      open(l, last_[l] = coordinates[l][k]);
    }
    if (trouble_ != Trouble::none) return k;
    places[k] = depth == 0 ? 0 : at_[depth - 1];
    const std::int64_t fiber = pads_ ? std::max<std::int64_t>(1, storage_->levels.back().size) : 1;
    if (places[k] / fiber >= most_places_ / fiber) {
      trouble_ = Trouble::too_large;
      return k;
    }
    if ((pads_ || in_file_) && !pad((places[k] / fiber + 1) * fiber)) {
      trouble_ = Trouble::no_memory;
      return k;
    }
  }
  return count;
}

std::optional<Tensor> LevelBuilder::finish() {
  if (!storage_->count()) return std::nullopt;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    LevelStorage& level = storage_->levels[l];
    if (level.facts.positions) {
      if (!level.positions->commit(static_cast<std::size_t>(level.parents + 1) * level.width())) return std::nullopt;
      for (; levels_[l].opened < level.parents; ++levels_[l].opened)
        levels_[l].positions.set(levels_[l].opened + 1, level.entries);
      level.positions->shrink(static_cast<std::size_t>(level.parents + 1) * level.width());
    }
    if (!level.facts.coordinates) continue;
    level.coordinates->shrink(static_cast<std::size_t>(level.entries) * level.width());
    if (level.facts.child != Child::product || !level.facts.decreasing) continue;
    for (std::int64_t parent = 0; parent < level.parents; ++parent)
      for (std::int64_t a = levels_[l].positions[parent], b = levels_[l].positions[parent + 1] - 1; a < b; ++a, --b) {
        const std::int64_t c = levels_[l].coordinates[a];
        levels_[l].coordinates.set(a, levels_[l].coordinates[b]);
        levels_[l].coordinates.set(b, c);
      }
  }
  if (storage_->values) {
    if (storage_->places > most_places_) return std::nullopt;
    if (pads_ && !pad(storage_->places)) return std::nullopt;
    storage_->values->shrink(static_cast<std::size_t>(storage_->places) * format::size_of(type_));
  }
  if (!build_tables(*storage_)) return std::nullopt;
  return Tensor::of(type_, std::move(shape_), std::move(format_), fill_, std::move(storage_));
}

}  // namespace trellis::tensor
