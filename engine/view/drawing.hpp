#pragma once
// Graphs of the compiler as drawings: laid out for a monospaced font of a given size, as data.
//
//   {"width", "height", "nodes": [{"id", "x", "y", "width", "height", "lines"}],
//    "edges": [{"from", "to", "points": [[x, y]…], "tip", "label", "at"}], "groups": [{"x", "y", "width", "height", "label"}]}

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "engine/coiterate/print_lattice.hpp"
#include "engine/place/place.hpp"
#include "engine/view/tree.hpp"

namespace trellis::view {

/// What a character takes in the unit of the drawing.
struct FontSize {
  double width = 7.3, height = 17;
};

/// Accesses in frames, one for each cycle; edges from what is read to what is computed of it.
nlohmann::ordered_json drawing_of(const place::Graph& graph, const place::Fragments& fragments, FontSize font = {});
/// One drawing for each lattice, with its id: points from top to bottom, what runs out on the edges.
nlohmann::ordered_json drawings_of(const std::vector<coiterate::NumberedLattice>& lattices, FontSize font = {});
/// From the root downwards, what comes first on the left.
nlohmann::ordered_json drawing_of(const Tree& tree, FontSize font = {});

}  // namespace trellis::view
