#pragma once
// Can the entries of a tensor be appended, one behind the other, as the loops stand? They can when its elements are
// written in strictly rising storage order, and when whatever is read of it is finished by then: no element up to the
// one that is read is written later. Both are shown for all sizes; what is not affine is taken to be any element.
//
//   for i { for j in 0:i { L(i,j) = … L(i,k), k < j … L(j,j) }; L(i,i) = … }       rows: yes        columns: L(1,0) before L(0,0)

#include <optional>
#include <string>
#include <vector>

#include "engine/math/solver.hpp"
#include "engine/schedule/instances.hpp"

namespace trellis::results {

/// Why not, in words, with the smallest instance: "C(0,0) at i=0, k=1 is written again". Empty when they can. `tensor`
/// is one that outlives the loops. An update counts as a write, so that each element may have one only.
std::optional<std::string> append_obstacle(const std::vector<schedule::Site>& sites, const lang::TensorInfo& tensor,
                                           math::Solver& solver);

/// Do entries of one fiber of the last level come in strictly rising order, however fibers take turns, and does nothing
/// read the tensor or reset it? Then they can be put where they belong once each fiber's are counted
/// (results/scatter.hpp).
bool rises_in_each_fiber(const std::vector<schedule::Site>& sites, const lang::TensorInfo& tensor,
                         math::Solver& solver);

/// Is every element of the tensor written before it is read, and is each written at all? Then it does not matter what
/// it held.
bool overwrites(const std::vector<schedule::Site>& sites, const lang::TensorInfo& tensor, math::Solver& solver);

/// Of the statements `fills`, which write the fill, those that change nothing in a tensor that begins at its fill: no
/// instance comes after another write of its element.
std::vector<int> idle_writes(const std::vector<schedule::Site>& sites, const std::vector<int>& fills,
                             const lang::TensorInfo& tensor, math::Solver& solver);

}  // namespace trellis::results
