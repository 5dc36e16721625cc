#pragma once
// A look at index arrays that somebody else made, before a kernel believes them: positions begin at 0, never fall and
// end within the entries; coordinates lie in range, rise in each fiber and differ. One pass without a branch an entry:
// coordinates that do not rise are counted over the whole list, then where fibers begin; all is well when the two
// counts agree.

#include <cstdint>
#include <span>

namespace trellis::tensor {

/// broken: some position or coordinate is out of range. unordered: all are in range, but some coordinate comes twice
/// in its fiber, or after a greater one.
enum class Trust { ordered, unordered, broken };

/// Coordinates of one level, in 32 or 64 bits, and how many elements its dimension has.
struct IndexArray {
  const void* data = nullptr;
  std::int64_t size = 0;
};

/// Of fibers that `positions`, parents + 1 of them, cut out of `entries` coordinates. `wide`: int64_t, else int32_t.
Trust look_at_fibers(const void* positions, std::int64_t parents, IndexArray coordinates, std::int64_t entries,
                     bool wide);

/// Of a list of tuples, an array for each dimension, the first outermost: whether they rise lexicographically.
Trust look_at_tuples(std::span<const IndexArray> coordinates, std::int64_t entries, bool wide);

}  // namespace trellis::tensor
