#include "engine/tensor/pack_layout.hpp"

#include <algorithm>

#include "engine/format/storage_order.hpp"
#include "engine/tensor/column.hpp"
#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/layout_map.hpp"
#include "engine/tensor/pack.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

using format::Value;

class LayoutPacker {
 public:
  LayoutPacker(format::ScalarType type, const Index& shape, const format::Format& format, const Value& fill,
               const Entries& entries, PackFailure& failure)
      : type_(type),
        shape_(shape),
        format_(format),
        fill_(fill),
        entries_(entries),
        failure_(failure),
        map_(*format.layout, shape),
        sizes_(format::level_sizes(format, shape)),
        columns_(format.levels.size()) {}

  std::optional<Tensor> run(const PackOptions& options) {
    for (std::size_t e = 0; e < entries_.count; ++e)
      if (!place(e)) return std::nullopt;
    if (format_.layout->branches.size() > 1 && !agree()) return std::nullopt;
    Entries stored;
    stored.count = kept_.size();
    stored.type = entries_.type;
    for (const auto& column : columns_) stored.indices.emplace_back(std::span<const std::int64_t>(column));
    Column<std::byte> values;
    if (entries_.values) {
      values = kept_values();
      stored.values = values.data();
    }
    auto packed = pack(type_, sizes_, format_.stored(), fill_, stored, failure_, options);
    if (packed) return packed->as(shape_, format_);
    if (failure_.entry < kept_.size()) failure_.entry = kept_[failure_.entry];
    return std::nullopt;
  }

 private:
  bool fail(PackFailure::Kind kind, std::size_t entry) {
    failure_.kind = kind;
    failure_.entry = entry;
    return false;
  }

  bool place(std::size_t e) {
    Index element(shape_.size()), levels;
    for (std::size_t d = 0; d < element.size(); ++d) {
      element[d] = entries_.indices[d][e];
      if (element[d] < 0 || element[d] >= shape_[d]) return fail(PackFailure::Kind::index_out_of_range, e);
    }
    const int branch = map_.branch(element);
    if (branch < 0) return is_fill(e) || fail(PackFailure::Kind::not_stored, e);
    map_.store(branch, element, levels);
    if (branch > 0) {
      mirrored_.push_back({key(levels), e});
      return true;
    }
    for (std::size_t l = 0; l < levels.size(); ++l) columns_[l].push_back(levels[l]);
    kept_.push_back(e);
    return true;
  }

  Value value(std::size_t e) const {
    if (!entries_.values) return Value::truth(true);
    return with_elements(entries_.type, const_cast<void*>(entries_.values),
                         [&]<class T>(const T* given) { return value_of(entries_.type, given[e]); });
  }
  bool is_fill(std::size_t e) const {
    const auto converted = convert_exactly(type_, value(e));
    return converted && same_value(*converted, fill_);
  }

  Column<std::byte> kept_values() const {
    const std::size_t width = format::size_of(entries_.type);
    Column<std::byte> all(kept_.size() * width);
    const auto* from = static_cast<const std::byte*>(entries_.values);
    for (std::size_t k = 0; k < kept_.size(); ++k) std::copy_n(from + kept_[k] * width, width, all.data() + k * width);
    return all;
  }

  /// A place of the storage as a number.
  __extension__ using Key = unsigned __int128;
  struct Placed {
    Key key;
    std::size_t entry;
  };
  Key key(const Index& levels) const {
    Key all = 0;
    for (std::size_t l = 0; l < levels.size(); ++l)
      all = all * static_cast<Key>(std::max<std::int64_t>(1, sizes_[l])) + static_cast<Key>(levels[l]);
    return all;
  }

  /// The sums of entries with one key, from `at` on, which moves behind them.
  Value sum_at(const std::vector<Placed>& all, std::size_t& at) const {
    Value sum = value(all[at].entry);
    for (const std::size_t first = at++; at < all.size() && all[at].key == all[first].key; ++at)
      sum = format::combine(format::ReduceOp::sum, sum, value(all[at].entry));
    return sum;
  }

  /// Elements that the first branch stores have the values of those that others have at the same places.
  bool agree() {
    std::vector<Placed> own;
    Index levels(columns_.size());
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      for (std::size_t l = 0; l < levels.size(); ++l) levels[l] = columns_[l][k];
      if (shared(levels)) own.push_back({key(levels), kept_[k]});
    }
    std::ranges::stable_sort(own, {}, &Placed::key);
    std::ranges::stable_sort(mirrored_, {}, &Placed::key);
    std::size_t a = 0, b = 0;
    while (a < own.size() || b < mirrored_.size()) {
      const bool first = a < own.size() && (b == mirrored_.size() || own[a].key <= mirrored_[b].key);
      const bool second = b < mirrored_.size() && (a == own.size() || mirrored_[b].key <= own[a].key);
      const std::size_t entry = first ? own[a].entry : mirrored_[b].entry;
      const auto left = convert_exactly(type_, first ? sum_at(own, a) : absent());
      const auto right = convert_exactly(type_, second ? sum_at(mirrored_, b) : absent());
      if (left && right && same_value(*left, *right)) continue;
      failure_.value = left.value_or(fill_);
      failure_.other = right.value_or(fill_);
      if (!first) std::swap(failure_.value, failure_.other);
      return fail(PackFailure::Kind::disagrees, entry);
    }
    return true;
  }
  Value absent() const { return fill_; }

  /// Has the place more than one element?
  bool shared(const Index& levels) const {
    int count = 0;
    map_.elements(levels, [&](const Index&) { ++count; });
    return count > 1;
  }

  format::ScalarType type_;
  const Index& shape_;
  const format::Format& format_;
  const Value& fill_;
  const Entries& entries_;
  PackFailure& failure_;
  const LayoutMap map_;
  const Index sizes_;
  std::vector<Column<std::int64_t>> columns_;  ///< by level, of what is kept
  Column<std::size_t> kept_;
  std::vector<Placed> mirrored_;
};

}  // namespace

std::optional<Tensor> pack_by_layout(format::ScalarType type, const Index& shape, const format::Format& format,
                                     const Value& fill, const Entries& entries, PackFailure& failure,
                                     const PackOptions& options) {
  return LayoutPacker(type, shape, format, fill, entries, failure).run(options);
}

}  // namespace trellis::tensor
