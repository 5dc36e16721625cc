// After a kernel has appended: Tensor::settle.

#include <algorithm>

#include "engine/tensor/convert.hpp"
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

/// Each fiber's coordinates fall.
bool falls(const LevelStorage& level) {
  const Numbers positions = level.position_numbers(), coordinates = level.coordinate_numbers();
  for (std::int64_t p = 0; p < level.parents; ++p)
    for (std::int64_t e = positions[p] + 1; e < positions[p + 1]; ++e)
      if (coordinates[e] >= coordinates[e - 1]) return false;
  return true;
}

/// The format whose levels are as the kernel left them.
format::Format as_appended(const format::Format& format) {
  format::Format plain = format;
  plain.name.clear();
  plain.pattern = false;
  for (format::Level& level : plain.levels) {
    const format::Facts facts = format::facts(level);
    if (facts.table) level.name = "compressed";
    std::erase(level.options, "decreasing");
    std::erase(level.options, "unordered");
  }
  return plain;
}

bool as_stored(const LevelStorage& level) {
  const bool moves = level.facts.coordinates && level.facts.child == Child::product;
  const bool turns = level.facts.decreasing && (level.facts.child != Child::entry || !level.facts.unique || !falls(level));
  return !moves && !turns;
}

}  // namespace

bool Tensor::settle() {
  if (!reserved()) return true;
  Storage& storage = *storage_;
  if (!count_appended(storage)) return false;
  give_back_tails(storage, format::size_of(type_));
  storage.capacity = -1;
  if (std::all_of(storage.levels.begin(), storage.levels.end(), as_stored)) {
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
  const auto settled = convert(of(type_, shape_, unvalued, fill_, std::move(levels)), format_, ExplicitFills::kept);
  if (!settled) return false;
  assign(*settled);
  return true;
}

}  // namespace trellis::tensor
