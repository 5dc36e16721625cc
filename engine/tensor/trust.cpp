#include "engine/tensor/trust.hpp"

#include <algorithm>
#include <type_traits>

namespace trellis::tensor {
namespace {

template <class Int>
const Int* ints(const void* data) {
  return static_cast<const Int*>(data);
}

/// A negative one is greater than any size, once it counts as unsigned.
template <class Int>
bool all_below(const Int* coordinates, std::int64_t entries, std::int64_t size) {
  using Unsigned = std::make_unsigned_t<Int>;
  Unsigned greatest = 0;
  for (std::int64_t k = 0; k < entries; ++k) greatest = std::max(greatest, static_cast<Unsigned>(coordinates[k]));
  return entries == 0 || static_cast<std::uint64_t>(greatest) < static_cast<std::uint64_t>(size);
}

template <class Int>
bool never_fall(const Int* positions, std::int64_t parents) {
  int falls = 0;
  for (std::int64_t p = 0; p < parents; ++p) falls |= positions[p + 1] < positions[p];
  return falls == 0;
}

template <class Int>
std::int64_t descents(const Int* coordinates, std::int64_t entries) {
  std::int64_t count = 0;
  for (std::int64_t k = 1; k < entries; ++k) count += coordinates[k] <= coordinates[k - 1];
  return count;
}

/// Of those, the ones where a fiber begins after another that has entries.
template <class Int>
std::int64_t descents_at_beginnings(const Int* positions, std::int64_t parents, const Int* coordinates,
                                    std::int64_t entries) {
  std::int64_t count = 0;
  for (std::int64_t p = 1; p < parents; ++p) {
    const Int at = positions[p];
    if (at != positions[p - 1] && at < entries) count += coordinates[at] <= coordinates[at - 1];
  }
  return count;
}

template <class Int>
Trust fibers(const Int* positions, std::int64_t parents, const Int* coordinates, std::int64_t size,
             std::int64_t entries) {
  const bool in_range = positions[0] == 0 && static_cast<std::int64_t>(positions[parents]) == entries &&
                        never_fall(positions, parents) && all_below(coordinates, entries, size);
  if (!in_range) return Trust::broken;
  const bool rise = descents(coordinates, entries) == descents_at_beginnings(positions, parents, coordinates, entries);
  return rise ? Trust::ordered : Trust::unordered;
}

template <class Int>
Trust tuples(std::span<const IndexArray> coordinates, std::int64_t entries) {
  for (const IndexArray& one : coordinates)
    if (!all_below(ints<Int>(one.data), entries, one.size)) return Trust::broken;
  std::int64_t wrong = 0;
  for (std::int64_t k = 1; k < entries; ++k) {
    int rises = 0, equal = 1;
    for (const IndexArray& one : coordinates) {
      const Int before = ints<Int>(one.data)[k - 1], now = ints<Int>(one.data)[k];
      rises |= equal & (now > before);
      equal &= now == before;
    }
    wrong += 1 - rises;
  }
  return wrong == 0 ? Trust::ordered : Trust::unordered;
}

}  // namespace

Trust look_at_fibers(const void* positions, std::int64_t parents, IndexArray coordinates, std::int64_t entries,
                     bool wide) {
  if (wide)
    return fibers(ints<std::int64_t>(positions), parents, ints<std::int64_t>(coordinates.data), coordinates.size,
                  entries);
  return fibers(ints<std::int32_t>(positions), parents, ints<std::int32_t>(coordinates.data), coordinates.size,
                entries);
}

Trust look_at_tuples(std::span<const IndexArray> coordinates, std::int64_t entries, bool wide) {
  return wide ? tuples<std::int64_t>(coordinates, entries) : tuples<std::int32_t>(coordinates, entries);
}

}  // namespace trellis::tensor
