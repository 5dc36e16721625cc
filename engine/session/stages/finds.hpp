#pragma once
// `show find`: how a kernel comes by the entries of operands that others lead past, and what each way would take.
//
//   x, beside A(i,j): 400000 times, in 10000 fibers of 100
//     bisected for: it would be walked from its start again in each iteration around
//     binary    24 ms   now
//     table    0.8 ms   the least: `find x table`, or `find x auto` to choose whenever the kernel begins

#include <string>

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Of what tensors hold now; what is not there yet stores cost::usual_entries in each fiber.
std::string finds_of(const State& state, const Compilation& compilation);

}  // namespace trellis::session
