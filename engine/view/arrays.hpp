#pragma once
// What a tensor keeps in memory, array by array: what strips of cells are drawn from.
//
//   A(2,3) in csr with A(0,1) = 5     levels: dense of 2; compressed of 3, positions 0 1 1, coordinates 1     values: 5

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/format/level.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::view {

/// The first items of an array, and how many there are.
struct Strip {
  format::Array which = format::Array::values;
  std::int64_t count = 0;
  std::vector<std::int64_t> items;
};

struct StoredLevel {
  std::string level;          ///< as a format writes it
  std::size_t dimension = 0;  ///< that it stores; of a layout the level's own number
  std::string stores;         ///< "dimension 1", or of a layout "j/4"
  std::int64_t size = 0;
  format::Region region = format::Region::point;  ///< how its entries are drawn: squares, bars of one value or of many
  std::vector<Strip> strips;
  std::int64_t width = 0;  ///< of blocks that all cover so many coordinates
};

/// Hash tables and masks of stored elements are left out.
struct StoredArrays {
  std::string tensor;
  format::ScalarType type = format::ScalarType::f64;
  std::string format;
  tensor::Index shape;
  format::Value fill;
  std::vector<StoredLevel> levels;
  bool pattern = false;  ///< without values
  std::int64_t value_count = 0;
  std::vector<format::Value> values;
};

/// Of each array the first `most` items.
StoredArrays stored_arrays(const std::string& name, const tensor::Tensor& tensor, std::int64_t most = 256);

/// What an entry of a level stands for: coordinates of the levels down to that one, from the first to the last that it
/// covers; of a point they are one.
struct StoredSpot {
  std::vector<std::int64_t> first, last;  ///< by level
  bool operator==(const StoredSpot&) const = default;
};
/// Entries of levels that list none are numbered by position. Empty where it lies behind the items that are at hand.
///
///   A(2,3) in csr with A(0,1) = 5     entry 0 of level 1: (0, 1)
std::optional<StoredSpot> spot_of(const StoredArrays& arrays, std::size_t level, std::int64_t entry);

/// {"tensor": "A", "shape": [2, 3], "levels": [{"level": "dense", "size": 2}, {"level": "compressed", "size": 3,
///  "positions": {"count": 3, "items": [0, 1, 1]}, "coordinates": {…}}], "values": {"count": 1, "items": [5]}}
nlohmann::ordered_json to_json(const StoredArrays& arrays);

}  // namespace trellis::view
