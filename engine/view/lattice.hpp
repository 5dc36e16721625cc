#pragma once
// Iteration algebras and lattices as data and as pictures.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/coiterate/print_lattice.hpp"
#include "engine/explore/lattice_walk.hpp"

namespace trellis::view {

/// `{loops: [{id, loop, algebra, parent, missing, everywhere, operands, refused}]}`.
nlohmann::ordered_json algebra_json(const std::vector<coiterate::NumberedLattice>& lattices);
/// The same with `{nodes: [{id, loop, kind, leads, follows, algebra, body, cases}], edges: [{from, to, runs_out}]}`. Every
/// lattice has a node of kind "end".
nlohmann::ordered_json lattice_json(const std::vector<coiterate::NumberedLattice>& lattices);

/// A cluster for each lattice, its points from top to bottom, what runs out on the edges.
std::string to_dot(const std::vector<coiterate::NumberedLattice>& lattices, const std::string& title);

/// A step of a walk through them: `{"lattice", "point", "cursors": [{"operand", "tensor", "level", "at", "begin", "end", "here"}],
/// "around", "coordinate", "does", "case", "runs_out", "to"}`, points by the ids of `show lattice`.
nlohmann::ordered_json to_json(const explore::LatticeStep& step, const std::vector<coiterate::NumberedLattice>& lattices);

}  // namespace trellis::view
