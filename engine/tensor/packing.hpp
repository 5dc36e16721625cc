#pragma once
// What packing takes and how it can fail: entries as columns of coordinates, of which each may lie anywhere in memory.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/format/scalar.hpp"
#include "engine/tensor/cancelled.hpp"

namespace trellis::tensor {

/// One dimension's coordinate of each entry, `stride` numbers apart.
struct IndexColumn {
  const void* data = nullptr;
  bool wide = true;  ///< std::int64_t, else std::int32_t
  std::ptrdiff_t stride = 1;

  IndexColumn() = default;
  IndexColumn(std::span<const std::int64_t> numbers, std::ptrdiff_t step = 1) : data(numbers.data()), stride(step) {}
  IndexColumn(std::span<const std::int32_t> numbers, std::ptrdiff_t step = 1)
      : data(numbers.data()), wide(false), stride(step) {}
  std::int64_t operator[](std::size_t entry) const {
    const auto at = static_cast<std::ptrdiff_t>(entry) * stride;
    return wide ? static_cast<const std::int64_t*>(data)[at] : static_cast<const std::int32_t*>(data)[at];
  }
};

/// Entries by columns; nothing is copied. Indices are 0-based.
struct Entries {
  std::size_t count = 0;
  std::vector<IndexColumn> indices;  ///< one per dimension
  const void* values = nullptr;      ///< of `type`; none: each entry is true
  format::ScalarType type = format::ScalarType::f64;
};

/// The entry at which packing ended, and why.
struct PackFailure {
  enum class Kind {
    index_out_of_range,  ///< `entry` lies outside the shape
    does_not_fit,        ///< the value of `entry`, repetitions summed, does not fit the element type
    region_taken,        ///< `level` would need a second region below one parent, for `entry`
    not_stored,          ///< the layout has no place for `entry`
    disagrees,           ///< `entry` has a value, and what shares its place has `other`
    too_many,            ///< more than the positions count, or than 2^32 entries
    too_large,           ///< beyond the limit
    memory,              ///< refused by the system
    cancelled            ///< nobody waits for it any more
  } kind = Kind::memory;
  std::size_t entry = 0;
  format::Value value = {};  ///< that does not fit, or disagrees
  format::Value other = {};
  std::size_t level = 0;  ///< of a region that was taken
};

/// What becomes of entries that hold the fill. `kept`: those that somebody listed, as far as a format can tell
/// (format::pads); `all`: padding too.
enum class ExplicitFills { kept, dropped, all };

struct PackOptions {
  std::size_t limit_bytes = std::numeric_limits<std::size_t>::max();  ///< for each array
  ExplicitFills fills = ExplicitFills::kept;  ///< dropped: each entry by itself, before repetitions are summed
  Cancelled cancelled = {};                   ///< asked every few thousand entries
};

}  // namespace trellis::tensor
