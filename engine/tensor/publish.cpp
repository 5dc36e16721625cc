// Before and after a kernel appends: Tensor::with_room and Tensor::publish.

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "engine/tensor/convert.hpp"
#include "engine/tensor/for_each_entry.hpp"
#include "engine/tensor/region_builder.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

using format::Child;
using format::Region;

/// Reads positions and entries of every level as if it were compressed. False when they count more than there is room
/// for.
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
    if (level.starts) level.starts->shrink(static_cast<std::size_t>(level.entries) * level.width());
  }
  storage.values->shrink(static_cast<std::size_t>(storage.places) * value_bytes);
}

/// Runs that were appended to the last level, with the gaps between them filled: sparse_rle becomes rle.
class GapFiller {
 public:
  GapFiller(Storage& storage, const format::Value& fill, std::size_t value_bytes)
      : storage_(storage), level_(storage.levels.back()), bytes_(value_bytes), fill_(value_bytes) {
    with_elements(fill.type, fill_.data(),
                  [&](auto* element) { *element = stored_as<std::remove_reference_t<decltype(*element)>>(fill); });
  }

  /// False when memory is refused, or there are more runs than a narrow level counts.
  bool run() {
    Numbers positions = level_.position_numbers();
    const Numbers ends = level_.coordinate_numbers();
    const Numbers starts{level_.starts->data(), level_.facts.wide};
    const auto* const values = static_cast<const std::byte*>(storage_.values->data());
    std::int64_t entry = 0;
    for (std::int64_t p = 0; p < level_.parents; ++p) {
      const std::int64_t end = positions[p + 1];
      first_ = coordinates_.size();
      std::int64_t next = 0;
      for (; entry < end; ++entry) {
        if (starts[entry] > next) add(starts[entry] - 1, fill_.data());
        add(ends[entry], values + static_cast<std::size_t>(entry) * bytes_);
        next = ends[entry] + 1;
      }
      if (next < level_.size) add(level_.size - 1, fill_.data());
      positions.set(p + 1, static_cast<std::int64_t>(coordinates_.size()));  // passed, so no longer needed
    }
    return store();
  }

 private:
  void add(std::int64_t last, const std::byte* value) {
    const bool goes_on =
        coordinates_.size() > first_ && std::memcmp(values_.data() + values_.size() - bytes_, value, bytes_) == 0;
    if (goes_on) {
      coordinates_.back() = last;
      return;
    }
    coordinates_.push_back(last);
    values_.insert(values_.end(), value, value + bytes_);
  }

  bool store() {
    if (!level_.facts.wide && coordinates_.size() > static_cast<std::size_t>(INT32_MAX)) return false;
    const Writer writer = storage_.values->shared() ? Writer::child_process : Writer::this_process;
    level_.coordinates = SharedArray::allocate(coordinates_.size() * level_.width(), writer);
    storage_.values = SharedArray::allocate(values_.size(), writer);
    if (!level_.coordinates || !storage_.values) return false;
    Numbers ends = level_.coordinate_numbers();
    for (std::size_t k = 0; k < coordinates_.size(); ++k) ends.set(static_cast<std::int64_t>(k), coordinates_[k]);
    if (!values_.empty()) std::memcpy(storage_.values->data(), values_.data(), values_.size());
    level_.entries = static_cast<std::int64_t>(coordinates_.size());
    level_.starts = nullptr;
    return true;
  }

  Storage& storage_;
  LevelStorage& level_;
  const std::size_t bytes_;
  std::vector<std::byte> fill_, values_;
  std::vector<std::int64_t> coordinates_;
  std::size_t first_ = 0;  ///< run of the fiber
};

bool as_stored(const LevelStorage& level) { return !level.facts.coordinates || level.facts.child != Child::product; }

/// Run by run, so that those that touch become one where all below them is equal. Empty when memory is refused, or a
/// fiber has more regions than its level holds.
std::optional<Tensor> in_regions(const Tensor& appended, const format::Format& format) try {
  RegionBuilder builder(appended.type(), appended.shape(), format, appended.fill(),
                        std::numeric_limits<std::size_t>::max());
  for_each_run(appended, [&](const Index& first, const Index& last, std::int64_t place) {
    builder.add(first, last, appended.get_flat(place), 0);
  });
  return builder.finish();
} catch (const std::bad_alloc&) { return std::nullopt; }

}  // namespace

format::Format as_appended(const format::Format& format) {
  format::Format plain = format;
  plain.name.clear();
  plain.pattern = false;
  for (format::Level& level : plain.levels) {
    const format::Facts facts = format::facts(level);
    level.bounds.reset();
    if (facts.overhangs()) std::erase_if(level.options, [](const std::string& option) { return option != "wide"; });
    if (facts.coordinates && (facts.table || !facts.points() || facts.locate == format::Locate::one))
      level.name = facts.region == Region::run ? "sparse_rle" : "compressed";
    std::erase(level.options, "unordered");
  }
  return plain;
}

namespace {

/// Laid out as if `tensor` had been appended to it. Empty when it has no room for that.
std::optional<Tensor> holding(const Tensor& tensor, std::optional<Tensor> room) {
  if (!room || !room->reserved() || tensor.entries() == 0) return room;
  const auto held = convert(tensor, as_appended(tensor.format()), ExplicitFills::all);
  if (!held || held->entries() > room->capacity()) return std::nullopt;
  const auto copy = [&](int level, format::Array which) {
    if (void* const to = room->array(level, which))
      std::memcpy(to, held->array(level, which), held->array_bytes(level, which));
  };
  for (int level = 0; level < tensor.levels(); ++level)
    for (const format::Array which : format::level_arrays) copy(level, which);
  copy(-1, format::Array::values);
  return room;
}

constexpr std::int64_t some_entries = 256;

}  // namespace

std::optional<Tensor> Tensor::with_room(std::size_t limit_bytes, Writer writer) const {
  if (!format_.layout) return holding(*this, reserve(type_, shape_, format_, fill_, limit_bytes, writer));
  const auto room = stored().with_room(limit_bytes, writer);
  return room ? std::optional(room->as(shape_, format_)) : std::nullopt;
}

std::optional<Tensor> Tensor::with_some_room() const {
  if (format_.layout) {
    const auto room = stored().with_some_room();
    return room ? std::optional(room->as(shape_, format_)) : std::nullopt;
  }
  const std::int64_t most = dense() ? some_entries : entries() + some_entries;
  const std::size_t unlimited = std::numeric_limits<std::size_t>::max() / 16;
  return holding(*this, reserve(type_, shape_, format_, fill_, unlimited, Writer::this_process, most));
}

bool Tensor::publish() {
  if (!reserved()) return true;
  if (format_.layout) return stored().publish();
  Storage& storage = *storage_;
  if (!count_appended(storage)) return false;
  give_back_tails(storage, format::size_of(type_));
  storage.capacity = -1;
  // Levels that the format keeps as tables are laid out anew.
  const std::vector<format::Facts> wanted = format::facts(format_);
  const bool tables = std::ranges::any_of(wanted, &format::Facts::table);
  if (format::appends_runs(format_) && !tables) {
    if (wanted.back().full() && !GapFiller(storage, fill_, format::size_of(type_)).run()) return false;
    for (std::size_t l = 0; l < wanted.size(); ++l) storage.levels[l].facts = wanted[l];
    if (format_.pattern) storage.values = nullptr;
    return storage.count();
  }
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
    levels->levels[l].starts = storage.levels[l].starts;
  }
  levels->values = format_.pattern ? nullptr : storage.values;
  if (!levels->count()) return false;
  format::Format unvalued = plain;
  unvalued.pattern = format_.pattern;
  const Tensor appended = of(type_, shape_, unvalued, fill_, std::move(levels));
  const auto settled = RegionBuilder::builds(format_) && !tables ? in_regions(appended, format_)
                                                                 : convert(appended, format_, ExplicitFills::all);
  if (settled) assign(*settled);
  else *this = appended;
  return settled.has_value();
}

}  // namespace trellis::tensor
