#pragma once
// `show memory`: what a kernel reads, writes and keeps on the side, with shapes, storage orders and bytes.

#include <string>

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// One line a tensor; bytes where the sizes have values.
std::string memory_of(const State& state, const Compilation& compilation);

}  // namespace trellis::session
