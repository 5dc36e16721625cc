#pragma once
// Results some of whose elements share a place, as those of a symmetric matrix: what a kernel reads of them is what it
// computes once, so dependences are about that.
//
//   y(i) = L(i,j) * x(j),  L stored where j <= i     becomes   y(i) = (i >= j ? L(i,j) : L(j,i)) * x(j)
//
// (docs/design/layouts.md#layout-maps)

#include "engine/lang/program.hpp"

namespace trellis::place {

/// The kernel with each such read in terms of elements that the layout's first branch stores.
lang::Kernel read_kept(const lang::Program& program, lang::Kernel kernel);

}  // namespace trellis::place
