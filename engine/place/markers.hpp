#pragma once
// Readiness markers: which slice of a result is complete at a point of the nest, as `ready L(:,:j)`.

#include <map>
#include <string>

#include "engine/place/fragment.hpp"
#include "engine/place/tree.hpp"

namespace trellis::place {

using LoopNames = std::map<std::string, std::string>;  ///< a fragment's variable, the loop that it became

/// The elements whose walking variables are the first `depth` loops around the fragment.
std::string ready_slice(const Tree& tree, const Fragment& fragment, const LoopNames& names, std::size_t depth);

/// What earlier iterations of the loop at `depth` have written.
std::string assumed_slice(const Tree& tree, const Fragment& fragment, const LoopNames& names, std::size_t depth);

/// The element that a read reads, over the loops.
std::string element_text(const Read& read, const LoopNames& names);

}  // namespace trellis::place
