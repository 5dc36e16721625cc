#pragma once
// `mask L M`: L is computed only where M stores something. Each write of L, with the temporaries that it alone needs
// and with what does nothing where L holds its fill, goes under a condition, which coiteration walks as M's entries.
//
//   for j in 0:i { tensor t; t = 0; for k { t += L(i,k)*L(j,k) }; L(i,j) = A(i,j) - t; s += L(i,j)^2 }
//   →   for j in 0:i { if M(i,j) != 0 { tensor t; … ; L(i,j) = A(i,j) - t; s += L(i,j)^2 } }
//
// Several masks of one tensor have the same pattern; each write takes the one that is stored as the loops around it
// walk, and so do loops that read the tensor across its storage (read_under_masks.hpp). Temporaries start where they
// are used alone (start_under_masks.hpp).

#include <vector>

#include "engine/lang/program.hpp"
#include "engine/lang/schedule.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::results {

/// A mask that is stored by the layout of its result asks for what both store, as all do where there are no layouts.
/// Others ask for elements, so they are applied before loop/in_storage.hpp has put storage in the place of tensors.
struct Masks {
  std::vector<lang::Schedule::Mask> by_element, as_stored;
};
Masks masks_apart(const std::vector<lang::Schedule::Mask>& masks, const lang::Program& program);

/// The very same loops when the schedule has no masks; else numbered anew.
loop::Stmt apply_masks(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program);

}  // namespace trellis::results
