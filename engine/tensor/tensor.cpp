#include "engine/tensor/tensor.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

namespace trellis::tensor {

std::shared_ptr<SharedArray> SharedArray::allocate(std::size_t bytes) {
  bytes = std::max<std::size_t>(bytes, 1);
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  return std::shared_ptr<SharedArray>(new SharedArray(data, bytes));
}

SharedArray::~SharedArray() { munmap(data_, size_); }

namespace {

std::int64_t product(const Index& shape) {
  std::int64_t count = 1;
  for (std::int64_t size : shape) count *= size;
  return count;
}

Index strides_of(const Index& shape, const std::vector<int>& order) {
  Index strides(shape.size());
  std::int64_t step = 1;
  for (auto level = order.rbegin(); level != order.rend(); ++level) {
    strides[*level] = step;
    step *= shape[*level];
  }
  return strides;
}

/// Calls `use` with a typed pointer to the elements; bool is stored as a byte.
template <class Use>
auto with_elements(format::ScalarType type, void* data, Use&& use) {
  using format::ScalarType;
  switch (type) {
    case ScalarType::f64: return use(static_cast<double*>(data));
    case ScalarType::f32: return use(static_cast<float*>(data));
    case ScalarType::i64: return use(static_cast<std::int64_t*>(data));
    case ScalarType::i32: return use(static_cast<std::int32_t*>(data));
    case ScalarType::i16: return use(static_cast<std::int16_t*>(data));
    case ScalarType::u64: return use(static_cast<std::uint64_t*>(data));
    case ScalarType::u32: return use(static_cast<std::uint32_t*>(data));
    case ScalarType::u8:
    case ScalarType::boolean: break;
  }
  return use(static_cast<std::uint8_t*>(data));
}

template <class T>
T stored(const format::Value& value) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(value.real);
  else return static_cast<T>(value.integer);
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

std::optional<Tensor> Tensor::create(format::ScalarType type, Index shape, format::Format format, format::Value fill) {
  assert(format.all_dense() && format.order.size() == shape.size() && fill.type == type);
  auto bytes = bytes_needed(type, shape);
  if (!bytes) return std::nullopt;
  Tensor tensor;
  tensor.array_ = SharedArray::allocate(*bytes);
  if (!tensor.array_) return std::nullopt;
  tensor.type_ = type;
  tensor.strides_ = strides_of(shape, format.order);
  tensor.shape_ = std::move(shape);
  tensor.format_ = std::move(format);
  tensor.fill_ = fill;
  bool zero_bits = fill.integer == 0 && fill.real == 0 && !std::signbit(fill.real);
  if (!zero_bits) tensor.reset();
  return tensor;
}

std::int64_t Tensor::count() const { return product(shape_); }

void* Tensor::array(int level, format::Array which) const {
  return level < 0 && which == format::Array::values ? data() : nullptr;
}

std::int64_t Tensor::capacity() const { return count(); }

bool Tensor::in_range(std::span<const std::int64_t> index) const {
  if (index.size() != shape_.size()) return false;
  for (std::size_t d = 0; d < index.size(); ++d)
    if (index[d] < 0 || index[d] >= shape_[d]) return false;
  return true;
}

std::int64_t Tensor::offset(std::span<const std::int64_t> index) const {
  assert(in_range(index));
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < index.size(); ++d) flat += strides_[d] * index[d];
  return flat;
}

format::Value Tensor::get(std::span<const std::int64_t> index) const { return get_flat(offset(index)); }

void Tensor::set(std::span<const std::int64_t> index, const format::Value& value) { set_flat(offset(index), value); }

format::Value Tensor::get_flat(std::int64_t at) const {
  return with_elements(type_, data(), [&]<class T>(T* elements) -> format::Value {
    if constexpr (std::is_floating_point_v<T>) return {type_, elements[at], 0};
    else return {type_, 0, static_cast<std::int64_t>(elements[at])};
  });
}

void Tensor::set_flat(std::int64_t at, const format::Value& value) {
  assert(value.type == type_);
  with_elements(type_, data(), [&]<class T>(T* elements) { elements[at] = stored<T>(value); });
}

void Tensor::reset() {
  with_elements(type_, data(), [&]<class T>(T* elements) { std::fill_n(elements, count(), stored<T>(fill_)); });
}

Tensor Tensor::clone() const {
  Tensor copy = *this;
  if (!array_) return copy;
  copy.array_ = SharedArray::allocate(array_->size());
  if (copy.array_) std::memcpy(copy.data(), data(), array_->size());
  return copy;
}

std::optional<Tensor> Tensor::with_format(const format::Format& format) const {
  auto other = create(type_, shape_, format, fill_);
  if (!other) return std::nullopt;
  for_each_index(shape_, [&](const Index& index) { other->set(index, get(index)); });
  return other;
}

void for_each_index(const Index& shape, const std::function<void(const Index&)>& visit) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
  Index index(shape.size(), 0);
  while (true) {
    visit(index);
    std::size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace trellis::tensor
