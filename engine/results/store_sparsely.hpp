#pragma once
// Temporaries of placed equations that need hold no more than what is stored into them. Where a loop over such a
// temporary has nothing to do elsewhere, it becomes a table of marks, and the loop goes along its entries, which may
// grow ahead of it: no column of a factor costs as much as it has rows, and no mask is needed.
//
//   for j { tensor t(n); for i { t(i) = 0 }; for k { … t(i) += L(i,k)*U(k,j) }
//           for i { L(i,j) = (A(i,j) - t(i))/U(j,j) } }
//   →   for j { tensor t(n): bytemap; t .= 0; … }
//
// Only lattices show what loops go along; so the loops are lowered again with all such temporaries, and those that lead
// none of them stay dense. docs/design/recurrences.md#live-workspaces.

#include "engine/results/lower_with_copies.hpp"

namespace trellis::results {

/// `dense` as it was lowered; comes back as it is where nothing is gained.
WithCopies store_sparsely(WithCopies dense, const lang::Program& program, const std::string& kernel,
                          const coiterate::Wishes& wishes);

}  // namespace trellis::results
