#pragma once
// Iteration algebras and lattices as data and as pictures.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/coiterate/print_lattice.hpp"
#include "engine/explore/lattice_trace.hpp"

namespace trellis::view {

/// `{loops: [{id, loop, algebra, parent, missing, everywhere, operands, refused}]}`.
nlohmann::ordered_json algebra_json(const std::vector<coiterate::NumberedLattice>& lattices);
/// The same with `{nodes: [{id, loop, kind, leads, follows, algebra, body, cases}], edges: [{from, to, runs_out}]}`.
/// Every lattice has a node of kind "end".
nlohmann::ordered_json lattice_json(const std::vector<coiterate::NumberedLattice>& lattices);

/// A cluster for each lattice, its points from top to bottom, what runs out on the edges.
std::string to_dot(const std::vector<coiterate::NumberedLattice>& lattices, const std::string& title);

/// A step of what was compiled: `{"lattice", "point", "cursors": [{"operand", "tensor", "level", "at", "begin", "end",
/// "here", "ran_out", "first", "crd", "together", "levels"}], "around", "coordinate", "does", "case", "touches":
/// [{"kind", "tensor", "index", "place", "value"}], "runs_out", "left", "to"}`, points by the ids of `show lattice`;
/// "crd" is what is stored from entry "first" on, of a product the keys (null: it leaves that out), whose "levels" say
/// where it is in each; "together" are the entries of a segment, from one to before the other.
nlohmann::ordered_json to_json(const explore::LatticeStep& step,
                               const std::vector<coiterate::NumberedLattice>& lattices);

}  // namespace trellis::view
