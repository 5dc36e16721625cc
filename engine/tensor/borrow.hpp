#pragma once
// Tensors in somebody else's memory, such as the arrays of a Python object: nothing is copied, nothing is written.
//
//   indptr [0 2 2 3]  indices [1 3 0]  data [1 2 3]     ->     a csr of 3 rows, whose arrays are these three
//
// What index arrays hold is believed here; trust.hpp looks at them.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "engine/tensor/file_place.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// The arrays of one level, as format/level.hpp counts their elements; null where the level has none. Tables are ours
/// alone: nobody lends any.
struct BorrowedLevel {
  const void* positions = nullptr;
  const void* coordinates = nullptr;
  const void* starts = nullptr;
  const void* offsets = nullptr;
  std::int64_t entries = 0;  ///< coordinates that are listed; 0 of a dense level
};

/// What is borrowed: a level for each of the format's, and the values, of which a pattern has none.
struct BorrowedArrays {
  std::span<const BorrowedLevel> levels;
  const void* values = nullptr;
  std::shared_ptr<const void> owner;              ///< held as long as any tensor has these arrays
  std::optional<FilePlace> place = std::nullopt;  ///< of the values, where they are a file's
};

/// The tensor that these arrays make up. Empty where sizes overflow. Its arrays are those of `arrays`: results, which
/// kernels write, are never borrowed.
std::optional<Tensor> borrow(format::ScalarType type, const Index& shape, const format::Format& format,
                             const format::Value& fill, const BorrowedArrays& arrays);

}  // namespace trellis::tensor
