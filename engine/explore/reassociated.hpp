#pragma once
// The sums and products of floating numbers whose terms a kernel takes in another order than its equations say: by the
// order of its loops (the certificate of the placement), by a step of its schedule, or by how its loops run (control
// flow). Elements then round differently, and differ by much where values cancel, so `check` goes by equations.

#include <string>
#include <vector>

#include "engine/compile.hpp"

namespace trellis::explore {

/// A line for each: "the sum over k in L is added up in another order, in 8 parts: reassociated". Of equations alone:
/// of a loop program the order is the one that was written.
std::vector<std::string> reassociated_sums(const Compilation& compilation);

/// The same of a run on ranks, of sums over rows that have other numbers there (distribute/renumber.hpp); of a loop
/// program too, by what the sums go to.
std::vector<std::string> reassociated_by_parts(const Compilation& compilation);

}  // namespace trellis::explore
