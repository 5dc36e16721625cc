#pragma once
// Iterations with tiles, for the judges of placement (legality.hpp): the iterations of each piece under some
// partitions, and of pieces in cycles which of their tiles are equal. Written from the definition of
// docs/design/blocks.md: a variable has a tile and a coordinate, tiles that are equal are one digit, and a tree has to
// serve all partitions at once.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/place/analysis.hpp"
#include "tests/random/instances.hpp"

namespace trellis::randomised {

/// The tile of a value, never falling.
using Partition = std::function<std::int64_t(std::int64_t)>;

/// A variable with tiles, and the number of the partition that gives them: variables that are related share one.
struct TiledVariable {
  std::string variable;
  std::int64_t size;
  int partition;
  /// Where it has them: in pieces of these equations about these variables.
  std::set<std::pair<int, std::set<std::string>>> pieces;
  bool cut = false;  ///< pieces in cycles are cut by which of these are equal
  bool is_in(const Piece& piece) const {
    return pieces.contains({piece.equation, {piece.variables.begin(), piece.variables.end()}});
  }
};
/// Of an analysis with tiles.
std::vector<TiledVariable> tiled_variables(const place::Analysis& analysis);

/// One way to partition: a function for each number.
using Partitions = std::vector<Partition>;

Instances with_tiles(const Instances& instances, const std::vector<TiledVariable>& tiled,
                     const std::vector<Partitions>& ways);

/// All partitions of 0, 1, …, n-1 into intervals.
std::vector<Partition> all_partitions(int n);

}  // namespace trellis::randomised
