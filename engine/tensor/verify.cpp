#include "engine/tensor/verify.hpp"

#include <algorithm>
#include <vector>

#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

using format::Locate;

std::string number(std::int64_t n) { return std::to_string(n); }

std::string positions_of(const LevelStorage& level) {
  const Numbers positions = level.position_numbers();
  if (positions[0] != 0) return "the first position is " + number(positions[0]);
  for (std::int64_t p = 0; p < level.parents; ++p)
    if (positions[p + 1] < positions[p])
      return "position " + number(positions[p + 1]) + " follows " + number(positions[p]);
  if (positions[level.parents] != level.entries)
    return "positions end at " + number(positions[level.parents]) + ", there are " + number(level.entries) + " entries";
  return "";
}

std::string range_of(const LevelStorage& level) {
  const Numbers coordinates = level.coordinate_numbers();
  const std::int64_t least = level.facts.locate == Locate::one ? -1 : 0;
  const std::int64_t overhang = level.facts.slots > 0 ? 1 : std::max<std::int64_t>(0, level.facts.width - 1);
  for (std::int64_t e = 0; e < level.entries; ++e)
    if (coordinates[e] < least || coordinates[e] >= level.size + overhang)
      return "coordinate " + number(coordinates[e]) + " is outside 0.." + number(level.size - 1);
  return "";
}

/// Of a fiber; below a nonunique level, of entries whose coordinates so far are the same, which stand together.
std::string order_of(const Storage& storage, std::size_t l, std::int64_t begin, std::int64_t end, std::int64_t fiber) {
  const LevelStorage& level = storage.levels[l];
  const Numbers coordinates = level.coordinate_numbers();
  for (std::int64_t e = begin + 1; e < end; ++e) {
    const std::int64_t before = coordinates[e - 1], here = coordinates[e];
    const bool wrong = level.facts.ordered ? (here == before ? level.facts.unique : !level.after(here, before)) : false;
    if (wrong) return "coordinate " + number(here) + " follows " + number(before) + " in fiber " + number(fiber);
  }
  if (!level.facts.ordered) {
    std::vector<std::int64_t> sorted;
    for (std::int64_t e = begin; e < end; ++e)
      if (level.facts.unique || e == begin || coordinates[e] != coordinates[e - 1]) sorted.push_back(coordinates[e]);
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) return "coordinate " + number(*twice) + " comes twice in fiber " + number(fiber);
  }
  if (level.facts.unique || l + 1 == storage.levels.size() || !storage.levels[l + 1].facts.covaries()) return "";
  for (std::int64_t e = begin; e < end;) {
    std::int64_t last = e + 1;
    while (last < end && coordinates[last] == coordinates[e]) ++last;
    if (const std::string below = order_of(storage, l + 1, e, last, fiber); !below.empty()) return below;
    e = last;
  }
  return "";
}

std::string offsets_of(const LevelStorage& level) {
  const Numbers offsets = level.offset_numbers();
  if (offsets[0] != 0) return "the first offset is " + number(offsets[0]);
  const std::int64_t regions = level.facts.bounded ? level.parents : level.entries;
  for (std::int64_t e = 0; e < regions; ++e)
    if (offsets[e + 1] < offsets[e]) return "offset " + number(offsets[e + 1]) + " follows " + number(offsets[e]);
  return "";
}

/// Fibers of a level in bounds are as long as these say, below coordinates `at` of the levels above.
class BoundsCheck {
 public:
  BoundsCheck(const Tensor& stored, std::size_t l) : levels_(stored.storage().levels), l_(l), at_(l) {
    bounds_ = *stored.format().levels[l].bounds;
  }
  std::string run() {
    if (levels_[l_].within != levels_[l_].offset_numbers()[levels_[l_].parents]) return "offsets end elsewhere";
    from(0, 0);
    return wrong_;
  }

 private:
  void from(std::size_t level, std::int64_t parent) {
    const LevelStorage& own = levels_[level];
    if (level == l_) return compare(own, parent);
    const auto below = [&](std::int64_t c, std::int64_t child) { at_[level] = c, from(level + 1, child); };
    if (!own.facts.coordinates) {
      const auto [first, end] = own.coordinates_below(parent);
      for (std::int64_t c = first; c < end; ++c) below(c, own.product(parent, c));
    }
    const auto [begin, end] = own.fiber(parent);
    for (std::int64_t entry = begin; entry < end; ++entry) {
      if (own.facts.child == format::Child::product) {
        const std::int64_t c = own.coordinate_numbers()[entry];
        below(c, own.product(parent, c));
        continue;
      }
      const LevelStorage::Region region = own.region(entry, begin);
      for (std::int64_t c = region.first; c <= region.last; ++c) below(c, own.child(region, c));
    }
  }
  void compare(const LevelStorage& own, std::int64_t parent) {
    const format::Bounds::Range wanted = bounds_.below(at_[static_cast<std::size_t>(bounds_.outer)], own.size);
    const auto [first, end] = own.coordinates_below(parent);
    if (wanted.end - wanted.low != end - first || (first < end && first != wanted.low))
      wrong_ = "fiber " + number(parent) + " has coordinates " + number(first) + ".." + number(end - 1);
  }

  const std::vector<LevelStorage>& levels_;
  std::size_t l_;
  Index at_;
  format::Bounds bounds_;
  std::string wrong_;
};

/// Regions of a fiber lie one behind the other, and those of a full level leave nothing out.
std::string regions_of(const LevelStorage& level, std::int64_t fiber) {
  const auto [begin, end] = level.fiber(fiber);
  std::int64_t before = -1;
  for (std::int64_t e = begin; e < end; ++e) {
    const LevelStorage::Region region = level.region(e, begin);
    const bool none = level.facts.locate == Locate::one && region.last == -1;
    if (none ? region.first != 0 : region.first > region.last)
      return "region " + number(e) + " of fiber " + number(fiber) + " is " + number(region.first) + ".." +
             number(region.last);
    if (region.first <= before && !none)
      return "coordinate " + number(region.first) + " follows " + number(before) + " in fiber " + number(fiber);
    before = region.last;
  }
  if (level.facts.full() && before != level.size - 1)
    return "fiber " + number(fiber) + " ends at " + number(before) + ", not " + number(level.size - 1);
  return "";
}

std::string table_of(const LevelStorage& level) {
  const Numbers positions = level.position_numbers(), coordinates = level.coordinate_numbers();
  if (level.facts.locate == Locate::direct) {
    std::int64_t set = 0;
    for (std::int64_t k = 0; k < level.children(); ++k) set += level.bytes()[k] != 0;
    if (set != level.entries) return number(set) + " bytes are set for " + number(level.entries) + " entries";
    for (std::int64_t p = 0; p < level.parents; ++p)
      for (std::int64_t e = positions[p]; e < positions[p + 1]; ++e)
        if (level.bytes()[p * level.size + coordinates[e]] != 1)
          return "coordinate " + number(coordinates[e]) + " is not in the table of fiber " + number(p);
    return "";
  }
  const Numbers table = level.slots();
  const auto mask = static_cast<std::uint64_t>(table[0]);
  std::int64_t used = 0;
  for (std::uint64_t s = 0; s <= mask; ++s) used += table[1 + static_cast<std::int64_t>(s)] != 0;
  if ((mask & (mask + 1)) != 0 || used != level.entries)
    return number(used) + " slots are used for " + number(level.entries) + " entries";
  for (std::int64_t p = 0; p < level.parents; ++p)
    for (std::int64_t e = positions[p]; e < positions[p + 1]; ++e) {
      std::uint64_t slot = format::hash(p, coordinates[e]) & mask;
      for (std::uint64_t steps = 0; steps <= mask && table[1 + static_cast<std::int64_t>(slot)] != e + 1; ++steps) {
        if (table[1 + static_cast<std::int64_t>(slot)] == 0)
          return "coordinate " + number(coordinates[e]) + " is not found in fiber " + number(p);
        slot = (slot + 1) & mask;
      }
    }
  return "";
}

std::string level_of(const Storage& storage, std::size_t l) {
  const LevelStorage& level = storage.levels[l];
  if (level.facts.positions && !level.positions) return "there are no positions";
  if (level.facts.coordinates && !level.coordinates) return "there are no coordinates";
  if (level.facts.starts && !level.starts) return "there are no starts";
  if (level.facts.offsets && !level.offsets) return "there are no offsets";
  std::string wrong;
  if (level.facts.positions) wrong = positions_of(level);
  if (wrong.empty() && level.facts.coordinates) wrong = range_of(level);
  if (wrong.empty() && level.facts.offsets) wrong = offsets_of(level);
  if (level.facts.bounded) return wrong;
  if (wrong.empty() && (level.facts.region == format::Region::run || level.facts.child == format::Child::offset))
    for (std::int64_t p = 0; p < level.parents && wrong.empty(); ++p) wrong = regions_of(level, p);
  else if (wrong.empty() && (level.facts.positions || level.facts.slots > 0))
    for (std::int64_t p = 0; p < level.parents && wrong.empty(); ++p) {
      const auto [begin, end] = level.fiber(p);
      wrong = order_of(storage, l, begin, end, p);
      for (std::int64_t free = end; free < (p + 1) * level.facts.slots; ++free)
        if (level.coordinate_numbers()[free] != level.size)
          wrong = "a free slot of fiber " + number(p) + " has a coordinate";
    }
  if (wrong.empty() && level.facts.table) wrong = level.table ? table_of(level) : "there is no table";
  return wrong;
}

}  // namespace

std::string verify(const Tensor& tensor) {
  if (tensor.reserved()) return "the tensor is still being appended to";
  const Storage& storage = tensor.storage();
  Storage counted = storage;
  if (!counted.count_places() || counted.places != storage.places) return "the counts do not agree";
  for (std::size_t l = 0; l < storage.levels.size(); ++l) {
    if (counted.levels[l].parents != storage.levels[l].parents)
      return "level " + number(static_cast<std::int64_t>(l)) + ": the count of parents does not agree";
    std::string wrong = level_of(storage, l);
    if (wrong.empty() && storage.levels[l].facts.bounded) wrong = BoundsCheck(tensor, l).run();
    if (!wrong.empty()) return "level " + number(static_cast<std::int64_t>(l)) + ": " + wrong;
  }
  if (!counted.count() || counted.stored != storage.stored) return "the counts do not agree";
  if ((storage.values == nullptr) != tensor.format().pattern) return "a pattern has no values, and other formats have";
  return "";
}

}  // namespace trellis::tensor
