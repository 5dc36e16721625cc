#pragma once
// What a mask stores is what counts, whatever its values are: to the loops it is a pattern, of which the values are not
// there. A mask whose values the kernel reads as well has a twin without them (TensorInfo::entries_of).
//
//   mask L M            M: csr f64, read as a mask alone     to the loops M is {dense, compressed, pattern}
//   mask L M values     M as it is: `if M(i,j) != 0`
//
// A format that stores what nobody listed, as dense levels, runs that cover everything and blocks do, says nothing by
// that: such masks go by their values in any case.

#include "engine/loop/stmt.hpp"

namespace trellis::results {

struct StoredMasks {
  lang::Program program;  ///< what it stores and binds: with twins
  lang::Program seen;     ///< the same as the loops see it
  lang::Kernel kernel;    ///< its masks are those that the loops see
};

StoredMasks stored_masks(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program);

}  // namespace trellis::results
