#pragma once
// Drawings as SVG: what the report shows of the dependency graph and the lattices, as a picture of its own.

#include <string>
#include <vector>

#include "engine/coiterate/print_lattice.hpp"
#include "engine/place/place.hpp"
#include "engine/view/tree.hpp"

namespace trellis::view {

/// As it stands between the tags of HTML and SVG.
std::string escaped_markup(const std::string& text);

/// Inputs grey, temporaries dashed, a frame around each cycle, dashed arrows for dependences that no instance has.
std::string to_svg(const place::Graph& graph, const place::Fragments& fragments, const std::string& title);
std::string to_svg(const Tree& tree, const std::string& title);
/// One below the other.
std::string to_svg(const std::vector<coiterate::NumberedLattice>& lattices, const std::string& title);

}  // namespace trellis::view
