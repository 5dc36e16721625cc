#pragma once
// What coordinate files hold: a list of entries, in no particular order, possibly with repetitions. Readers make
// these; loading and packing consume them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/tensor/column.hpp"
#include "engine/tensor/packing.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::tensor {

struct Coordinates {
  /// What the file says its values are; a pattern's are all true.
  enum class Field { real, integer, pattern };
  /// Whether the file states its shape or it was inferred from the largest indices (.tns).
  enum class Extent { stated, inferred };

  Index shape;
  Extent extent = Extent::stated;
  Field field = Field::real;
  Column<std::int64_t> indices;    ///< 0-based, `rank()` per entry
  Column<double> reals;            ///< one per entry if field is real
  Column<std::int64_t> integers;   ///< one per entry if field is integer
  bool unsigned_integers = false;  ///< the integers are the bits of u64 values
  Column<std::uint32_t> lines;     ///< of the file, one per entry, for messages; or none
  std::size_t count = 0;           ///< number of entries

  std::size_t rank() const { return shape.size(); }
  std::span<const std::int64_t> index(std::size_t entry) const {
    return std::span(indices).subspan(entry * rank(), rank());
  }
  /// Memory per entry; readers hold count * entry_bytes() below their limit.
  std::size_t entry_bytes() const { return 8 * (rank() + (field == Field::pattern ? 0 : 1)) + 4; }
  /// In f64, i64, u64 or bool.
  format::Value value(std::size_t entry) const;
};

/// Sorts by index, row-major, and sums repetitions in the order of the file (a pattern keeps one). False when there are
/// more than can be sorted, 2^32.
bool sort_and_sum(Coordinates& coordinates);

/// Drops dimensions of size 1, from the last on, until `rank` are left: an n x 1 file holds a vector of n.
/// False if that is impossible.
bool squeeze_to(Coordinates& coordinates, int rank);

/// As `pack` takes them; the coordinates must outlive them.
Entries entries_of(const Coordinates& coordinates);

/// The value in `type`, or empty when that would change it by more than floating rounding.
std::optional<format::Value> convert_exactly(format::ScalarType type, const format::Value& value);

/// "(0,3)", for messages.
std::string element_text(std::span<const std::int64_t> index);

}  // namespace trellis::tensor
