#pragma once
// C with MPI as one writes it by hand: numbers come from the file of the first argument and go into that of the second,
// each rank its own part; rank 0 says how long all took between two barriers, `took 1.5 ms`.

namespace trellis::bench {

/// Slabs with a row of ghosts on each side, persistent requests, and the inside while messages travel. N and STEPS are
/// defined.
extern const char* const heat_by_hand;
/// Conjugate gradients on a cube of SIDE points a side, of which a rank has slabs as well, in csr with numbers of its
/// own; STEPS steps from 0, sums by MPI_Allreduce.
extern const char* const cg_by_hand;

}  // namespace trellis::bench
