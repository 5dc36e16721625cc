#pragma once
// Lowers loops to control flow (coiterate/lower.hpp): all loops once, and once more for each copy that they turn out to
// need. Where they would try all entries of an operand without an order again and again, they read a copy that finds
// them (docs/design/coiteration.md#not-quite-ordered):
//
//   for i, j { y(i,j) = A(i,j) + … }      A: coo of unordered entries, searched at each (i,j)
//   →   tensor A_w: {hashed, hashed}; A_w .= 0; for A's entries { A_w(i,j) = A(i,j) }
//       for i, j { y(i,j) = A_w(i,j) + … }
//
// Nor is an operand sought against its storage, at all coordinates, in each iteration of a loop that has nothing to do
// with them, as a csr matrix of which each timestep reads column by column: of the copy, columns are walked.
//
// Only control flow shows how an operand is found, which is why copies are not decided before.

#include <vector>

#include "engine/coiterate/lower.hpp"
#include "engine/results/written.hpp"

namespace trellis::results {

struct WithCopies {
  loop::Stmt loops;              ///< numbered where they differ from those that were given
  std::vector<Written> written;  ///< the copies
  coiterate::Lowered lowered;    ///< of `loops`
};

WithCopies lower_with_copies(loop::Stmt loops, const lang::Program& program, const std::string& kernel,
                             const coiterate::Wishes& wishes = {});

}  // namespace trellis::results
