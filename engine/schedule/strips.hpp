#pragma once
// The layout that a tile in registers wants of a tensor: strips as wide as the tile, side by side where the loop around
// goes along them (docs/design/blocks.md#strips).
//
//   A(i,k) where i goes over tiles of 8:   (i, k) -> (i/8, k, i%8)      B(k,j), tiles of 24:   (k, j) -> (j/24, k, j%24)

#include <optional>
#include <string>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::schedule {

/// How many values a loop goes over at most, if that is a number; else 0.
std::int64_t tile_size(const loop::For& f);

struct Strips {
  int dimension = 0;       ///< that is cut
  std::int64_t width = 0;  ///< of the widest tile of it, which others divide
};

/// What loops marked `registers` read of the tensor, if their variables index one dimension of it alone.
std::optional<Strips> strips_of(const loop::Stmt& loops, const std::string& tensor);

/// The tensor in strips, under that name. Its cut dimension goes on to the end of the last strip.
lang::TensorInfo in_strips(const lang::TensorInfo& tensor, const Strips& strips, const std::string& name);

}  // namespace trellis::schedule
