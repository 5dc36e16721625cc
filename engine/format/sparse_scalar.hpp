#pragma once
// `tensor s: sparse`: a scalar that remembers whether anything was written to it since it was at its fill. Its value is
// stored as that of a dense one. Source: Finch, section 3.3.3.

#include "engine/format/format.hpp"

namespace trellis::format {

inline bool is_sparse_scalar(const Format& format) { return format.levels.empty() && format.name == "sparse"; }

}  // namespace trellis::format
