#pragma once
// A tensor in memory: the arrays of its levels and its values, in storage order, each in a shared mapping, so that a kernel
// in a child process writes where the session reads, and forking copies no page tables. format/level.hpp says which arrays a
// level has. A dense tensor is one flat array of values.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/format/format.hpp"
#include "engine/format/level.hpp"
#include "engine/format/scalar.hpp"

namespace trellis::tensor {

using Index = std::vector<std::int64_t>;

/// Bytes in MAP_SHARED | MAP_ANONYMOUS memory, zeroed; never empty, so that address 0 never reaches a kernel.
class SharedArray {
 public:
  /// Empty when the system refuses.
  static std::shared_ptr<SharedArray> allocate(std::size_t bytes);
  ~SharedArray();
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;

  void* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  SharedArray(void* data, std::size_t size) : data_(data), size_(size) {}
  void* data_;
  std::size_t size_;
};

class Tensor {
 public:
  Tensor() = default;
  /// Every element becomes `fill`. Empty when the product of sizes overflows or memory is refused; see `bytes_needed`.
  /// With sparse levels nothing is stored, which comes to the same.
  static std::optional<Tensor> create(format::ScalarType type, Index shape, format::Format format, format::Value fill);
  /// Nothing is stored, and the arrays may grow in place, by a kernel that appends, until one of them takes `limit_bytes`:
  /// address space is set aside, memory only as it is touched. Every sparse level is appended to as if it were compressed:
  /// positions, coordinates, and a value per entry of the last level.
  static std::optional<Tensor> reserve(format::ScalarType type, Index shape, format::Format format, format::Value fill,
                                       std::size_t limit_bytes);
  /// After a kernel has appended to a reserved tensor: counts the entries, builds the tables, moves values where a level
  /// computes their place, and gives back what was not used. False when memory is refused.
  bool settle();
  /// Empty on overflow.
  static std::optional<std::size_t> bytes_needed(format::ScalarType type, const Index& shape);

  format::ScalarType type() const { return type_; }
  const Index& shape() const { return shape_; }
  int rank() const { return static_cast<int>(shape_.size()); }
  const format::Format& format() const { return format_; }
  const format::Value& fill() const { return fill_; }
  std::int64_t count() const;  ///< number of elements
  /// Elements to step in the flat array per unit of each dimension.
  const Index& strides() const { return strides_; }
  void* data() const { return array_->data(); }  ///< the values
  /// An array of a level, or with level -1 the values; null when the format has no such array.
  void* array(int level, format::Array which) const;
  std::size_t array_bytes(int level, format::Array which) const;
  /// How many entries a reserved tensor has room for at any of its levels.
  std::int64_t capacity() const;
  /// Elements that have a place in storage: all of a dense tensor's, and explicit fills.
  std::int64_t entries() const;
  /// Bytes of all arrays.
  std::size_t bytes() const;

  bool in_range(std::span<const std::int64_t> index) const;
  std::int64_t offset(std::span<const std::int64_t> index) const;  ///< flat; the index must be in range
  format::Value get(std::span<const std::int64_t> index) const;
  void set(std::span<const std::int64_t> index, const format::Value& value);
  format::Value get_flat(std::int64_t offset) const;
  void set_flat(std::int64_t offset, const format::Value& value);
  void reset();  ///< every element becomes the fill

  /// Own memory; a Tensor is otherwise a shared reference. Converts to false when memory is refused.
  Tensor clone() const;
  /// The same values in another dense storage order.
  std::optional<Tensor> with_format(const format::Format& format) const;

  explicit operator bool() const { return array_ != nullptr; }

 private:
  format::ScalarType type_ = format::ScalarType::f64;
  Index shape_;
  Index strides_;
  format::Format format_;
  format::Value fill_;
  std::shared_ptr<SharedArray> array_;
};

/// Every index of `shape`, the last dimension fastest; once with an empty index for a scalar.
void for_each_index(const Index& shape, const std::function<void(const Index&)>& visit);

}  // namespace trellis::tensor
