#pragma once
// From tensors with layouts to what these store: an access of A(i,j) of bcsr(4, 2) becomes A(i/4, j/2, i%4, j%2), of a
// tensor that has a dimension for each level. What a layout does not store is the fill, under a condition; elements
// that a place has besides its own are asked for there: `j <= i ? A(i,j) : A(j,i)`.
//
// Nothing below knows layouts: digits of indices are what loops, sequences and look-ups deal with anyway.

#include <optional>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::loop {

struct InStorage {
  Stmt loops;
  lang::Program program;  ///< with tensors as they are stored
};

/// The same loops where no tensor has a layout. E0253, and nothing, when an element is written that has no place of its
/// own.
std::optional<InStorage> in_storage(const Stmt& loops, const lang::Program& program, math::Solver& solver,
                                    text::Diagnostics& diagnostics);

}  // namespace trellis::loop
