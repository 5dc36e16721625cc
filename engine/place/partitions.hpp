#pragma once
// Which tiles two instances can have, over all partitions at once (docs/design/blocks.md#legality): of two different
// tiles of one partition, all values of the one are less than all values of the other.

#include <string>
#include <vector>

#include "engine/math/solver.hpp"
#include "engine/place/fragment.hpp"

namespace trellis::place {

/// A value and its tile, by their names in a domain of pairs.
struct ValueInTile {
  std::string value, tile;
  int partition;
};

/// Those of a fragment in such a domain, where its own variables carry a mark; of the ones that `known` lists only.
std::vector<ValueInTile> values_in_tiles(const Fragment& fragment, const std::vector<std::string>& known,
                                         const std::string& mark);

/// The pairs of each domain whose tiles some partition gives, as conjunctions. Exact: tiles that agree with the order
/// of any two values extend to a monotone function.
std::vector<math::Domain> under_some_partition(math::Solver& solver, std::vector<math::Domain> pairs,
                                               const std::vector<ValueInTile>& values);

}  // namespace trellis::place
