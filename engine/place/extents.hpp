#pragma once
// What tiles hold, as constraints: the coordinates of a tile of 96 lie from 96 times its digit on, 96 of them
// (place/tiles.hpp).

#include "engine/place/fragment.hpp"

namespace trellis::place {

/// Into a domain with this tile: that those of its coordinates lie in it.
void add_extent(math::Domain& domain, const Tile& tile, const std::vector<std::string>& coordinates);

/// What the fragment does, over its digits: `domain`, one of its own, with what its tiles hold.
math::Domain with_extents(const Fragment& fragment, math::Domain domain);

}  // namespace trellis::place
