#include "engine/tensor/storage.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/format/storage_order.hpp"
#include "engine/tensor/column.hpp"

namespace trellis::tensor {

using format::Child;
using format::Locate;

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

std::int64_t LevelStorage::children() const {
  if (facts.child == Child::entry) return entries;
  if (facts.child == Child::parent) return parents;
  if (facts.bounded) return within;
  if (facts.width > 0) return times(entries, facts.width);
  if (facts.child == Child::offset) return offsets ? Numbers{offsets->data(), facts.wide}[entries] : 0;
  const std::int64_t product = times(parents, size);
  return product == std::numeric_limits<std::int64_t>::max() ? -1 : product;
}

LevelStorage::Entries LevelStorage::fiber(std::int64_t parent) const {
  if (facts.positions) return {position_numbers()[parent], position_numbers()[parent + 1]};
  if (facts.slots > 0) {
    Entries taken{parent * facts.slots, parent * facts.slots};
    while (taken.end < (parent + 1) * facts.slots && coordinate_numbers()[taken.end] < size) ++taken.end;
    return taken;
  }
  return facts.coordinates ? Entries{parent, parent + 1} : Entries{};
}

LevelStorage::Entries LevelStorage::coordinates_below(std::int64_t parent) const {
  if (!facts.bounded) return {0, size};
  const std::int64_t first = facts.starts ? start_numbers()[parent] : 0;
  return {first, first + offset_numbers()[parent + 1] - offset_numbers()[parent]};
}

LevelStorage::Region LevelStorage::region(std::int64_t entry, std::int64_t begin) const {
  const Numbers ends = coordinate_numbers();
  const std::int64_t last = ends[entry];
  switch (facts.region) {
    case format::Region::point: return {last < 0 ? 0 : last, last, entry};
    case format::Region::run:
      return {facts.starts ? start_numbers()[entry] : entry > begin ? ends[entry - 1] + 1 : 0, last, entry};
    case format::Region::block: break;
  }
  if (facts.width > 0) return {last + 1 - facts.width, last, entry * facts.width};
  const std::int64_t child = offset_numbers()[entry];
  return {last + 1 - (offset_numbers()[entry + 1] - child), last, child};
}

bool Storage::count_places() {
  std::int64_t parents = 1;
  for (LevelStorage& level : levels) {
    level.parents = parents;
    if (level.facts.per_parent()) level.entries = parents;
    if (level.facts.slots > 0 && (level.entries = times(parents, level.facts.slots)) == INT64_MAX) return false;
    parents = level.children();
    if (parents < 0) return false;
  }
  places = parents;
  return true;
}

namespace {

/// A region may cover several coordinates, or an entry none.
bool regions_cover_many(const LevelStorage& level) {
  return level.facts.overhangs() || (level.facts.coordinates && (level.facts.region != format::Region::point ||
                                                                 level.facts.locate == Locate::one));
}

/// How many elements lie below each position of the level above `l`, given how many lie below each child of it.
Column<std::int64_t> stored_below(const LevelStorage& level, const Column<std::int64_t>& children) {
  Column<std::int64_t> stored(static_cast<std::size_t>(level.parents), 0);
  const auto at = [&](std::int64_t child) { return children[static_cast<std::size_t>(child)]; };
  for (std::int64_t p = 0; p < level.parents; ++p) {
    std::int64_t& sum = stored[static_cast<std::size_t>(p)];
    if (!level.facts.coordinates) {
      const auto [first, end] = level.coordinates_below(p);
      for (std::int64_t c = first; c < end; ++c) sum += at(level.product(p, c));
    }
    const auto [begin, end] = level.fiber(p);
    for (std::int64_t entry = begin; entry < end; ++entry) {
      if (level.facts.child == Child::product) {
        sum += at(level.product(p, level.coordinate_numbers()[entry]));
        continue;
      }
      const LevelStorage::Region region = level.region(entry, begin);
      if (level.facts.region == format::Region::run) sum += times(region.last - region.first + 1, at(region.child));
      else
        for (std::int64_t c = region.first; c <= std::min(region.last, level.size - 1); ++c)
          sum += at(level.child(region, c));
    }
  }
  return stored;
}

}  // namespace

bool Storage::count() {
  if (!count_places()) return false;
  if (std::ranges::any_of(levels, regions_cover_many)) {
    Column<std::int64_t> below(static_cast<std::size_t>(places), 1);
    for (std::size_t l = levels.size(); l-- > 0;) below = stored_below(levels[l], below);
    stored = below.front();
    return true;
  }
  stored = 1;
  for (const LevelStorage& level : levels)
    stored = level.facts.coordinates ? level.entries : level.facts.bounded ? level.within : times(stored, level.size);
  return true;
}

void for_each_bounded(const std::vector<LevelStorage>& levels, std::span<const format::Level> formats, std::size_t l,
                      const std::function<void(std::int64_t, format::Bounds::Range)>& visit) {
  std::int64_t parent = 0;
  Index at(l);
  const std::function<void(std::size_t)> from = [&](std::size_t level) {
    const std::int64_t size = levels[level].size;
    const auto& bounds = formats[level].bounds;
    const format::Bounds::Range range =
        bounds ? bounds->below(at[static_cast<std::size_t>(bounds->outer)], size) : format::Bounds::Range{0, size};
    if (level == l) return visit(parent++, range);
    for (at[level] = range.low; at[level] < range.end; ++at[level]) from(level + 1);
  };
  from(0);
}

Storage outline(const Index& shape, const format::Format& format) {
  Storage storage;
  std::int64_t parents = 1;
  bool known = true;  // nothing is listed
  const Index sizes = format::level_sizes(format, shape);
  for (const format::Facts& facts : format::facts(format)) {
    LevelStorage level{.facts = facts, .size = sizes[storage.levels.size()], .parents = parents};
    if (facts.full() && facts.coordinates && level.size > 0) level.entries = parents;
    if (facts.slots > 0) level.entries = times(parents, facts.slots);
    known = known && facts.dense();
    const std::size_t l = storage.levels.size();
    storage.levels.push_back(level);
    if (facts.bounded && known)
      for_each_bounded(storage.levels, format.levels, l,
                       [&](std::int64_t, format::Bounds::Range range) { level.within += range.end - range.low; });
    parents = std::max<std::int64_t>(0, level.children());
    storage.levels.back() = std::move(level);
  }
  return storage;
}

std::optional<std::size_t> level_too_narrow(const Index& shape, const format::Format& format) {
  const Index sizes = format::level_sizes(format, shape);
  for (std::size_t l = 0; l < format.levels.size(); ++l) {
    const format::Facts facts = format::facts(format.levels[l]);
    if (facts.coordinates && !facts.wide && sizes[l] > std::int64_t{1} << 31) return l;
  }
  return std::nullopt;
}

std::int64_t slots_for(std::int64_t entries) {
  return static_cast<std::int64_t>(
      std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(2, times(2, entries)))));
}

namespace {

bool build_hash_table(LevelStorage& level) {
  const std::int64_t slots = slots_for(level.entries);
  level.table = SharedArray::allocate(static_cast<std::size_t>(slots + 1) * level.width(), Writer::this_process);
  if (!level.table) return false;
  Numbers table = level.slots();
  const Numbers positions = level.position_numbers(), coordinates = level.coordinate_numbers();
  const auto mask = static_cast<std::uint64_t>(slots) - 1;
  table.set(0, static_cast<std::int64_t>(mask));
  for (std::int64_t parent = 0; parent < level.parents; ++parent)
    for (std::int64_t entry = positions[parent]; entry < positions[parent + 1]; ++entry) {
      std::uint64_t slot = format::hash(parent, coordinates[entry]) & mask;
      while (table[1 + static_cast<std::int64_t>(slot)] != 0) slot = (slot + 1) & mask;
      table.set(1 + static_cast<std::int64_t>(slot), entry + 1);
    }
  return true;
}

bool build_byte_table(LevelStorage& level) {
  level.table = SharedArray::allocate(static_cast<std::size_t>(level.children()), Writer::this_process);
  if (!level.table) return false;
  const Numbers positions = level.position_numbers(), coordinates = level.coordinate_numbers();
  for (std::int64_t parent = 0; parent < level.parents; ++parent)
    for (std::int64_t entry = positions[parent]; entry < positions[parent + 1]; ++entry)
      level.bytes()[parent * level.size + coordinates[entry]] = 1;
  return true;
}

}  // namespace

bool build_tables(Storage& storage) {
  return std::all_of(storage.levels.begin(), storage.levels.end(), [](LevelStorage& level) {
    if (!level.facts.table) return true;
    return level.facts.locate == Locate::hash ? build_hash_table(level) : build_byte_table(level);
  });
}

bool is_zero_bits(const format::Value& value) {
  return value.integer == 0 && value.real == 0 && !std::signbit(value.real);
}

bool same_value(const format::Value& a, const format::Value& b) {
  return (a == b && std::signbit(a.real) == std::signbit(b.real)) || (std::isnan(a.real) && std::isnan(b.real));
}

}  // namespace trellis::tensor
