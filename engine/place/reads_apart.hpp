#pragma once
// Steps in tiles (docs/design/blocks.md#steps-in-tiles). Where a loop over tiles of steps stands outside of tiles of
// elements, an element that others read goes on to later steps before they read it, and one buffer would lose what they
// need. What is read at an index that counts steps, as row k and column k of step k-1, is few elements of each step: it
// is kept in a table of its own, written when it is computed.
//
//   D[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))
//     →   old_D(k,i) = D[k-1](i,k)     old_D_(k,j) = D[k-1](k,j)     D[k](i,j) = min(D[k-1](i,j), old_D(k,i) + old_D_(k,j))

#include <optional>

#include "engine/math/solver.hpp"
#include "engine/place/fragment.hpp"

namespace trellis::place {

/// The fragments with these reads apart; nothing where no step that `tiled` counts is read so.
std::optional<Fragments> reads_apart(const lang::Program& program, math::Solver& solver, const Fragments& fragments,
                                     const std::vector<std::string>& tiled);

/// Is it a table of what is read?
bool keeps_reads(const Fragment& fragment);

}  // namespace trellis::place
