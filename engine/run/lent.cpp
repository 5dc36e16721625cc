#include "engine/run/lent.hpp"

#include <algorithm>

#include "engine/format/level.hpp"
#include "engine/format/storage_order.hpp"

namespace trellis::run {
namespace {

using format::Array;
using Role = emit::TensorArgument::Role;

/// As trellis_array numbers them.
constexpr std::array numbered{Array::positions, Array::coordinates, Array::table, Array::starts, Array::offsets};

/// Room that a result begins with of what was set aside: it gets more as it asks for it, so that a kernel that begins
/// with positions of zero writes few of those that nobody comes to.
constexpr std::int64_t first_elements = 256;

bool is_appended(Role role) { return role == Role::appended || role == Role::continued; }

}  // namespace

LentFormat::LentFormat(format::ScalarType type, const format::Format& stored_as, const format::Value& fill, Role role)
    : format(stored_as) {
  for (const format::Facts& stored : format::facts(format)) {
    const format::Facts facts = is_appended(role) ? emit::as_appended(stored) : stored;
    trellis_level level{};
    level.kind = static_cast<std::int32_t>(emit::level_kind(facts));
    level.flags = emit::level_flags(facts);
    level.width = facts.slots + facts.width;
    if (!format.layout) order.push_back(static_cast<std::int32_t>(format::dimension_of(format, levels.size())));
    levels.push_back(level);
  }
  tensor.abi = TRELLIS_ABI;
  tensor.struct_size = sizeof tensor;
  tensor.level_size = sizeof(trellis_level);
  tensor.flags = format.pattern ? TRELLIS_PATTERN : 0;
  tensor.type = emit::type_number(type);
  tensor.levels = static_cast<std::int32_t>(levels.size());
  tensor.fill.bits = emit::fill_bits(fill);
}

LentTensor::LentTensor(const LentFormat& as, tensor::Index shape)
    : shape_(std::move(shape)), levels_(as.levels), lent_(as.tensor) {
  const tensor::Index sizes = format::level_sizes(as.format, shape_);
  for (std::size_t l = 0; l < levels_.size(); ++l) levels_[l].size = sizes[l];
  lent_.rank = static_cast<std::int32_t>(shape_.size());
  lent_.shape = shape_.data();
  lent_.order = as.format.layout ? nullptr : as.order.data();
  lent_.storage = levels_.data();
}

OwnLentTensor::OwnLentTensor(tensor::Tensor tensor, Role role, std::size_t most_bytes)
    : tensor_(tensor.stored()),
      role_(role),
      most_bytes_(most_bytes),
      as_(tensor.type(), tensor.format(), tensor.fill(), role),
      lent_(as_, tensor.shape()) {
  for (int l = 0; l < tensor_.levels(); ++l) {
    trellis_level& level = lent_.level(static_cast<std::size_t>(l));
    for (std::size_t a = 0; a < numbered.size(); ++a) level.arrays[a] = buffer(l, numbered[a]);
    level.entries = level.arrays[TRELLIS_COORDINATES].count;
  }
  trellis_tensor& lent = *lent_.get();
  lent.values = buffer(-1, Array::values);
  lent.owner = this;
  lent.grow = is_appended(role) ? grow : nullptr;
}

std::int64_t OwnLentTensor::width_of(int level, Array which) const {
  if (level < 0) return static_cast<std::int64_t>(format::size_of(tensor_.type()));
  const trellis_level& lent = as_.levels[static_cast<std::size_t>(level)];
  if (which == Array::table && lent.kind == TRELLIS_BYTEMAP) return 1;
  return lent.flags & TRELLIS_WIDE ? 8 : 4;
}

trellis_buffer OwnLentTensor::buffer(int level, Array which) const {
  const std::int64_t width = width_of(level, which);
  const auto elements = [&](std::size_t bytes) { return static_cast<std::int64_t>(bytes) / width; };
  const std::int64_t room = elements(tensor_.array_room(level, which));
  return {tensor_.array(level, which), is_appended(role_) ? 0 : elements(tensor_.array_bytes(level, which)),
          role_ == Role::appended ? std::min(room, first_elements) : room};
}

int OwnLentTensor::grow(trellis_tensor* lent, std::int32_t level, std::int32_t array, std::int64_t needed) {
  OwnLentTensor& self = *static_cast<OwnLentTensor*>(lent->owner);
  const Array which = level < 0 ? Array::values : numbered[static_cast<std::size_t>(array)];
  const std::int64_t width = self.width_of(level, which);
  if (static_cast<std::size_t>(needed) > self.most_bytes_ / static_cast<std::size_t>(width))
    return TRELLIS_OUT_OF_MEMORY;
  if (!self.tensor_.grow(level, which, needed)) return TRELLIS_OUT_OF_MEMORY;
  trellis_buffer& buffer = level < 0 ? lent->values : lent->storage[level].arrays[array];
  buffer.data = self.tensor_.array(level, which);
  buffer.capacity = std::min(needed, static_cast<std::int64_t>(self.tensor_.array_room(level, which)) / width);
  return 0;
}

}  // namespace trellis::run
