#pragma once
// A tensor in memory: the arrays of its levels and its values, in storage order, each in a mapping of its own, which is
// shared where a kernel in a child process writes what the session reads. format/level.hpp says which arrays a level
// has. A dense tensor is one flat array of values.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/format/format.hpp"
#include "engine/format/level.hpp"
#include "engine/format/scalar.hpp"
#include "engine/tensor/shared_array.hpp"

namespace trellis::tensor {

using Index = std::vector<std::int64_t>;

struct Storage;
class LayoutMap;

class Tensor {
 public:
  Tensor() = default;
  /// Every element becomes `fill`. Empty when the product of sizes overflows or memory is refused; see `bytes_needed`.
  /// With sparse levels nothing is stored, which comes to the same.
  static std::optional<Tensor> create(format::ScalarType type, Index shape, format::Format format, format::Value fill);
  /// Nothing is stored, and the arrays may grow in place, by a kernel that appends, until one of them takes
  /// `limit_bytes`: address space is set aside, memory only as it is touched. Every sparse level is appended to as if
  /// it were compressed: positions, coordinates, and a value per entry of the last level.
  static std::optional<Tensor> reserve(format::ScalarType type, Index shape, format::Format format, format::Value fill,
                                       std::size_t limit_bytes, Writer writer = Writer::child_process,
                                       std::int64_t most_entries = std::numeric_limits<std::int64_t>::max());
  /// A reserved tensor that holds what this one does, laid out as if it had been appended: for a kernel that reads it,
  /// and then begins again. Empty when that takes more than `limit_bytes`, or memory is refused.
  std::optional<Tensor> with_room(std::size_t limit_bytes, Writer writer = Writer::child_process) const;
  /// The same with room for a few more entries alone, in memory that `grow` can replace.
  std::optional<Tensor> with_some_room() const;
  /// Makes room for at least `elements` in an array of such a tensor, and keeps what is there. False when memory is
  /// refused.
  bool grow(int level, format::Array which, std::int64_t elements);
  /// After a kernel has appended to a reserved tensor: counts the entries, builds the tables, moves values where a
  /// level computes their place, and gives back what was not used. False when memory is refused, or when a level has no
  /// room for a second region: then it stays as it was appended, in the format of that.
  bool publish();
  /// Empty on overflow.
  static std::optional<std::size_t> bytes_needed(format::ScalarType type, const Index& shape);
  /// Of a tensor in any format with nothing stored (dense levels still take their room). Empty on overflow.
  static std::optional<std::size_t> bytes_needed(format::ScalarType type, const Index& shape,
                                                 const format::Format& format);
  /// The tensor that these arrays make up.
  static Tensor of(format::ScalarType type, Index shape, format::Format format, format::Value fill,
                   std::shared_ptr<Storage> storage);

  format::ScalarType type() const { return type_; }
  const Index& shape() const { return shape_; }
  int rank() const { return static_cast<int>(shape_.size()); }
  int levels() const { return format_.rank(); }
  const format::Format& format() const { return format_; }
  const format::Value& fill() const { return fill_; }
  bool dense() const { return format_.all_dense(); }
  std::int64_t count() const;  ///< number of elements, at most 2^63 - 1
  /// Elements to step in the flat array per unit of each dimension; of a dense tensor.
  const Index& strides() const { return strides_; }
  void* data() const { return array(-1, format::Array::values); }  ///< the values
  /// An array of a level, or with level -1 the values; null when the format has no such array.
  void* array(int level, format::Array which) const;
  std::size_t array_bytes(int level, format::Array which) const;
  /// All elements at `fill`, stored where this one stores some: both share the arrays of the levels, which nobody may
  /// change. `format` has the same levels. Empty when memory is refused.
  std::optional<Tensor> with_own_values(format::ScalarType type, const format::Format& format,
                                        const format::Value& fill, Writer writer = Writer::this_process) const;
  /// All elements at the fill, stored where `other` stores some: its outer levels are the same, and lend their arrays,
  /// which nobody may change; all other levels here are dense. Empty when memory is refused.
  std::optional<Tensor> with_structure_of(const Tensor& other, Writer writer = Writer::this_process) const;
  /// Bytes that there are addresses for: more than are filled while the tensor is reserved.
  std::size_t array_room(int level, format::Array which) const;
  /// How many of them, from the first, are in memory already.
  std::size_t array_in_memory(int level, format::Array which) const;
  /// The file that holds an array; empty where it is in memory alone.
  std::optional<FilePlace> array_place(int level, format::Array which) const;
  /// Moves an array, for all that hold this tensor, to where a child process can write to it. False when memory is
  /// refused.
  bool share(int level, format::Array which) const;
  /// Between `reserve` and `publish`: what the arrays hold is a kernel's business, and nothing counts as stored.
  bool reserved() const;
  /// How many entries a reserved tensor has room for at any of its levels.
  std::int64_t capacity() const;
  /// Elements that have a place in storage: all of a dense tensor's, and explicit fills.
  std::int64_t entries() const;
  /// Bytes of all arrays.
  std::size_t bytes() const;

  bool in_range(std::span<const std::int64_t> index) const;
  /// The element's value, found level by level; the index must be in range.
  format::Value get(std::span<const std::int64_t> index) const;
  /// Where the values have the element, or -1 when it is not stored.
  std::int64_t find(std::span<const std::int64_t> index) const;
  /// The value at a place among the values, as `find` says it; of a pattern always true.
  format::Value get_flat(std::int64_t offset) const;
  void set_flat(std::int64_t offset, const format::Value& value);
  std::int64_t offset(std::span<const std::int64_t> index) const;  ///< of a dense tensor; the index must be in range
  void set(std::span<const std::int64_t> index, const format::Value& value);  ///< of a dense tensor
  void reset();  ///< every element becomes the fill; of sparse levels, nothing is stored
  /// This tensor, and all that share it, take the arrays of `other`, which has the same type, shape and format.
  void assign(const Tensor& other);

  /// Own memory; a Tensor is otherwise a shared reference. Converts to false when memory is refused.
  Tensor clone(Writer writer = Writer::this_process) const;

  /// Where its format's layout has elements; null without one.
  const std::shared_ptr<const LayoutMap>& layout_map() const { return layout_map_; }
  /// What a layout stores, as a tensor of the levels' own coordinates, which shares all arrays; without one itself.
  Tensor stored() const;
  /// The tensor whose storage this is: what `stored` gave, or would give.
  Tensor as(Index shape, format::Format format) const;

  /// For this folder and its tests; storage.hpp.
  Storage& storage() const { return *storage_; }
  explicit operator bool() const { return storage_ != nullptr; }

 private:
  format::ScalarType type_ = format::ScalarType::f64;
  Index shape_;
  Index strides_;
  format::Format format_;
  format::Value fill_;
  std::shared_ptr<Storage> storage_;
  std::shared_ptr<const LayoutMap> layout_map_;
};

/// Every index of `shape`, the last dimension fastest; once with an empty index for a scalar.
void for_each_index(const Index& shape, const std::function<void(const Index&)>& visit);

}  // namespace trellis::tensor
