#pragma once
// A hashed workspace looks for each coordinate that is inserted. Where what is inserted is only added up with what is
// there, and nobody looks before all is there, entries can as well be listed as they come, a coordinate as often as it
// comes, and be put in order and added up in the end: each coordinate's values in the order in which they came, so that
// sums are the same to the bit. `listed` at the level is the wish; here it is granted, or taken back.
//
//   temporary w{n: hashed listed}: f64      →   temporary w{n: hashed listed}: f64 in lists until it is frozen
//
// docs/design/coiteration.md#workspaces

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow list_entries(const Flow& flow);

}  // namespace trellis::flow
