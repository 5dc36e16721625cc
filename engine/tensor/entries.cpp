#include "engine/tensor/entries.hpp"

#include <algorithm>
#include <cstring>

#include "engine/tensor/convert.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {
namespace {

bool same_layout(const format::Format& a, const format::Format& b) {
  format::Format other = a;
  other.name = b.name;
  other.pattern = b.pattern;
  return other == b;
}

const format::Value no = format::Value::truth(false);

}  // namespace

std::optional<Tensor> entries_of(const Tensor& tensor, const format::Format& format) {
  format::Format own = tensor.format();
  own.pattern = true;
  own.name.clear();
  if (!format::objection(own).empty()) {  // some of its places belong to nobody
    format::Format lists = format;
    lists.pattern = false;
    const auto listed = convert(tensor, lists, ExplicitFills::kept);
    return listed ? entries_of(*listed, format) : std::nullopt;
  }
  auto storage = std::make_shared<Storage>(tensor.storage());
  storage->values = nullptr;
  const Tensor shared = Tensor::of(format::ScalarType::boolean, tensor.shape(), same_layout(own, format) ? format : own,
                                   no, std::move(storage));
  return same_layout(own, format) ? std::optional(shared) : convert(shared, format, ExplicitFills::kept);
}

bool same_entries(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape() || !same_layout(a.format(), b.format()) || a.entries() != b.entries()) return false;
  for (int level = 0; level < a.levels(); ++level)
    for (const format::Array which : format::level_arrays) {
      const void *left = a.array(level, which), *right = b.array(level, which);
      if (left == right) continue;
      const std::size_t bytes = left && right ? a.array_bytes(level, which) : 0;
      if (!left || !right || bytes != b.array_bytes(level, which) || std::memcmp(left, right, bytes) != 0) return false;
    }
  return true;
}

}  // namespace trellis::tensor
