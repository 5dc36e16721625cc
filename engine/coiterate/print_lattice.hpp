#pragma once
// Lattices for people: `show algebra` and `show lattice`.
//
//   for i: A(i,:) ∪ B(i,:)    leads A(i,:), B(i,:)                                 {A(i,:), B(i,:)}
//     for j: A(i,j) ∪ B(i,j)  leads A(i,j), B(i,j)                                     ╱        ╲
//     for j: A(i,j)           leads A(i,j), where B(i,:) is missing                {A(i,:)}   {B(i,:)}   …

#include <vector>

#include "engine/coiterate/lattice_words.hpp"
#include "engine/coiterate/number_lattices.hpp"
#include "engine/text/text.hpp"

namespace trellis::coiterate {

/// A line for each loop, nested as they are. Spans of stage algebra, by number.
text::Text print_algebra(const std::vector<NumberedLattice>& all);
/// Each lattice with its points, level by level. Spans of stage lattice, by node.
text::Text print_lattices(const std::vector<NumberedLattice>& shown);

}  // namespace trellis::coiterate
