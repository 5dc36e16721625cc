// Looking an element up: level by level, as each one's facts allow.

#include <cassert>

#include "engine/tensor/layout_map.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

using format::Locate;

/// Child positions that share a coordinate: begin <= p < end.
struct Range {
  std::int64_t begin = 0, end = 0;
};

/// The first of the ordered entries that does not lie before `c`; with `beyond`, that lies behind it.
enum class Bound { at, beyond };
std::int64_t bisect(const LevelStorage& level, Range range, std::int64_t c, Bound bound) {
  const Numbers coordinates = level.coordinate_numbers();
  while (range.begin < range.end) {
    const std::int64_t middle = range.begin + (range.end - range.begin) / 2;
    const std::int64_t there = coordinates[middle];
    const bool left = level.after(c, there) || (bound == Bound::beyond && there == c);
    (left ? range.begin : range.end) = left ? middle + 1 : middle;
  }
  return range.begin;
}

std::int64_t find_hashed(const LevelStorage& level, std::int64_t parent, std::int64_t c) {
  const Numbers table = level.slots(), positions = level.position_numbers(), coordinates = level.coordinate_numbers();
  const auto mask = static_cast<std::uint64_t>(table[0]);
  for (std::uint64_t slot = format::hash(parent, c) & mask;; slot = (slot + 1) & mask) {
    const std::int64_t entry = table[1 + static_cast<std::int64_t>(slot)] - 1;
    if (entry < 0) return -1;
    if (coordinates[entry] == c && positions[parent] <= entry && entry < positions[parent + 1]) return entry;
  }
}

class Search {
 public:
  Search(const Tensor& tensor, std::span<const std::int64_t> index)
      : tensor_(tensor), storage_(tensor.storage()), index_(index) {}

  /// Calls `found(place)` for each place of the element, from `level` on below those positions.
  template <class Found>
  void from(std::size_t level, Range parents, const Found& found) const {
    if (level == storage_.levels.size()) {
      for (std::int64_t place = parents.begin; place < parents.end; ++place) found(place);
      return;
    }
    const LevelStorage& l = storage_.levels[level];
    const std::int64_t c = index_[static_cast<std::size_t>(tensor_.format().order[level])];
    if (l.facts.covaries()) return entries(level, parents, c, found);
    for (std::int64_t parent = parents.begin; parent < parents.end; ++parent) {
      if (l.facts.locate == Locate::direct) {
        if (const auto [first, end] = l.coordinates_below(parent); c < first || c >= end) continue;
        const std::int64_t child = l.product(parent, c);
        if (!l.facts.table || l.bytes()[child]) from(level + 1, {child, child + 1}, found);
      } else if (l.facts.locate == Locate::hash) {
        const std::int64_t entry = find_hashed(l, parent, c);
        if (entry >= 0) from(level + 1, {entry, entry + 1}, found);
      } else if (l.facts.locate == Locate::one || !l.facts.points()) {
        region(level, l.fiber(parent), c, found);
      } else {
        const auto [begin, end] = l.fiber(parent);
        entries(level, {begin, end}, c, found);
      }
    }
  }

 private:
  /// The one whose last coordinate is the first that does not lie before `c`, if it begins before.
  template <class Found>
  void region(std::size_t level, LevelStorage::Entries fiber, std::int64_t c, const Found& found) const {
    const LevelStorage& l = storage_.levels[level];
    const bool only = l.facts.locate == Locate::one;
    const std::int64_t entry = only ? fiber.begin : bisect(l, {fiber.begin, fiber.end}, c, Bound::at);
    if (entry == fiber.end) return;
    const LevelStorage::Region region = l.region(entry, fiber.begin);
    const std::int64_t child = l.child(region, c);
    if (region.first <= c && c <= region.last) from(level + 1, {child, child + 1}, found);
  }

  /// Those of the entries that have the coordinate.
  template <class Found>
  void entries(std::size_t level, Range range, std::int64_t c, const Found& found) const {
    const LevelStorage& l = storage_.levels[level];
    if (l.facts.locate == Locate::binary) {
      const std::int64_t first = bisect(l, range, c, Bound::at);
      const std::int64_t last = bisect(l, {first, range.end}, c, Bound::beyond);
      if (first < last) from(level + 1, {first, last}, found);
      return;
    }
    for (std::int64_t entry = range.begin; entry < range.end; ++entry)
      if (l.coordinate_numbers()[entry] == c) from(level + 1, {entry, entry + 1}, found);
  }

  const Tensor& tensor_;
  const Storage& storage_;
  std::span<const std::int64_t> index_;
};

}  // namespace

std::int64_t Tensor::find(std::span<const std::int64_t> index) const {
  assert(in_range(index));
  if (dense()) return offset(index);
  Index levels;
  if (layout_map_) {
    const int branch = layout_map_->branch(index);
    if (branch < 0) return -1;
    layout_map_->store(branch, index, levels);
    index = levels;
  }
  std::int64_t place = -1;
  if (!reserved())
    Search(*this, index).from(0, {0, 1}, [&](std::int64_t found) {
      if (place < 0) place = found;
    });
  return place;
}

format::Value Tensor::get(std::span<const std::int64_t> index) const {
  assert(in_range(index));
  const std::int64_t place = find(index);
  return place < 0 ? fill_ : get_flat(place);
}

}  // namespace trellis::tensor
