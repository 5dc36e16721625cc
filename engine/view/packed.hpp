#pragma once
// A model as a page holds it: what occurs more than once in it is written once, so that the orders of a kernel share
// what they have in common.
//
//   {"shapes": [["begin", "end"], …], "shared": […], "model": …}
//
//   [a, b]                  the list
//   {"o": [1, a, b]}        the object with the names of shape 1, in that order
//   {"t": [1, [a, b], …]}   a list of such objects; rows may be references
//   {"l": ["a", "b"]}       the text of these lines
//   {"r": 3}                what `shared` has at 3; entries refer to earlier ones only
//
// and anything else itself. `report/unpack.js` reads it.

#include <nlohmann/json_fwd.hpp>

namespace trellis::view {

nlohmann::ordered_json packed(const nlohmann::ordered_json& model);

}  // namespace trellis::view
