#pragma once
// Those who are asked (prove.hpp): both look for two iterations of which the later one asks for less.

#include "engine/find/prove.hpp"

namespace trellis::find {

/// Is no index tensor applied?
bool is_affine(const Query& query);

Answer never_falls_by_isl(const Query& query, std::size_t same);
/// Unknown where Trellis was built without Z3.
Answer never_falls_by_z3(const Query& query, std::size_t same);

}  // namespace trellis::find
