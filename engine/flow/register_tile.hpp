#pragma once
// The tile that two loops go over, one directly inside the other: what its whole size is, and where it is whole.

#include <optional>
#include <string>
#include <vector>

#include "engine/flow/around.hpp"
#include "engine/flow/flow.hpp"

namespace trellis::flow {

constexpr std::int64_t most_of_side = 256;         ///< iterations
constexpr std::int64_t bytes_in_registers = 2048;  ///< of a tile: 32 of 64 bytes; more do not lie on the stack

/// One of the two loops: over `count` values from `base` on, where none of its bounds takes some away.
struct TileSide {
  std::string variable;
  std::string inner;  ///< a variable that counts from 0
  Expr base;
  std::int64_t count = 0;
  std::vector<Expr> whole;  ///< i64: the side is whole where none of these is negative
  std::vector<Expr> some;   ///< i64: it has no values where one of these is negative
};

/// Do so many elements of the type fill vectors of 32 bytes?
bool fills_vectors(const TileSide& side, format::ScalarType type);

struct RegisterTile {
  TileSide rows, columns;
  std::int64_t bytes(format::ScalarType of) const {
    return rows.count * columns.count * static_cast<std::int64_t>(format::size_of(of));
  }
};

/// The local array that holds it, of a tensor's elements.
Tensor tile_tensor(const std::string& name, const Tensor& of, const RegisterTile& tile);

/// The condition that none of these is negative, but for those that are known not to be; null where none is left.
Expr all_non_negative(const std::vector<Expr>& all, Around& around);

/// Of a loop marked `registers`: from the bound that begins the tile to the one that ends it there are so many values,
/// the least of all pairs. Nothing where no pair is a number apart.
std::optional<TileSide> side_of(const Loop& loop);

/// Of loops marked `registers`, under a loop over `sum`, on which nothing of the tile depends; else nothing.
std::optional<RegisterTile> register_tile(const Loop& rows, const Loop& columns, const std::string& sum);

}  // namespace trellis::flow
