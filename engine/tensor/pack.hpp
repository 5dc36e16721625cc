#pragma once
// Packing: coordinates in any order, with repetitions, into any format.
//
// Entries stay where they are: a sorted list of their numbers, 4 bytes each, is all that packing takes beside its result.
// Entries that come sorted do not need even that.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::tensor {

/// One dimension's coordinate of each entry, `stride` numbers apart.
struct IndexColumn {
  const void* data = nullptr;
  bool wide = true;  ///< std::int64_t, else std::int32_t
  std::ptrdiff_t stride = 1;

  IndexColumn() = default;
  IndexColumn(std::span<const std::int64_t> numbers, std::ptrdiff_t step = 1) : data(numbers.data()), stride(step) {}
  IndexColumn(std::span<const std::int32_t> numbers, std::ptrdiff_t step = 1) : data(numbers.data()), wide(false), stride(step) {}
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
    memory               ///< refused by the system
  } kind = Kind::memory;
  std::size_t entry = 0;
  format::Value value = {};  ///< that does not fit, or disagrees
  format::Value other = {};
  std::size_t level = 0;     ///< of a region that was taken
};

/// What becomes of entries that hold the fill. `kept`: those that somebody listed, as far as a format can tell
/// (format::pads); `all`: padding too.
enum class ExplicitFills { kept, dropped, all };

struct PackOptions {
  std::size_t limit_bytes = std::numeric_limits<std::size_t>::max();  ///< for each array
  ExplicitFills fills = ExplicitFills::kept;                          ///< dropped: each entry by itself, before repetitions are summed
};

/// Repetitions are summed in the order in which they come (in f64 or i64, where the values are; booleans by `||`), and the
/// sum is converted. Of a pattern, only what is true becomes an entry.
std::optional<Tensor> pack(format::ScalarType type, const Index& shape, const format::Format& format, const format::Value& fill,
                           const Entries& entries, PackFailure& failure, const PackOptions& options = {});

/// "{dense, pinpoint} has no room for element (0, 3): `pinpoint` holds one coordinate for each entry above it".
std::string region_taken_text(const PackFailure& failure, const format::Format& format,
                              std::span<const std::int64_t> index);

/// E0206: the format has no room for the entry at `index`. E0410: beyond the limit, or that of 32-bit positions. E0411:
/// memory is refused. `format`: into which the tensor's entries were to be packed.
void report_pack_failure(const PackFailure& failure, const Tensor& tensor, const format::Format& format,
                         std::span<const std::int64_t> index, text::Span span, text::Diagnostics& diagnostics);

}  // namespace trellis::tensor
