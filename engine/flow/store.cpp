// Operands, and results whose entries stay: the arrays of format/level.hpp.

#include "engine/flow/store.hpp"

#include "engine/format/storage_order.hpp"

namespace trellis::flow {

namespace {

using format::Array;

std::vector<std::int64_t> level_sizes(const Tensor& tensor, const tensor::Tensor& memory) {
  std::vector<std::int64_t> sizes;
  for (std::size_t level = 0; level < tensor.levels.size(); ++level)
    sizes.push_back(memory.shape()[format::dimension_of(tensor, level)]);
  return sizes;
}

}  // namespace

void Store::require(bool holds, const char* what) const {
  if (!holds) throw Unsound{tensor_.name + ": " + what};
}

const std::set<std::int64_t>& Store::ordered() const {
  static const std::set<std::int64_t> none;
  require(false, "entries that do not grow are walked as if they did");
  return none;
}

std::int64_t Store::stored(int /*level*/) const {
  require(false, "nobody counts its entries");
  return 0;
}

std::int64_t Store::begin(int /*level*/, std::int64_t /*parent*/) const {
  require(false, "nobody says where its entries begin");
  return 0;
}

std::int64_t Store::reset(const format::Value& value) {
  for (std::int64_t place = 0; place < places(); ++place) set(place, value);
  return places();
}

Arrays::Arrays(const Tensor& tensor, tensor::Tensor memory)
    : Store(tensor, level_sizes(tensor, memory)), memory_(std::move(memory)) {
  for (int level = 0; level < levels(); ++level) {
    const bool wide = facts(level).wide;
    const auto numbers = [&](Array which) {
      return Numbers{memory_.array(level, which), wide,
                     static_cast<std::int64_t>(memory_.array_bytes(level, which)) / (wide ? 8 : 4)};
    };
    columns_.push_back({numbers(Array::positions), numbers(Array::coordinates), numbers(Array::table),
                        numbers(Array::starts), numbers(Array::offsets)});
  }
  const auto bytes = static_cast<std::int64_t>(memory_.array_bytes(-1, Array::values));
  places_ = tensor.pattern ? memory_.entries() : bytes / static_cast<std::int64_t>(format::size_of(tensor.type));
}

std::int64_t Arrays::number(const Numbers& numbers, std::int64_t k) const {
  require(numbers.data && 0 <= k && k < numbers.count, "an array of a level is left");
  return numbers.wide ? static_cast<const std::int64_t*>(numbers.data)[k]
                      : static_cast<const std::int32_t*>(numbers.data)[k];
}

std::int64_t Arrays::stored(int level) const {
  if (level < 0) return 1;
  const format::Facts& f = facts(level);
  const std::int64_t above = stored(level - 1);
  if (f.positions) return number(columns_[static_cast<std::size_t>(level)].positions, above);
  if (f.per_parent()) return above;
  if (f.bounded) return number(columns_[static_cast<std::size_t>(level)].offsets, above);
  return above * (f.slots > 0 ? f.slots : size(level));
}

std::int64_t Arrays::begin(int level, std::int64_t parent) const {
  return number(columns_[static_cast<std::size_t>(level)].positions, parent);
}

void Arrays::put(const Numbers& numbers, std::int64_t k, std::int64_t value) {
  require(numbers.data && 0 <= k && k < numbers.count, "an array of a level is left");
  if (numbers.wide) static_cast<std::int64_t*>(numbers.data)[k] = value;
  else static_cast<std::int32_t*>(numbers.data)[k] = static_cast<std::int32_t>(value);
}

Range Arrays::fiber(int level, std::int64_t parent) {
  if (facts(level).locate == format::Locate::one) return {parent, parent + (coordinate(level, parent) >= 0)};
  if (const std::int64_t slots = facts(level).slots; slots > 0) return {parent * slots, (parent + 1) * slots};
  if (!facts(level).positions) return {parent, parent + 1};
  const Numbers& positions = columns_[static_cast<std::size_t>(level)].positions;
  return {number(positions, parent), number(positions, parent + 1)};
}

std::int64_t Arrays::coordinate(int level, std::int64_t entry) const {
  return number(columns_[static_cast<std::size_t>(level)].coordinates, entry);
}

std::int64_t Arrays::first_coordinate(int level, std::int64_t entry, std::int64_t begin) const {
  const Columns& columns = columns_[static_cast<std::size_t>(level)];
  if (facts(level).starts) return number(columns.starts, entry);
  if (const std::int64_t width = facts(level).width; width > 0) return coordinate(level, entry) + 1 - width;
  if (facts(level).offsets)
    return coordinate(level, entry) + 1 - (number(columns.offsets, entry + 1) - number(columns.offsets, entry));
  if (facts(level).points()) return coordinate(level, entry);
  return entry > begin ? coordinate(level, entry - 1) + 1 : 0;
}

std::int64_t Arrays::within(int level, std::int64_t entry, std::int64_t c) const {
  if (const std::int64_t width = facts(level).width; width > 0)
    return (entry + 1) * width - 1 - (coordinate(level, entry) - c);
  if (!facts(level).offsets) return entry;
  const Columns& columns = columns_[static_cast<std::size_t>(level)];
  return number(columns.offsets, entry + 1) - 1 - (coordinate(level, entry) - c);
}

std::int64_t Arrays::computed(int level, std::int64_t parent, std::int64_t coordinate) const {
  const format::Facts& f = facts(level);
  if (!f.bounded) return Store::computed(level, parent, coordinate);
  const Columns& columns = columns_[static_cast<std::size_t>(level)];
  const std::int64_t first = f.starts ? number(columns.starts, parent) : 0;
  const std::int64_t place = number(columns.offsets, parent) + coordinate - first;
  require(first <= coordinate && place < number(columns.offsets, parent + 1), "what is beyond bounds is asked for");
  return place;
}

std::int64_t Arrays::child(int level, std::int64_t parent, std::int64_t entry) const {
  return facts(level).child == format::Child::product ? parent * size(level) + coordinate(level, entry) : entry;
}

std::int64_t Arrays::find(int level, std::int64_t parent, Range entries, std::int64_t c, std::int64_t& tries) const {
  const format::Facts& f = facts(level);
  const Numbers& table = columns_[static_cast<std::size_t>(level)].table;
  if (f.locate == format::Locate::direct) {
    const std::int64_t place = parent * size(level) + c;
    if (c < 0 || c >= size(level)) return -1;
    require(table.data != nullptr, "a table of a level is missing");
    return static_cast<const std::uint8_t*>(table.data)[place] ? place : -1;
  }
  if (f.locate == format::Locate::hash) {
    const auto mask = static_cast<std::uint64_t>(number(table, 0));
    for (std::uint64_t slot = format::hash(parent, c) & mask;; slot = (slot + 1) & mask) {
      ++tries;
      const std::int64_t entry = number(table, 1 + static_cast<std::int64_t>(slot)) - 1;
      if (entry < 0) return -1;
      if (entries.first <= entry && entry < entries.last && coordinate(level, entry) == c) return entry;
    }
  }
  std::int64_t at = entries.first;
  if (f.ordered) {
    at = first_that(entries, [&](std::int64_t entry) {
      ++tries;
      const std::int64_t there = coordinate(level, entry);
      return f.decreasing ? there <= c : there >= c;
    });
  } else {
    while (at < entries.last && coordinate(level, at) != c) ++at, ++tries;
  }
  if (f.points()) return at < entries.last && coordinate(level, at) == c ? at : -1;
  return at < entries.last && first_coordinate(level, at, entries.first) <= c ? at : -1;
}

format::Value Arrays::get(std::int64_t place) const {
  require(0 <= place && place < places_, "the values are left");
  return tensor().pattern ? format::Value::truth(true) : memory_.get_flat(place);
}

void Arrays::set(std::int64_t place, const format::Value& value) {
  require(0 <= place && place < places_, "the values are left");
  if (!tensor().pattern) memory_.set_flat(place, value);
}

}  // namespace trellis::flow
