#include "engine/tensor/convert.hpp"

#include <algorithm>
#include <new>

#include "engine/tensor/for_each_entry.hpp"
#include "engine/tensor/level_builder.hpp"
#include "engine/tensor/region_builder.hpp"
#include "engine/tensor/storage.hpp"
#include "engine/tensor/transpose.hpp"

namespace trellis::tensor {

namespace {

using format::Format;
using format::Value;

std::optional<Tensor> to_dense(const Tensor& tensor, const Format& format) {
  auto result = Tensor::create(tensor.type(), tensor.shape(), format, tensor.fill());
  if (!result) return std::nullopt;
  for_each_entry(tensor, [&](const Index& index, const Value& value) { result->set(index, value); });
  return result;
}

/// Coordinates of a dense tensor's elements in the order in which a format stores them.
class Odometer {
 public:
  Odometer(const Tensor& tensor, const Format& format) : at_(format.levels.size()) {
    for (std::size_t l = 0; l < at_.size(); ++l) {
      const format::Facts facts = format::facts(format.levels[l]);
      const auto d = static_cast<std::size_t>(format.order[l]);
      const bool falling = facts.decreasing && facts.child != format::Child::product;
      levels_.push_back({tensor.shape()[d], tensor.strides()[d], falling});
      rewind(l);
    }
  }

  std::int64_t offset() const { return offset_; }
  const Index& coordinates() const { return at_; }
  bool next() {
    for (std::size_t l = at_.size(); l-- > 0;) {
      const std::int64_t step = levels_[l].falling ? -1 : 1;
      at_[l] += step;
      offset_ += step * levels_[l].stride;
      if (at_[l] >= 0 && at_[l] < levels_[l].size) return true;
      offset_ -= at_[l] * levels_[l].stride;
      at_[l] = 0;
      rewind(l);
    }
    return false;
  }

 private:
  struct Level {
    std::int64_t size, stride;
    bool falling;
  };
  void rewind(std::size_t l) {
    at_[l] = levels_[l].falling ? levels_[l].size - 1 : 0;
    offset_ += at_[l] * levels_[l].stride;
  }

  std::vector<Level> levels_;
  Index at_;
  std::int64_t offset_ = 0;
};

/// Elements of a dense tensor that are to be stored: `store(odometer, value)` until it says no.
template <class Store>
bool each_of_dense(const Tensor& tensor, const Format& format, ExplicitFills fills, const Store& store) {
  Odometer at(tensor, format);
  for (bool more = tensor.count() > 0; more; more = at.next()) {
    const Value value = tensor.get_flat(at.offset());
    if (format.pattern ? !value.is_true() : fills == ExplicitFills::dropped && same_value(value, tensor.fill()))
      continue;
    if (!store(at, value)) return false;
  }
  return true;
}

std::optional<Tensor> regions_from_dense(const Tensor& tensor, const Format& format, ExplicitFills fills,
                                         std::size_t limit_bytes, ConvertFailure& failure) {
  RegionBuilder builder(tensor.type(), tensor.shape(), format, tensor.fill(), limit_bytes);
  each_of_dense(tensor, format, fills, [&](const Odometer& at, const Value& value) {
    return builder.add(at.coordinates(), value, static_cast<std::size_t>(at.offset()));
  });
  auto made = builder.finish();
  if (made) return made;
  failure.why = builder.failure();
  for (std::size_t d = 0; d < tensor.shape().size() && tensor.count() > 0; ++d)
    failure.index.push_back(static_cast<std::int64_t>(failure.why.entry) / tensor.strides()[d] % tensor.shape()[d]);
  return std::nullopt;
}

std::optional<Tensor> from_dense(const Tensor& tensor, const Format& format, ExplicitFills fills) {
  constexpr std::size_t block = 1024;
  LevelBuilder builder;
  if (!builder.begin(tensor.type(), tensor.shape(), format, tensor.fill(), tensor.count(), std::size_t{1} << 62))
    return std::nullopt;
  std::vector<std::vector<std::int64_t>> coordinates(format.levels.size(), std::vector<std::int64_t>(block));
  std::vector<std::int64_t> places(block);
  std::vector<Value> values;
  const auto hand_on = [&] {
    if (builder.add(coordinates, values.size(), places) < values.size()) return false;
    if (!format.pattern)
      with_elements(tensor.type(), builder.values(), [&]<class T>(T* elements) {
        for (std::size_t k = 0; k < values.size(); ++k) elements[places[k]] = stored_as<T>(values[k]);
      });
    values.clear();
    return true;
  };
  const bool taken = each_of_dense(tensor, format, fills, [&](const Odometer& at, const Value& value) {
    for (std::size_t l = 0; l < coordinates.size(); ++l) coordinates[l][values.size()] = at.coordinates()[l];
    values.push_back(value);
    return values.size() < block || hand_on();
  });
  return taken && hand_on() ? builder.finish() : std::nullopt;
}

/// A coordinate for each entry and dimension, and where the values are not one after the other, the values.
template <class Number>
struct Columns {
  std::vector<Column<Number>> numbers;
  Column<std::byte> values;
  Entries entries;

  explicit Columns(const Tensor& tensor) : numbers(tensor.shape().size()) {
    const auto count = static_cast<std::size_t>(tensor.entries());
    const std::size_t width = format::size_of(tensor.type());
    for (auto& column : numbers) column.reserve(count);
    std::vector<std::int64_t> places;
    const bool in_line =
        !tensor.format().layout &&
        std::none_of(tensor.storage().levels.begin(), tensor.storage().levels.end(), [](const LevelStorage& level) {
          const bool skips = level.facts.child == format::Child::product || level.facts.locate == format::Locate::one ||
                             level.facts.slots > 0;
          return level.facts.coordinates && (skips || !level.facts.points());
        });
    for_each_element(tensor, [&](const Index& index, std::int64_t place) {
      for (std::size_t d = 0; d < index.size(); ++d) numbers[d].push_back(static_cast<Number>(index[d]));
      if (in_line || tensor.format().pattern) return;
      const auto* value = static_cast<const std::byte*>(tensor.data()) + static_cast<std::size_t>(place) * width;
      values.insert(values.end(), value, value + width);
    });
    for (const auto& column : numbers) entries.indices.emplace_back(std::span<const Number>(column));
    entries.count = numbers.empty() ? 0 : numbers[0].size();
    entries.type = tensor.type();
    if (!tensor.format().pattern) entries.values = in_line ? tensor.data() : values.data();
  }
};

template <class Number>
std::optional<Tensor> by_sorting(const Tensor& tensor, const Format& format, ExplicitFills fills,
                                 std::size_t limit_bytes, ConvertFailure& failure) {
  const Columns<Number> columns(tensor);
  PackOptions options;
  options.fills = fills == ExplicitFills::kept && format::pads(tensor.format()) ? ExplicitFills::dropped : fills;
  options.limit_bytes = limit_bytes;
  auto packed = pack(tensor.type(), tensor.shape(), format, tensor.fill(), columns.entries, failure.why, options);
  if (packed) return packed;
  for (const IndexColumn& column : columns.entries.indices)
    failure.index.push_back(failure.why.entry < columns.entries.count ? column[failure.why.entry] : 0);
  return std::nullopt;
}

/// What a dense tensor or any other one holds, packed by a layout.
std::optional<Tensor> by_layout(const Tensor& tensor, const Format& format, ExplicitFills fills,
                                std::size_t limit_bytes, ConvertFailure& failure) {
  const bool padded = tensor.dense() || format::pads(tensor.format());
  const Coordinates all =
      to_coordinates(tensor, padded && fills == ExplicitFills::kept ? ExplicitFills::dropped : fills);
  PackOptions options;
  options.limit_bytes = limit_bytes;
  auto packed = pack(tensor.type(), tensor.shape(), format, tensor.fill(), entries_of(all), failure.why, options);
  if (!packed && failure.why.entry < all.count) {
    const auto index = all.index(failure.why.entry);
    failure.index.assign(index.begin(), index.end());
  }
  return packed;
}

}  // namespace

std::optional<Tensor> convert(const Tensor& tensor, const Format& format, ExplicitFills fills, std::size_t limit_bytes,
                              ConvertFailure* failure) {
  ConvertFailure ignored;
  ConvertFailure& why = failure ? *failure : ignored;
  if (tensor.reserved()) return Tensor::create(tensor.type(), tensor.shape(), format, tensor.fill());
  try {
    if (format.all_dense()) return to_dense(tensor, format);
    if (format.layout) return by_layout(tensor, format, fills, limit_bytes, why);
    if (tensor.dense() && RegionBuilder::builds(format))
      return regions_from_dense(tensor, format, fills, limit_bytes, why);
    if (tensor.dense()) return from_dense(tensor, format, fills);
    if (fills != ExplicitFills::dropped && transposes(tensor, format)) return transpose(tensor, format);
    const bool narrow = std::all_of(tensor.shape().begin(), tensor.shape().end(),
                                    [](std::int64_t size) { return size <= std::int64_t{1} << 31; });
    return narrow ? by_sorting<std::int32_t>(tensor, format, fills, limit_bytes, why)
                  : by_sorting<std::int64_t>(tensor, format, fills, limit_bytes, why);
  } catch (const std::bad_alloc&) { return std::nullopt; }
}

std::optional<Tensor> with_format(const Tensor& tensor, const format::Format& format) {
  return convert(tensor, format, tensor.dense() ? ExplicitFills::dropped : ExplicitFills::kept);
}

std::optional<ConvertFailure> region_without_room(const Tensor& appended, const format::Format& format,
                                                  std::size_t limit_bytes) {
  ConvertFailure failure;
  if (format::same_storage(appended.format(), format) ||
      convert(appended, format, ExplicitFills::all, limit_bytes, &failure) ||
      failure.why.kind != PackFailure::Kind::region_taken)
    return std::nullopt;
  return failure;
}

std::optional<Tensor> to_dense(const Tensor& tensor) {
  return tensor.dense() ? std::optional(tensor) : convert(tensor, Format::dense(tensor.rank()), ExplicitFills::kept);
}

Coordinates to_coordinates(const Tensor& tensor, ExplicitFills fills) {
  using format::ScalarType;
  Coordinates result;
  result.shape = tensor.shape();
  result.field = format::is_floating(tensor.type()) ? Coordinates::Field::real
                 : tensor.format().pattern          ? Coordinates::Field::pattern
                                                    : Coordinates::Field::integer;
  result.unsigned_integers = tensor.type() == ScalarType::u64;
  for_each_listed(tensor, [&](const Index& index, const Value& value) {
    if (fills == ExplicitFills::dropped && same_value(value, tensor.fill())) return;
    result.indices.insert(result.indices.end(), index.begin(), index.end());
    if (result.field == Coordinates::Field::real) result.reals.push_back(value.real);
    if (result.field == Coordinates::Field::integer) result.integers.push_back(value.integer);
    ++result.count;
  });
  return result;
}

}  // namespace trellis::tensor
