#include "engine/tensor/from_lists.hpp"

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

template <class Items>
bool fill(std::shared_ptr<SharedArray>& array, bool wide, const Items& items) {
  array = SharedArray::allocate(items.size() * (wide ? 8 : 4), Writer::this_process);
  if (!array) return false;
  Numbers numbers{array->data(), wide};
  for (std::size_t k = 0; k < items.size(); ++k) numbers.set(static_cast<std::int64_t>(k), items[k]);
  return true;
}

}  // namespace

std::optional<Tensor> pattern_from(const Lists& lists, bool by_columns, const Index& shape,
                                   const format::Format& format) {
  format::Format plain = lists_format(by_columns, shape);
  if (lists.begin.back() > format::largest_narrow) plain.levels.back().options = {"wide"};
  auto storage = std::make_shared<Storage>(outline(shape, plain));
  LevelStorage& level = storage->levels.back();
  level.parents = lists.count();
  level.entries = lists.begin.back();
  if (!fill(level.positions, level.facts.wide, lists.begin) || !fill(level.coordinates, level.facts.wide, lists.items))
    return std::nullopt;
  if (!storage->count()) return std::nullopt;
  const bool same = plain.levels == format.levels && plain.order == format.order;
  const Tensor made = Tensor::of(format::ScalarType::boolean, shape, same ? format : plain, format::Value::truth(false),
                                 std::move(storage));
  return same ? std::optional(made) : convert(made, format, ExplicitFills::kept);
}

}  // namespace trellis::tensor
