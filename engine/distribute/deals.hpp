#pragma once
// By which cuts the iterations of a dealt-out loop are told apart: those of something that lies by the loop, if each
// iteration that leaves something behind is in some rank's part then (docs/design/distributed.md#who-computes).
//
//   forall i in 0:n { if i + 1 < n { x(i+1) = … }   y(i) = … }   →   where y(i) lives: x(i+1) has no place for i = n-1

#include "engine/distribute/nest.hpp"

namespace trellis::distribute {

/// The number of the partition of a size, which is a new one unless there is one.
int partition_of(Plan& plan, const std::string& ranks, const math::Affine& size);

/// By the first write that lies by the loop, else the first read, else the loop's own range, else a size of the
/// program; none where iterations of each would be nobody's. `loop` is its number.
std::optional<Deal> deal_of(Plan& plan, const Nest& nest, int loop, const std::string& ranks, math::Solver& solver);

}  // namespace trellis::distribute
