#include "engine/tensor/pack.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <type_traits>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/level_builder.hpp"
#include "engine/tensor/pack_layout.hpp"
#include "engine/tensor/region_builder.hpp"
#include "engine/tensor/sort_entries.hpp"
#include "engine/tensor/spill.hpp"

namespace trellis::tensor {

namespace {

using format::Format;
using format::ScalarType;
using format::Value;

constexpr std::size_t entries_at_once = 2048;

/// The sum of an entry and those that repeat it, on its way into the element type.
struct Sum {
  std::int64_t place = -1;
  std::size_t entry = 0;
  Value value;
};

PackFailure::Kind kind_of(LevelBuilder::Trouble trouble) {
  switch (trouble) {
    case LevelBuilder::Trouble::singleton_taken: return PackFailure::Kind::region_taken;
    case LevelBuilder::Trouble::too_large: return PackFailure::Kind::too_large;
    case LevelBuilder::Trouble::no_memory:
    case LevelBuilder::Trouble::none: break;
  }
  return PackFailure::Kind::memory;
}

Value add(const Value& a, const Value& b) { return format::combine(format::ReduceOp::sum, a, b); }

class Packer {
 public:
  Packer(ScalarType type, const Format& format, const Value& fill, const Entries& entries, PackFailure& failure,
         const PackOptions& options)
      : type_(type),
        format_(format),
        fill_(fill),
        entries_(entries),
        failure_(failure),
        options_(options),
        coordinates_(format.levels.size()) {
    for (auto& level : coordinates_) level.resize(entries_at_once);
  }

  std::optional<Tensor> run(const Index& shape) {
    if (!in_range(shape)) return std::nullopt;
    if (entries_.count > std::numeric_limits<std::uint32_t>::max()) return fail(PackFailure::Kind::too_many, 0);
    if (regions_) return run_regions(shape);
    if (!builder_.begin(type_, shape, format_, fill_, static_cast<std::int64_t>(entries_.count), options_.limit_bytes))
      return fail(builder_.trouble() == LevelBuilder::Trouble::too_large ? PackFailure::Kind::too_many
                                                                         : PackFailure::Kind::memory,
                  0);
    if (!take_sorted(shape) || !flush()) return std::nullopt;
    auto tensor = builder_.finish();
    return tensor ? tensor : fail(PackFailure::Kind::memory, 0);
  }

 private:
  std::optional<Tensor> run_regions(const Index& shape) {
    region_builder_.emplace(type_, shape, format_, fill_, options_.limit_bytes);
    if (!take_sorted(shape) || !flush_region()) return std::nullopt;
    auto tensor = region_builder_->finish();
    if (!tensor) failure_ = region_builder_->failure();
    return tensor;
  }

  bool take_sorted(const Index& shape) {
    if (entries_.count == 0) return true;  // an empty file says no dimensions
    for (std::size_t l = 0; l < format_.levels.size(); ++l) {
      const format::Facts facts = format::facts(format_.levels[l]);
      const auto d = static_cast<std::size_t>(format_.order[l]);
      levels_.push_back({entries_.indices[d], shape[d], facts.decreasing && facts.child != format::Child::product});
    }
    return is_sorted(levels_, entries_.count)
               ? take_as_they_come()
               : sort_entries(levels_, entries_.count,
                              [&](std::span<const std::uint32_t> sorted) { return take(sorted); });
  }

  std::nullopt_t fail(PackFailure::Kind kind, std::size_t entry) {
    failure_.kind = kind;
    failure_.entry = entry;
    return std::nullopt;
  }

  bool in_range(const Index& shape) {
    for (std::size_t d = 0; d < shape.size() && entries_.count > 0; ++d) {
      const IndexColumn& column = entries_.indices[d];
      const auto size = static_cast<std::uint64_t>(shape[d]);
      for (std::size_t e = 0; e < entries_.count; ++e)
        if (static_cast<std::uint64_t>(column[e]) >= size) {
          fail(PackFailure::Kind::index_out_of_range, e);
          return false;
        }
    }
    return true;
  }

  bool take_as_they_come() {
    std::array<std::uint32_t, entries_at_once> numbers{};
    for (std::size_t begin = 0; begin < entries_.count; begin += entries_at_once) {
      const std::size_t count = std::min(entries_at_once, entries_.count - begin);
      std::iota(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count),
                static_cast<std::uint32_t>(begin));
      if (!take({numbers.data(), count})) return false;
    }
    return true;
  }

  bool take(std::span<const std::uint32_t> sorted) {
    for (; sorted.size() > entries_at_once; sorted = sorted.subspan(entries_at_once))
      if (!take_block(sorted.first(entries_at_once))) return false;
    return take_block(sorted);
  }

  bool take_block(std::span<const std::uint32_t> sorted) {
    if (options_.cancelled && options_.cancelled()) return fail(PackFailure::Kind::cancelled, sorted.front()), false;
    const bool filters = entries_.values && (format_.pattern || options_.fills == ExplicitFills::dropped);
    if (filters) {
      kept_.clear();
      for (const std::uint32_t entry : sorted)
        if (const std::optional<bool> keep = keeps(entry); !keep) return false;
        else if (*keep) kept_.push_back(entry);
      sorted = kept_;
    }
    if (regions_) return take_regions(sorted);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const IndexColumn column = levels_[l].column;
      for (std::size_t k = 0; k < sorted.size(); ++k) coordinates_[l][k] = column[sorted[k]];
    }
    const std::size_t count = builder_.add(coordinates_, sorted.size(), places_);
    if (count < sorted.size()) {
      fail(kind_of(builder_.trouble()), sorted[count]);
      failure_.level = builder_.troubled_level();
      return false;
    }
    return format_.pattern || store(sorted);
  }

  /// Values must be final when they are handed on: whether a run goes on depends on them.
  bool take_regions(std::span<const std::uint32_t> sorted) {
    Index next(levels_.size());
    for (const std::uint32_t entry : sorted) {
      for (std::size_t l = 0; l < levels_.size(); ++l) next[l] = levels_[l].column[entry];
      const bool repeats = sum_.place == 0 && next == summed_;
      if (!repeats && !flush_region()) return false;
      sum_ = repeats ? Sum{0, sum_.entry, add(sum_.value, value(entry))} : Sum{0, entry, value(entry)};
      summed_ = next;
    }
    return true;
  }

  bool flush_region() {
    if (sum_.place < 0) return true;
    std::optional<Value> converted =
        entries_.values ? convert_exactly(type_, sum_.value) : format::cast(type_, Value::truth(true));
    if (!converted) {
      failure_.value = sum_.value;
      fail(PackFailure::Kind::does_not_fit, sum_.entry);
      return false;
    }
    if (region_builder_->add(summed_, *converted, sum_.entry)) return true;
    failure_ = region_builder_->failure();
    return false;
  }

  /// Whether the entry is to be stored; empty when it cannot be, which is noted.
  std::optional<bool> keeps(std::size_t entry) {
    const auto converted = convert_exactly(type_, value(entry));
    if (!converted) {
      failure_.value = value(entry);
      return fail(PackFailure::Kind::does_not_fit, entry), std::nullopt;
    }
    if (format_.pattern) return converted->is_true();
    return !same_value(*converted, fill_);
  }

  Value value(std::size_t entry) const {
    if (!entries_.values) return Value::truth(true);
    return with_elements(entries_.type, const_cast<void*>(entries_.values),
                         [&]<class T>(const T* given) { return value_of(entries_.type, given[entry]); });
  }

  bool store(std::span<const std::uint32_t> sorted) {
    if (!entries_.values) {
      const Value one = format::cast(type_, Value::truth(true));
      with_elements(type_, builder_.values(), [&]<class T>(T* elements) {
        for (std::size_t k = 0; k < sorted.size(); ++k) elements[places_[k]] = stored_as<T>(one);
      });
      return true;
    }
    if (entries_.type == type_) return store_as_they_are(sorted), true;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      const Value next = value(sorted[k]);
      if (places_[k] == sum_.place) {
        sum_.value = add(sum_.value, next);
        continue;
      }
      if (!flush()) return false;
      sum_ = {places_[k], sorted[k], next};
    }
    return true;
  }

  void store_as_they_are(std::span<const std::uint32_t> sorted) {
    with_elements(type_, builder_.values(), [&]<class T>(T* elements) {
      const auto* given = static_cast<const T*>(entries_.values);
      for (std::size_t k = 0; k < sorted.size(); ++k) {
        T& element = elements[places_[k]];
        const T next = given[sorted[k]];
        if (places_[k] != sum_.place) element = next;
        else if constexpr (std::is_same_v<T, double>) element += next;
        else element = stored_as<T>(add(value_of(type_, element), value_of(type_, next)));
        sum_.place = places_[k];
      }
    });
  }

  bool flush() {
    if (sum_.place < 0 || !entries_.values || entries_.type == type_) return true;
    const auto converted = convert_exactly(type_, sum_.value);
    if (!converted) {
      failure_.value = sum_.value;
      fail(PackFailure::Kind::does_not_fit, sum_.entry);
      return false;
    }
    with_elements(type_, builder_.values(),
                  [&]<class T>(T* elements) { elements[sum_.place] = stored_as<T>(*converted); });
    return true;
  }

  ScalarType type_;
  const Format& format_;
  const Value& fill_;
  const Entries& entries_;
  PackFailure& failure_;
  const PackOptions& options_;
  const bool regions_ = RegionBuilder::builds(format_);
  LevelBuilder builder_;
  std::optional<RegionBuilder> region_builder_;
  std::vector<SortColumn> levels_;
  std::vector<std::vector<std::int64_t>> coordinates_;  ///< of a entries_at_once, by level
  std::array<std::int64_t, entries_at_once> places_{};
  std::vector<std::uint32_t> kept_;
  Sum sum_;
  Index summed_;  ///< the coordinates of `sum_`, whose place is 0 then
};

}  // namespace

std::optional<Tensor> pack(ScalarType type, const Index& shape, const format::Format& format, const Value& fill,
                           const Entries& entries, PackFailure& failure, const PackOptions& options) {
  try {
    if (format.layout) return pack_by_layout(type, shape, format, fill, entries, failure, options);
    return Packer(type, format, fill, entries, failure, options).run(shape);
  } catch (const std::bad_alloc&) {
    failure = {PackFailure::Kind::memory};
    return std::nullopt;
  }
}

namespace {

struct TakenRegion {
  std::string why, advice;
};

TakenRegion taken_region(const format::Format& format, std::size_t l) {
  const format::Level& level = format.levels[l];
  const format::Facts facts = format::facts(level);
  if (facts.covaries())
    return {"a singleton level holds one coordinate for each above it",
            "declare the level above as `compressed(nonunique)`, or this one as `compressed`"};
  if (facts.slots > 0)
    return {"`" + format::to_string(level) + "` holds " + std::to_string(facts.slots) + " coordinates" +
                (l > 0 ? " for each entry above it" : ""),
            "declare the level as `compressed`, which holds any number, or give it more slots"};
  const bool run = facts.region == format::Region::run;
  return {"`" + level.name + "` holds one " + (run ? "run of equal values" : "coordinate") +
              (l > 0 ? " for each entry above it" : ""),
          std::string("declare the level as `") + (run ? "sparse_rle" : "compressed") + "`, which holds any number"};
}

}  // namespace

std::string region_taken_text(const PackFailure& failure, const format::Format& format,
                              std::span<const std::int64_t> index) {
  return format::to_string(format) + " has no room for element " + element_text(index) + ": " +
         taken_region(format, failure.level).why;
}

void report_pack_failure(const PackFailure& failure, const Tensor& tensor, const format::Format& format,
                         std::span<const std::int64_t> index, text::Span span, text::Diagnostics& diagnostics) {
  const std::string what = format::to_string(format);
  switch (failure.kind) {
    case PackFailure::Kind::region_taken: {
      diagnostics.error("E0206", span, region_taken_text(failure, format, index))
          .notes.push_back({{}, taken_region(format, failure.level).advice});
      break;
    }
    case PackFailure::Kind::too_many:
      diagnostics.error("E0410", span, what + " cannot count so many entries with 32-bit positions")
          .notes.push_back({{}, "declare its levels with `(wide)`; at most 2^32 entries can be packed at once"});
      break;
    case PackFailure::Kind::index_out_of_range:
      diagnostics.error("E0406", span,
                        "there is no element " + element_text(index) + " in " + shape_text(tensor.shape()));
      break;
    case PackFailure::Kind::does_not_fit:
      diagnostics.error("E0409", span,
                        "element " + element_text(index) + ", " + format::to_string(failure.value) + ", does not fit " +
                            std::string(format::name_of(tensor.type())));
      break;
    case PackFailure::Kind::too_large:
      diagnostics
          .error(
              "E0410", span,
              what + " of " + shape_text(tensor.shape()) + " would need more for these entries than the memory limit")
          .notes.push_back({{},
                            "a dense level below a sparse one stores all of itself for each entry above; use another "
                            "format, or a larger --memory"});
      break;
    case PackFailure::Kind::not_stored:
      diagnostics.error("E0252", span, what + " has no place for element " + element_text(index))
          .notes.push_back({{}, "leave it out, or take a format that has a place for every element, such as csr"});
      break;
    case PackFailure::Kind::disagrees:
      diagnostics
          .error("E0252", span,
                 "element " + element_text(index) + " is " + format::to_string(failure.value) +
                     ", and the one that shares its place in " + what + " is " + format::to_string(failure.other))
          .notes.push_back({{}, what + " stores elements that mirror each other once"});
      break;
    case PackFailure::Kind::cancelled: diagnostics.error("E0506", span, "storing the entries was interrupted"); break;
    case PackFailure::Kind::memory:
      diagnostics.error(
          "E0411", span,
          "the system refused the memory to store " + shape_text(tensor.shape()) + " as " + what + spill_note());
      break;
  }
}

}  // namespace trellis::tensor
