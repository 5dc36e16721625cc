#pragma once
// What a tensor keeps in memory, array by array.
//
//   {"tensor": "A", "shape": [2, 3], "levels": [{"level": "dense", "size": 2}, {"level": "compressed", "size": 3,
//    "positions": {"count": 3, "items": [0, 2, 2]}, "coordinates": {…}}], "values": {"count": 2, "items": [1, 2]}}

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/tensor/tensor.hpp"

namespace trellis::view {

/// Of each array the first `most` items and how many there are; hash tables and masks of stored elements are left out.
nlohmann::ordered_json arrays_json(const std::string& name, const tensor::Tensor& tensor, std::int64_t most = 256);

}  // namespace trellis::view
