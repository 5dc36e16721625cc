#pragma once
// The picture of a kernel's dependences: accesses as nodes (RECUMA figure 5), fragments and their components as the
// truth.

#include "engine/place/analysis.hpp"
#include "engine/place/dependences.hpp"

namespace trellis::place {

Graph build_graph(const lang::Kernel& kernel, Dependences& dependences);

}  // namespace trellis::place
