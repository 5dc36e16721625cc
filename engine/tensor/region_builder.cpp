#include "engine/tensor/region_builder.hpp"

#include <algorithm>
#include <cstring>

#include "engine/tensor/spill.hpp"

namespace trellis::tensor {

using format::Child;
using format::Locate;
using format::Region;

bool RegionBuilder::builds(const format::Format& format) {
  return std::ranges::any_of(format.levels, [](const format::Level& level) {
    const format::Facts facts = format::facts(level);
    return facts.region == Region::run || facts.locate == Locate::one || facts.child == Child::offset ||
           facts.slots > 0 || facts.bounded;
  });
}

RegionBuilder::RegionBuilder(format::ScalarType type, const Index& shape, const format::Format& format,
                             const format::Value& fill, std::size_t limit_bytes)
    : type_(type),
      shape_(shape),
      format_(format),
      fill_(fill),
      value_(fill),
      limit_bytes_(limit_bytes),
      value_bytes_(format.pattern ? 0 : format::size_of(type)) {
  for (const LevelStorage& level : outline(shape, format).levels) {
    levels_.emplace_back();
    levels_.back().facts = level.facts;
    levels_.back().size = level.size;
    levels_.back().bounds = format.levels[levels_.size() - 1].bounds;
    if (level.facts.bounded) levels_.back().offsets.clear();
  }
  open_fiber(0);
}

void RegionBuilder::mark(std::size_t below, Marks& marks) const {
  marks.clear();
  for (std::size_t l = below; l < levels_.size(); ++l) {
    const Level& level = levels_[l];
    marks.push_back(
        {level.positions.size(), level.coordinates.size(), level.starts.size(), level.offsets.size(), level.children});
  }
  marks.push_back({0, 0, 0, 0, value_count_});
}

/// Whether a..b and b..c were added alike: positions and offsets count from where each begins.
bool RegionBuilder::equal_tails(std::size_t l, const Mark& a, const Mark& b, const Mark& c) const {
  if (b.children - a.children != c.children - b.children) return false;
  if (l == levels_.size()) {
    const auto bytes = static_cast<std::size_t>(b.children - a.children) * value_bytes_;
    const std::byte* const first = values_.data() + static_cast<std::size_t>(a.children) * value_bytes_;
    return bytes == 0 || std::memcmp(first, first + bytes, bytes) == 0;
  }
  const Level& level = levels_[l];
  const auto alike = [](const Column<std::int64_t>& numbers, std::size_t from, std::size_t middle, std::size_t end,
                        std::int64_t less) {
    if (middle - from != end - middle) return false;
    for (std::size_t k = from; k < middle; ++k)
      if (numbers[k] + less != numbers[k + middle - from]) return false;
    return true;
  };
  return alike(level.coordinates, a.coordinates, b.coordinates, c.coordinates, 0) &&
         alike(level.starts, a.starts, b.starts, c.starts, 0) &&
         alike(level.positions, a.positions, b.positions, c.positions,
               static_cast<std::int64_t>(b.coordinates - a.coordinates)) &&
         alike(level.offsets, a.offsets, b.offsets, c.offsets, b.children - a.children);
}

void RegionBuilder::cut(std::size_t l, const Mark& to) {
  if (l == levels_.size()) {
    value_count_ = to.children;
    values_.resize(static_cast<std::size_t>(value_count_) * value_bytes_);
    return;
  }
  Level& level = levels_[l];
  level.positions.resize(to.positions);
  level.coordinates.resize(to.coordinates);
  level.starts.resize(to.starts);
  level.offsets.resize(to.offsets);
  level.children = to.children;
}

void RegionBuilder::open_fiber(std::size_t l) {
  if (l == levels_.size()) {
    value_ = fill_;
    return;
  }
  levels_[l].last = -1;
  levels_[l].has_child = levels_[l].has_run = false;
  if (levels_[l].bounds) begin_bounds(l);
}

void RegionBuilder::begin_bounds(std::size_t l) {
  Level& level = levels_[l];
  const auto range = level.bounds->below(levels_[static_cast<std::size_t>(level.bounds->outer)].last, level.size);
  level.last = range.low - 1;
  level.end = range.end;
  level.offsets.push_back(level.children);
  if (level.facts.starts) level.starts.push_back(range.low);
}

void RegionBuilder::close_fiber(std::size_t l) {
  if (l == levels_.size()) {
    ++value_count_;
    check_room(static_cast<std::size_t>(value_count_), std::max<std::size_t>(1, value_bytes_));
    if (value_bytes_ > 0 && !failed_) {
      values_.resize(static_cast<std::size_t>(value_count_) * value_bytes_);
      with_elements(type_, values_.data(),
                    [&]<class T>(T* elements) { elements[value_count_ - 1] = stored_as<T>(value_); });
    }
    return;
  }
  Level& level = levels_[l];
  if (level.facts.region == Region::run) {
    finish_run(l);
    if (level.facts.full() && level.last < level.size - 1) run_without_entries(l, level.size - 1);
  } else {
    close_child(l);
    if (level.facts.child == Child::product) pad(l, level.bounds ? level.end : level.size);
    if (level.facts.child == Child::offset) close_block(l);
    for (std::int64_t free = level.facts.slots - taken_slots(level); free > 0 && !failed_; --free) {
      level.coordinates.push_back(level.size);
      open_child(l), close_child(l);
    }
  }
  if (level.facts.per_parent() && level.coordinates.size() == level.positions.size() - 1) {  // no region
    level.coordinates.push_back(-1);
    if (level.facts.starts) level.starts.push_back(0);
    if (level.facts.offsets) level.offsets.push_back(level.children);
    if (level.facts.child == Child::parent) open_child(l), close_child(l);
  }
  level.positions.push_back(static_cast<std::int64_t>(level.coordinates.size()));
  check_room(std::max(level.positions.size(), level.coordinates.size()), level.facts.wide ? 8 : 4);
  const std::int64_t counted = level.facts.child == Child::offset ? level.children : level.positions.back();
  if (!level.facts.wide && (level.facts.child == Child::offset || level.facts.positions) && counted > INT32_MAX)
    fail({.kind = PackFailure::Kind::too_many, .entry = number_});
}

void RegionBuilder::open_child(std::size_t l) {
  Level& level = levels_[l];
  if (level.facts.region == Region::run) mark(l + 1, level.before);
  open_fiber(l + 1);
  level.has_child = true;
}

void RegionBuilder::close_child(std::size_t l) {
  Level& level = levels_[l];
  if (!level.has_child) return;
  close_fiber(l + 1);
  ++level.children;
  level.has_child = false;
}

/// Empty children up to `end`, exclusive.
void RegionBuilder::pad(std::size_t l, std::int64_t end) {
  Level& level = levels_[l];
  for (++level.last; level.last < end && !failed_; ++level.last) open_child(l), close_child(l);
  --level.last;
}

/// Of the fiber that is open.
std::int64_t RegionBuilder::taken_slots(const Level& level) {
  return static_cast<std::int64_t>(level.coordinates.size()) - level.positions.back();
}

void RegionBuilder::take(std::size_t l, std::int64_t coordinate, std::int64_t last, std::size_t number) {
  Level& level = levels_[l];
  if (level.facts.region == Region::run) return take_run(l, coordinate, last, number);
  close_child(l);
  if (level.facts.child == Child::product) pad(l, coordinate);
  if (level.facts.child == Child::offset) {
    if (level.last >= 0 && (level.facts.single || coordinate < level.first + level.facts.width)) pad(l, coordinate);
    const bool goes_on = level.last >= 0 && level.last + 1 == coordinate;
    if (!goes_on || coordinate == level.first + level.facts.width) {
      close_block(l);
      level.coordinates.push_back(coordinate);
      level.first = coordinate;
    }
  } else if (level.facts.coordinates) {
    if (level.last >= 0 && level.facts.single) return refuse(l, number);
    if (level.facts.slots > 0 && taken_slots(level) == level.facts.slots) return refuse(l, number);
    level.coordinates.push_back(coordinate);
  }
  level.last = coordinate;
  open_child(l);
}

void RegionBuilder::close_block(std::size_t l) {
  Level& level = levels_[l];
  if (level.last < 0) return;
  if (level.facts.width > 0) pad(l, level.first + level.facts.width);
  level.coordinates.back() = level.last;
  if (level.facts.offsets) level.offsets.push_back(level.children);
}

void RegionBuilder::take_run(std::size_t l, std::int64_t first, std::int64_t last, std::size_t number) {
  Level& level = levels_[l];
  finish_run(l);
  if (level.facts.full() && first > level.last + 1) run_without_entries(l, first - 1);
  if (level.facts.single && level.last >= 0 && first != level.last + 1) return refuse(l, number);
  level.first = first;
  level.last = last;
  level.opened_by = number;
  open_child(l);
}

void RegionBuilder::run_without_entries(std::size_t l, std::int64_t last) {
  levels_[l].first = levels_[l].last + 1;
  levels_[l].last = last;
  open_child(l);
  finish_run(l);
}

/// The child of the run at hand is finished.
void RegionBuilder::finish_run(std::size_t l) {
  Level& level = levels_[l];
  if (!level.has_child) return;
  close_child(l);
  mark(l + 1, level.after);
  bool same = level.has_run && level.coordinates.back() + 1 == level.first;
  for (std::size_t k = 0; k < level.after.size() && same; ++k)
    same = equal_tails(l + 1 + k, level.previous[k], level.before[k], level.after[k]);
  if (same) {
    for (std::size_t k = 0; k < level.after.size(); ++k) cut(l + 1 + k, level.before[k]);
    --level.children;
    level.coordinates.back() = level.last;
    return;
  }
  if (level.facts.single && level.has_run) return refuse(l, level.opened_by);
  level.coordinates.push_back(level.last);
  if (level.facts.starts) level.starts.push_back(level.first);
  std::swap(level.previous, level.before);
  level.has_run = true;
}

/// The first failure counts.
void RegionBuilder::fail(const PackFailure& failure) {
  if (!failed_) failure_ = failure;
  failed_ = true;
}

void RegionBuilder::refuse(std::size_t l, std::size_t number) {
  fail({.kind = PackFailure::Kind::region_taken, .entry = number, .level = l});
}

void RegionBuilder::check_room(std::size_t count, std::size_t width) {
  if (count > limit_bytes_ / width) fail({.kind = PackFailure::Kind::too_large, .entry = number_});
}

bool RegionBuilder::add(const Index& first, const Index& last, const format::Value& value, std::size_t number) {
  if (failed_) return false;
  number_ = number;
  std::size_t d = 0;
  while (d < at_.size() && first[d] == at_[d]) ++d;
  // A singleton has one coordinate for each entry above it.
  while (d > 0 && levels_[d].facts.covaries() && !levels_[d - 1].facts.unique) --d;
  at_ = first;
  for (std::size_t l = d; l < levels_.size() && !failed_; ++l) {
    // What was appended beyond its bounds is a fill.
    if (levels_[l].bounds && (first[l] <= levels_[l].last || first[l] >= levels_[l].end)) return true;
    take(l, first[l], last[l], number);
  }
  value_ = value;
  return !failed_;
}

namespace {

/// Of a tensor that is too large for memory, all arrays but small ones lie in files. Null when memory is refused.
std::shared_ptr<SharedArray> room_for(std::size_t bytes, bool in_file) {
  constexpr std::size_t small = std::size_t{1} << 16;
  if (!in_file || bytes <= small) return SharedArray::allocate(bytes, Writer::this_process);
  auto array = SharedArray::reserve_in_file(bytes);
  return array && array->commit(bytes) ? array : nullptr;
}

/// The numbers as a level keeps them. False when memory is refused.
bool keep(std::shared_ptr<SharedArray>& array, const Column<std::int64_t>& numbers, bool wide, bool in_file) {
  array = room_for(numbers.size() * (wide ? 8 : 4), in_file);
  if (!array) return false;
  Numbers kept{array->data(), wide};
  for (std::size_t k = 0; k < numbers.size(); ++k) kept.set(static_cast<std::int64_t>(k), numbers[k]);
  return true;
}

/// Levels whose child position is a product are built rising.
void let_fall(Column<std::int64_t>& coordinates, const Column<std::int64_t>& positions) {
  for (std::size_t p = 0; p + 1 < positions.size(); ++p)
    std::reverse(coordinates.begin() + positions[p], coordinates.begin() + positions[p + 1]);
}

}  // namespace

bool RegionBuilder::store(Storage& storage) const {
  std::size_t bytes = values_.size();
  for (const Level& level : levels_)
    bytes += (level.positions.size() + level.coordinates.size() + level.starts.size() + level.offsets.size()) *
             (level.facts.wide ? 8 : 4);
  const bool in_file = is_spilled(bytes);
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Level& from = levels_[l];
    LevelStorage& to = storage.levels[l];
    Column<std::int64_t> coordinates = from.coordinates;
    if (from.facts.child == Child::product && from.facts.decreasing) let_fall(coordinates, from.positions);
    to.entries = static_cast<std::int64_t>(coordinates.size());
    Column<std::int64_t> offsets = from.offsets;
    if (from.bounds) offsets.push_back(to.within = from.children);
    if (from.facts.positions && !keep(to.positions, from.positions, from.facts.wide, in_file)) return false;
    if (from.facts.coordinates && !keep(to.coordinates, coordinates, from.facts.wide, in_file)) return false;
    if (from.facts.starts && !keep(to.starts, from.starts, from.facts.wide, in_file)) return false;
    if (from.facts.offsets && !keep(to.offsets, offsets, from.facts.wide, in_file)) return false;
  }
  if (value_bytes_ == 0) return true;
  storage.values = room_for(values_.size(), in_file);
  if (storage.values && !values_.empty()) std::memcpy(storage.values->data(), values_.data(), values_.size());
  return storage.values != nullptr;
}

std::optional<Tensor> RegionBuilder::finish() {
  close_fiber(0);
  if (failed_) return std::nullopt;
  auto storage = std::make_shared<Storage>(outline(shape_, format_));
  if (!store(*storage) || !storage->count() || !build_tables(*storage)) return std::nullopt;
  return Tensor::of(type_, std::move(shape_), std::move(format_), fill_, std::move(storage));
}

}  // namespace trellis::tensor
