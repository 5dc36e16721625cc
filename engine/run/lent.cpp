#include "engine/run/lent.hpp"

#include "engine/format/level.hpp"

namespace trellis::run {
namespace {

using format::Array;

/// As trellis_array numbers them.
constexpr std::array numbered{Array::positions, Array::coordinates, Array::table, Array::starts, Array::offsets};

std::size_t width_of(const format::Facts& facts, Array which) {
  if (which == Array::table && facts.locate == format::Locate::direct) return 1;
  return facts.wide ? 8 : 4;
}

}  // namespace

LentTensor::LentTensor(tensor::Tensor tensor, emit::TensorArgument::Role role)
    : tensor_(tensor.stored()),
      appended_(role == emit::TensorArgument::Role::appended || role == emit::TensorArgument::Role::continued),
      order_(tensor_.format().order.begin(), tensor_.format().order.end()),
      shape_(tensor.shape()) {
  const std::vector<format::Facts> all = format::facts(tensor_.format());
  for (std::size_t l = 0; l < all.size(); ++l) {
    const format::Facts facts = appended_ ? emit::as_appended(all[l]) : all[l];
    trellis_level level{};
    level.kind = static_cast<std::int32_t>(emit::level_kind(facts));
    level.flags = emit::level_flags(facts);
    level.size = tensor_.shape()[static_cast<std::size_t>(tensor_.format().order[l])];
    level.width = facts.slots + facts.width;
    for (std::size_t a = 0; a < numbered.size(); ++a) {
      level.arrays[a] = buffer(static_cast<int>(l), numbered[a]);
      const auto bytes = static_cast<std::int64_t>(width_of(facts, numbered[a]));
      level.arrays[a].count /= bytes;
      level.arrays[a].capacity /= bytes;
    }
    level.entries = level.arrays[TRELLIS_COORDINATES].count;
    levels_.push_back(level);
  }
  const bool layout = tensor.format().layout != nullptr;
  lent_.abi = TRELLIS_ABI;
  lent_.struct_size = sizeof lent_;
  lent_.level_size = sizeof(trellis_level);
  lent_.flags = tensor.format().pattern ? TRELLIS_PATTERN : 0;
  lent_.type = emit::type_number(tensor.type());
  lent_.rank = tensor.rank();
  lent_.levels = static_cast<std::int32_t>(levels_.size());
  lent_.shape = shape_.data();
  lent_.order = layout ? nullptr : order_.data();
  lent_.storage = levels_.data();
  lent_.values = buffer(-1, Array::values);
  const auto bytes = static_cast<std::int64_t>(format::size_of(tensor.type()));
  lent_.values.count /= bytes;
  lent_.values.capacity /= bytes;
  lent_.fill.bits = emit::fill_bits(tensor.fill());
  lent_.owner = this;
  lent_.grow = appended_ ? grow : nullptr;
}

/// In bytes.
trellis_buffer LentTensor::buffer(int level, Array which) const {
  return {tensor_.array(level, which), appended_ ? 0 : static_cast<std::int64_t>(tensor_.array_bytes(level, which)),
          static_cast<std::int64_t>(tensor_.array_room(level, which))};
}

int LentTensor::grow(trellis_tensor* lent, std::int32_t level, std::int32_t array, std::int64_t needed) {
  LentTensor& self = *static_cast<LentTensor*>(lent->owner);
  const Array which = level < 0 ? Array::values : numbered[static_cast<std::size_t>(array)];
  if (!self.tensor_.grow(level, which, needed)) return TRELLIS_OUT_OF_MEMORY;
  trellis_buffer& buffer = level < 0 ? lent->values : lent->storage[level].arrays[array];
  buffer.data = self.tensor_.array(level, which);
  const auto bytes = self.tensor_.array_room(level, which);
  const std::size_t width = level < 0                                   ? format::size_of(self.tensor_.type())
                            : lent->storage[level].flags & TRELLIS_WIDE ? 8
                                                                        : 4;
  buffer.capacity = static_cast<std::int64_t>(bytes / width);
  return 0;
}

}  // namespace trellis::run
