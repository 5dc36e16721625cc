#include "engine/tensor/walk.hpp"

#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

class Walk {
 public:
  using Visit = std::function<void(const Index&, std::int64_t)>;
  Walk(const Storage& storage, const Visit& visit) : storage_(storage), visit_(visit), at_(storage.levels.size()) {}

  void from(std::size_t level, std::int64_t parent) {
    if (level == storage_.levels.size()) return visit_(at_, parent);
    const LevelStorage& l = storage_.levels[level];
    std::int64_t begin = 0, end = l.size;
    if (l.facts.positions) begin = l.position_numbers()[parent], end = l.position_numbers()[parent + 1];
    else if (l.facts.coordinates) begin = parent, end = parent + 1;
    for (std::int64_t entry = begin; entry < end; ++entry) {
      at_[level] = l.facts.coordinates ? l.coordinate_numbers()[entry] : entry;
      from(level + 1, l.facts.child == format::Child::product ? parent * l.size + at_[level] : entry);
    }
  }

 private:
  const Storage& storage_;
  const Visit& visit_;
  Index at_;
};

}  // namespace

void for_each_place(const Tensor& tensor, const std::function<void(const Index&, std::int64_t)>& visit) {
  if (!tensor.reserved()) Walk(tensor.storage(), visit).from(0, 0);
}

void for_each_entry(const Tensor& tensor, const std::function<void(const Index&, const format::Value&)>& visit) {
  Index index(tensor.shape().size());
  for_each_place(tensor, [&](const Index& coordinates, std::int64_t place) {
    for (std::size_t l = 0; l < index.size(); ++l) index[static_cast<std::size_t>(tensor.format().order[l])] = coordinates[l];
    visit(index, tensor.get_flat(place));
  });
}

}  // namespace trellis::tensor
