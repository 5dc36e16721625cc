#pragma once
// Supernodes are a partition: the order with loops over tiles of it around the loops over columns and over the columns
// before them. Its certificate holds for all partitions, whatever supernodes a matrix has.
// (docs/design/blocks.md#supernodes)
//
//   order j k i, supernodes S of L     →     order j/S k/S j k i

#include <optional>

#include "engine/place/analysis.hpp"
#include "engine/place/placement.hpp"

namespace trellis::place {

/// `order`: the one that the kernel is placed in. Empty, and E0158, where it has tiles already, its two outer loops do
/// not both rise, or the order by partitions is illegal.
std::optional<Certificate> by_partition(const Analysis& analysis, const lang::Order& order,
                                        const lang::Schedule::Supernodes& supernodes, text::Diagnostics& diagnostics);

}  // namespace trellis::place
