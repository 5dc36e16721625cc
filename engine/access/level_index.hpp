#pragma once
// Index map and layout map, composed: the index of each stored level of an access
// (docs/design/overview.md#every-access-is-a-map). Which dimension a level stores is known here, in format/ and in
// tensor/ alone; everybody else asks by level.
//
//   A(i, j+1)  of csc, {dense, compressed} @ (1, 0)       level 0: j+1     level 1: i

#include <compare>
#include <string>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::access {

/// The index of a level, in storage order.
const lang::Expr& level_index(const lang::Access& access, const lang::TensorInfo& info, int level);

/// How many coordinates the level has.
const math::Affine& level_size(const lang::TensorInfo& info, int level);

/// Which entry of which level an access names: accesses that go down the same levels by the same indices share it, and
/// with it what was found there (docs/design/coiteration.md#identity).
struct LevelKey {
  std::string tensor;
  std::vector<std::string> indices;  ///< down to that level, as they print
  auto operator<=>(const LevelKey&) const = default;
};
LevelKey level_key(const lang::Access& access, const lang::TensorInfo& info, int level);

/// For people: "A(i,j)" at the last level, "A(i,:)" above.
std::string element_name(const lang::Access& access, const lang::TensorInfo& info, int level);

}  // namespace trellis::access
