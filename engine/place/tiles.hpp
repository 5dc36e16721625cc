#pragma once
// Orders with tiles. `j/96` is the loop over the tiles of 96 values of j: a variable has two digits then, the tile and
// the coordinate, which keeps its value, so that no index expression changes. Fragments of a cycle are cut by which of
// their tiles are equal, as one equation of a blocked recurrence runs in several places and its tiles decide in which:
//
//   tL(i,j) += L(i,k)*L(j,k) : k < j < i     I,J,K a product of whole tiles;  I,JK and IJ,K;  IJK inside one tile
//
// Legality is asked for all partitions at once, whatever the size of a tile: a partition is any monotone function of
// the coordinate (docs/design/blocks.md).

#include <memory>

#include "engine/place/analysis.hpp"

namespace trellis::place {

/// The analysis whose fragments have the tiles that the order names; null where this one's have them. It is shared
/// while anybody holds it, as all orders of the same tiles do. Names that the kernel has not are left out.
std::shared_ptr<const Analysis> tiled(const Analysis& analysis, const lang::Order& order);

}  // namespace trellis::place
