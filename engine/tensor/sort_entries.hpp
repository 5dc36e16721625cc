#pragma once
// The order in which entries are to be stored: their numbers, sorted by the levels' coordinates, repetitions as they
// came.
//
// Coordinates of one or several levels make a 64-bit key, computed when it is needed. A counting sort by the keys'
// leading bits makes buckets, which are sorted one by one as keys in a small buffer (radix sort, lowest digit first).
// Crowded buckets are first split in place, by eight more bits at a time (an American flag sort: McIlroy, Bostic and
// McIlroy, Engineering radix sort, 1993).

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/tensor/packing.hpp"

namespace trellis::tensor {

/// How one level sorts.
struct SortColumn {
  IndexColumn column;
  std::int64_t size = 0;  ///< coordinates lie below it
  bool falling = false;
};

/// Takes entry numbers in their final order, block by block. False stops.
using TakeEntries = std::function<bool(std::span<const std::uint32_t> entries)>;

/// Whether the entries are sorted already.
bool is_sorted(const std::vector<SortColumn>& levels, std::size_t count);

/// Hands on the entries, `count` < 2^32 of them, sorted. False when `take` stopped it. May throw std::bad_alloc.
bool sort_entries(const std::vector<SortColumn>& levels, std::size_t count, const TakeEntries& take);

}  // namespace trellis::tensor
