#pragma once
// The points of a lattice in letters, level by level, with a line along each edge to the next level:
//
//   {A(i,:), B(i,:)}
//        ╱    ╲
//   {A(i,:)}   {B(i,:)}
//        ╲    ╱
//          end

#include <string>
#include <vector>

#include "engine/coiterate/lattice.hpp"

namespace trellis::coiterate {

/// `{A(i,:), B(i,:)}`, `{every i}`.
std::string in_set(const Lattice& lattice, const Lattice::Point& point);

std::vector<std::string> picture(const Lattice& lattice);

}  // namespace trellis::coiterate
