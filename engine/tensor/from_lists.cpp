#include "engine/tensor/from_lists.hpp"

#include <algorithm>
#include <vector>

#include "engine/format/misfit.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {
namespace {

format::Format lists_format(bool by_columns, const Index& shape) {
  format::Format format = *format::Format::named(by_columns ? "csc" : "csr", 2);
  format.name.clear();
  format.pattern = true;
  return format::widened(format, {shape[0], shape[1]});
}

/// Of one width or the other; all of it is written.
template <class Item>
bool fill(std::shared_ptr<SharedArray>& array, bool wide, std::size_t count, const std::function<void(Item*)>& write) {
  array = SharedArray::allocate(count * (wide ? 8 : 4), Writer::this_process, SharedArray::Content::anything);
  if (!array) return false;
  if (sizeof(Item) == (wide ? 8 : 4)) return write(static_cast<Item*>(array->data())), true;
  std::vector<Item> items(count);
  write(items.data());
  Numbers numbers{array->data(), wide};
  for (std::size_t k = 0; k < count; ++k) numbers.set(static_cast<std::int64_t>(k), items[k]);
  return true;
}

template <class Item>
bool fill(std::shared_ptr<SharedArray>& array, bool wide, const std::vector<Item>& items) {
  return fill<Item>(array, wide, items.size(), [&](Item* to) { std::ranges::copy(items, to); });
}

std::vector<std::int32_t> narrow(const Numbers& numbers, std::int64_t count) {
  std::vector<std::int32_t> items;
  const auto take = [&](const auto* first) { items.assign(first, first + count); };
  numbers.wide ? take(static_cast<const std::int64_t*>(numbers.data))
               : take(static_cast<const std::int32_t*>(numbers.data));
  return items;
}

}  // namespace

std::optional<Tensor> pattern_from(const std::vector<std::int64_t>& begin,
                                   const std::function<void(std::int32_t*)>& write, bool by_columns, const Index& shape,
                                   const format::Format& format) {
  format::Format plain = lists_format(by_columns, shape);
  if (begin.back() > format::largest_narrow) plain.levels.back().options = {"wide"};
  auto storage = std::make_shared<Storage>(outline(shape, plain));
  LevelStorage& level = storage->levels.back();
  level.parents = std::ssize(begin) - 1;
  level.entries = begin.back();
  if (!fill(level.positions, level.facts.wide, begin) ||
      !fill(level.coordinates, level.facts.wide, static_cast<std::size_t>(begin.back()), write))
    return std::nullopt;
  if (!storage->count()) return std::nullopt;
  const bool same = plain.levels == format.levels && plain.order == format.order;
  const Tensor made = Tensor::of(format::ScalarType::boolean, shape, same ? format : plain, format::Value::truth(false),
                                 std::move(storage));
  return same ? std::optional(made) : convert(made, format, ExplicitFills::kept);
}

std::optional<Tensor> pattern_from(const Lists& lists, bool by_columns, const Index& shape,
                                   const format::Format& format) {
  return pattern_from(
      lists.begin, [&](std::int32_t* to) { std::ranges::copy(lists.items, to); }, by_columns, shape, format);
}

std::optional<Tensor> pattern_from(const std::vector<std::int32_t>& coordinates, std::int64_t size,
                                   const format::Format& format) {
  auto storage = std::make_shared<Storage>(outline({size}, format));
  LevelStorage& level = storage->levels.back();
  level.parents = 1;
  level.entries = std::ssize(coordinates);
  const std::vector<std::int64_t> positions{0, level.entries};
  if (!fill(level.positions, level.facts.wide, positions) || !fill(level.coordinates, level.facts.wide, coordinates) ||
      !storage->count())
    return std::nullopt;
  return Tensor::of(format::ScalarType::boolean, {size}, format, format::Value::truth(false), std::move(storage));
}

std::optional<Lists> lists_of(const Tensor& pattern) {
  const format::Format& format = pattern.format();
  if (format.layout || format.levels.size() != 2 || format.levels[0].name != "dense" ||
      format.levels[1].name != "compressed")
    return std::nullopt;
  const LevelStorage& level = pattern.storage().levels.back();
  const Numbers positions = level.position_numbers();
  Lists lists{std::vector<std::int64_t>(static_cast<std::size_t>(level.parents) + 1), {}};
  for (std::size_t k = 0; k < lists.begin.size(); ++k) lists.begin[k] = positions[static_cast<std::int64_t>(k)];
  lists.items = narrow(level.coordinate_numbers(), level.entries);
  return lists;
}

}  // namespace trellis::tensor
