// Before and after a kernel appends: Tensor::with_room and Tensor::settle.

#include <algorithm>
#include <cstring>

#include "engine/tensor/convert.hpp"
#include "engine/tensor/region_builder.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

using format::Child;

/// Reads positions and entries of every level as if it were compressed. False when they count more than there is room for.
bool count_appended(Storage& storage) {
  std::int64_t parents = 1;
  for (LevelStorage& level : storage.levels) {
    level.parents = parents;
    if (!level.facts.coordinates) {
      parents = times(parents, level.size);
      continue;
    }
    if (level.facts.positions) {
      // Parents that the kernel never came to have no entries.
      Numbers positions = level.position_numbers();
      for (std::int64_t p = 0; p < parents; ++p)
        if (positions[p + 1] < positions[p]) positions.set(p + 1, positions[p]);
      parents = positions[parents];
    }
    level.entries = parents;
    if (parents > storage.capacity) return false;
  }
  storage.places = parents;
  return true;
}

void give_back_tails(Storage& storage, std::size_t value_bytes) {
  for (LevelStorage& level : storage.levels) {
    if (level.positions) level.positions->shrink(static_cast<std::size_t>(level.parents + 1) * level.width());
    if (level.coordinates) level.coordinates->shrink(static_cast<std::size_t>(level.entries) * level.width());
  }
  storage.values->shrink(static_cast<std::size_t>(storage.places) * value_bytes);
}

bool as_stored(const LevelStorage& level) { return !level.facts.coordinates || level.facts.child != Child::product; }

}  // namespace

format::Format as_appended(const format::Format& format) {
  format::Format plain = format;
  plain.name.clear();
  plain.pattern = false;
  for (format::Level& level : plain.levels) {
    const format::Facts facts = format::facts(level);
    if (facts.coordinates &&
        (facts.table || facts.region != format::Region::point || facts.locate == format::Locate::one))
      level.name = "compressed";
    std::erase(level.options, "unordered");
  }
  return plain;
}

std::optional<Tensor> Tensor::with_room(std::size_t limit_bytes, Writer writer) const {
  auto result = reserve(type_, shape_, format_, fill_, limit_bytes, writer);
  if (!result || !result->reserved() || entries() == 0) return result;
  const auto held = convert(*this, as_appended(format_), ExplicitFills::all);
  if (!held || held->entries() > result->capacity()) return std::nullopt;
  const auto copy = [&](int level, format::Array which) {
    if (void* const to = result->array(level, which)) std::memcpy(to, held->array(level, which), held->array_bytes(level, which));
  };
  for (int level = 0; level < rank(); ++level) copy(level, format::Array::positions), copy(level, format::Array::coordinates);
  copy(-1, format::Array::values);
  return result;
}

bool Tensor::settle() {
  if (!reserved()) return true;
  Storage& storage = *storage_;
  if (!count_appended(storage)) return false;
  give_back_tails(storage, format::size_of(type_));
  storage.capacity = -1;
  if (!RegionBuilder::builds(format_) && std::all_of(storage.levels.begin(), storage.levels.end(), as_stored)) {
    if (format_.pattern) storage.values = nullptr;
    return storage.count() && build_tables(storage);
  }
  const format::Format plain = as_appended(format_);
  auto levels = std::make_shared<Storage>(outline(shape_, plain));
  for (std::size_t l = 0; l < levels->levels.size(); ++l) {
    levels->levels[l].entries = storage.levels[l].entries;
    levels->levels[l].positions = storage.levels[l].positions;
    levels->levels[l].coordinates = storage.levels[l].coordinates;
  }
  levels->values = format_.pattern ? nullptr : storage.values;
  if (!levels->count()) return false;
  format::Format unvalued = plain;
  unvalued.pattern = format_.pattern;
  const auto settled = convert(of(type_, shape_, unvalued, fill_, std::move(levels)), format_, ExplicitFills::all);
  if (!settled) return false;
  assign(*settled);
  return true;
}

}  // namespace trellis::tensor
