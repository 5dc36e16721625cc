#include "engine/tensor/tensor.hpp"

#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/format/storage_order.hpp"
#include "engine/tensor/layout_map.hpp"
#include "engine/tensor/storage.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::tensor {

namespace {

Index strides_of(const Index& shape, const std::vector<int>& order) {
  Index strides(shape.size());
  std::int64_t step = 1;
  for (auto level = order.rbegin(); level != order.rend(); ++level) {
    strides[*level] = step;
    step *= shape[*level];
  }
  return strides;
}

std::shared_ptr<SharedArray> copy_of(const std::shared_ptr<SharedArray>& array, std::size_t bytes, Writer writer,
                                     bool& refused) {
  if (!array) return nullptr;
  auto copy = SharedArray::allocate(bytes, writer, SharedArray::Content::anything);
  if (copy) copy->copy_from(*array, bytes);
  else refused = true;
  return copy;
}

}  // namespace

std::optional<std::size_t> Tensor::bytes_needed(format::ScalarType type, const Index& shape) {
  auto bytes = static_cast<std::int64_t>(format::size_of(type));
  bool empty = false;
  for (std::int64_t size : shape) {
    if (size < 0) return std::nullopt;
    empty = empty || size == 0;
    // Sizes beside a zero still take part in strides, so they must not overflow either.
    if (size > 0 && __builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  }
  return empty ? 0 : static_cast<std::size_t>(bytes);
}

Tensor Tensor::of(format::ScalarType type, Index shape, format::Format format, format::Value fill,
                  std::shared_ptr<Storage> storage) {
  Tensor tensor;
  tensor.type_ = type;
  if (format.all_dense()) tensor.strides_ = strides_of(shape, format.order);
  if (format.layout) tensor.layout_map_ = std::make_shared<const LayoutMap>(*format.layout, shape);
  tensor.shape_ = std::move(shape);
  tensor.format_ = std::move(format);
  tensor.fill_ = fill;
  tensor.storage_ = std::move(storage);
  return tensor;
}

Tensor Tensor::stored() const {
  if (!format_.layout) return *this;
  return of(type_, format::level_sizes(format_, shape_), format_.stored(), fill_, storage_);
}

Tensor Tensor::as(Index shape, format::Format format) const {
  return of(type_, std::move(shape), std::move(format), fill_, storage_);
}

std::int64_t Tensor::count() const {
  std::int64_t count = 1;
  for (const std::int64_t size : shape_) {
    if (size == 0) return 0;
    count = times(count, size);
  }
  return count;
}

namespace {

std::shared_ptr<SharedArray>* memory_of(Storage& storage, int level, format::Array which) {
  if (level < 0) return which == format::Array::values ? &storage.values : nullptr;
  LevelStorage& l = storage.levels[static_cast<std::size_t>(level)];
  switch (which) {
    case format::Array::positions: return &l.positions;
    case format::Array::coordinates: return &l.coordinates;
    case format::Array::table: return &l.table;
    case format::Array::starts: return &l.starts;
    case format::Array::offsets: return &l.offsets;
    case format::Array::values: break;
  }
  return nullptr;
}

}  // namespace

void* Tensor::array(int level, format::Array which) const {
  const auto* memory = memory_of(*storage_, level, which);
  return memory && *memory ? (*memory)->data() : nullptr;
}

std::optional<FilePlace> Tensor::array_place(int level, format::Array which) const {
  const auto* memory = memory_of(*storage_, level, which);
  return memory && *memory ? (*memory)->place() : std::nullopt;
}

bool Tensor::share(int level, format::Array which) const {
  auto* const memory = memory_of(*storage_, level, which);
  if (!memory || !*memory || (*memory)->shared()) return true;
  assert(!reserved());
  bool refused = false;
  auto copy = copy_of(*memory, array_bytes(level, which), Writer::child_process, refused);
  if (!refused) *memory = std::move(copy);
  return !refused;
}

std::size_t Tensor::array_bytes(int level, format::Array which) const {
  if (array(level, which) == nullptr) return 0;
  if (level < 0) return static_cast<std::size_t>(storage_->places) * format::size_of(type_);
  const LevelStorage& l = storage_->levels[static_cast<std::size_t>(level)];
  const std::int64_t regions = l.facts.bounded ? l.parents : l.entries;
  switch (which) {
    case format::Array::positions: return static_cast<std::size_t>(l.parents + 1) * l.width();
    case format::Array::coordinates: return static_cast<std::size_t>(l.entries) * l.width();
    case format::Array::table:
      return l.facts.locate == format::Locate::direct ? static_cast<std::size_t>(l.children()) : l.table->size();
    case format::Array::starts: return static_cast<std::size_t>(regions) * l.width();
    case format::Array::offsets: return static_cast<std::size_t>(regions + 1) * l.width();
    case format::Array::values: break;
  }
  return 0;
}

bool Tensor::grow(int level, format::Array which, std::int64_t elements) {
  std::shared_ptr<SharedArray>& memory = *memory_of(*storage_, level, which);
  const std::size_t width =
      level < 0 ? format::size_of(type_) : storage_->levels[static_cast<std::size_t>(level)].width();
  const std::int64_t bytes = times(elements, static_cast<std::int64_t>(width));
  if (bytes == INT64_MAX) return false;
  if (memory && memory->size() >= static_cast<std::size_t>(bytes)) return true;
  const auto larger = SharedArray::scratch(static_cast<std::size_t>(bytes), SharedArray::Content::anything);
  if (!larger) return false;
  if (memory) std::memcpy(larger->data(), memory->data(), memory->size());
  memory = larger;
  if (which == format::Array::coordinates) storage_->capacity = std::max(storage_->capacity, elements);
  return true;
}

std::size_t Tensor::array_room(int level, format::Array which) const {
  const auto* memory = memory_of(*storage_, level, which);
  return memory && *memory ? (*memory)->size() : 0;
}

std::size_t Tensor::array_in_memory(int level, format::Array which) const {
  const auto* memory = memory_of(*storage_, level, which);
  if (!memory || !*memory) return 0;
  return reserved() ? (*memory)->resident() : array_bytes(level, which);
}

bool Tensor::reserved() const { return storage_->capacity >= 0; }
std::int64_t Tensor::capacity() const { return reserved() ? storage_->capacity : count(); }
std::int64_t Tensor::entries() const { return dense() ? count() : storage_->stored; }

std::size_t Tensor::bytes() const {
  std::size_t sum = array_bytes(-1, format::Array::values);
  for (int level = 0; level < levels(); ++level)
    for (const format::Array which : format::level_arrays) sum += array_bytes(level, which);
  return sum;
}

bool Tensor::in_range(std::span<const std::int64_t> index) const {
  if (index.size() != shape_.size()) return false;
  for (std::size_t d = 0; d < index.size(); ++d)
    if (index[d] < 0 || index[d] >= shape_[d]) return false;
  return true;
}

std::int64_t Tensor::offset(std::span<const std::int64_t> index) const {
  assert(in_range(index) && dense());
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < index.size(); ++d) flat += strides_[d] * index[d];
  return flat;
}

void Tensor::set(std::span<const std::int64_t> index, const format::Value& value) { set_flat(offset(index), value); }

format::Value Tensor::get_flat(std::int64_t at) const {
  if (!storage_->values) return format::Value::truth(true);
  return with_elements(type_, data(), [&]<class T>(T* elements) { return value_of(type_, elements[at]); });
}

void Tensor::set_flat(std::int64_t at, const format::Value& value) {
  assert(value.type == type_);
  with_elements(type_, data(), [&]<class T>(T* elements) { elements[at] = stored_as<T>(value); });
}

void Tensor::reset() {
  if (dense()) {
    with_elements(type_, data(), [&]<class T>(T* elements) { std::fill_n(elements, count(), stored_as<T>(fill_)); });
  } else if (auto nothing = create(type_, shape_, format_, fill_)) {
    assign(*nothing);
  }
}

void Tensor::assign(const Tensor& other) {
  assert(type_ == other.type_ && shape_ == other.shape_ && format_ == other.format_);
  *storage_ = *other.storage_;
}

Tensor Tensor::clone(Writer writer) const {
  Tensor copy = *this;
  if (!storage_) return copy;
  assert(!reserved());
  copy.storage_ = std::make_shared<Storage>(*storage_);
  bool refused = false;
  Storage& storage = *copy.storage_;
  storage.values = copy_of(storage_->values, array_bytes(-1, format::Array::values), writer, refused);
  for (int l = 0; l < levels(); ++l)
    for (const format::Array which : format::level_arrays) {
      std::shared_ptr<SharedArray>& array = *memory_of(storage, l, which);
      array = copy_of(array, array_bytes(l, which), writer, refused);
    }
  if (refused) copy.storage_ = nullptr;
  return copy;
}

void for_each_index(const Index& shape, const std::function<void(const Index&)>& visit) {
  if (contains(shape, 0)) return;
  Index index(shape.size(), 0);
  while (true) {
    visit(index);
    std::size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace trellis::tensor
