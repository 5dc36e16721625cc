#include "engine/tensor/transpose.hpp"

#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

using format::Child;
using format::Facts;

bool lists(const Facts& facts) {
  return facts.points() && facts.coordinates && facts.positions && facts.child == Child::entry && facts.unique;
}

/// Outer positions come by rising coordinate, each once.
bool rises(const Facts& facts) { return facts.dense() || (lists(facts) && facts.rises()); }

std::int64_t outer_coordinate(const LevelStorage& level, std::int64_t position) {
  return level.facts.coordinates ? level.coordinate_numbers()[position] : position;
}

}  // namespace

bool transposes(const Tensor& tensor, const format::Format& format) {
  const format::Format& from = tensor.format();
  if (from.layout || format.layout || from.rank() != 2 || from.order == format.order ||
      from.pattern != format.pattern || tensor.reserved())
    return false;
  const std::vector<Facts> old = format::facts(from), wanted = format::facts(format);
  return rises(old[0]) && lists(old[1]) && wanted[0].dense() && lists(wanted[1]) && !wanted[1].decreasing;
}

std::optional<Tensor> transpose(const Tensor& tensor, const format::Format& format) {
  auto result = Tensor::create(tensor.type(), tensor.shape(), format, tensor.fill());
  if (!result) return std::nullopt;
  const LevelStorage& outer = tensor.storage().levels[0];
  const LevelStorage& inner = tensor.storage().levels[1];
  Storage& storage = result->storage();
  LevelStorage& target = storage.levels[1];
  target.entries = inner.entries;
  target.coordinates =
      SharedArray::allocate(static_cast<std::size_t>(target.entries) * target.width(), Writer::this_process);
  if (storage.values)
    storage.values = SharedArray::allocate(static_cast<std::size_t>(target.entries) * format::size_of(tensor.type()),
                                           Writer::this_process);
  if (!target.coordinates || (!storage.values && !format.pattern)) return std::nullopt;

  // positions[c + 1] first counts column c, then says where its next entry goes, and so ends as the end of the column.
  Numbers positions = target.position_numbers(), coordinates = target.coordinate_numbers();
  const Numbers columns = inner.coordinate_numbers(), rows = inner.position_numbers();
  for (std::int64_t e = 0; e < inner.entries; ++e) positions.set(columns[e] + 1, positions[columns[e] + 1] + 1);
  std::int64_t before = 0;
  for (std::int64_t c = 0; c < target.parents; ++c) {
    const std::int64_t count = positions[c + 1];
    positions.set(c + 1, before);
    before += count;
  }
  with_elements(tensor.type(), storage.values ? storage.values->data() : nullptr, [&]<class T>(T* elements) {
    const auto* given = static_cast<const T*>(tensor.data());
    for (std::int64_t p = 0; p < inner.parents; ++p) {
      const std::int64_t row = outer_coordinate(outer, p);
      for (std::int64_t e = rows[p]; e < rows[p + 1]; ++e) {
        const std::int64_t slot = positions[columns[e] + 1];
        positions.set(columns[e] + 1, slot + 1);
        coordinates.set(slot, row);
        if (elements) elements[slot] = given[e];
      }
    }
  });
  if (!storage.count() || !build_tables(storage)) return std::nullopt;
  return result;
}

}  // namespace trellis::tensor
