#pragma once
// Stages that are trees, as pictures: a box for each loop with its algebra, or for each step of the control flow.
//
//   loop i in 0:n                                      loop i in 0:n
//     coiterate j in 0:n                                     │
//       lead pA at A.2 below [i]          →            coiterate j in 0:n
//       while pA                                       lead pA at A.2 below [i]
//         append C(i, j) = 2 * A[pA]                         │
//                                                      while pA
//                                                            │
//                                                      append C(i, j) = 2 * A[pA]

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/coiterate/print_lattice.hpp"
#include "engine/text/text.hpp"

namespace trellis::view {

struct Tree {
  struct Node {
    std::vector<std::string> lines;
    std::vector<int> shows = {};  ///< numbers of nodes of the stage
    int parent = -1;              ///< a place in the list before this one
    std::string way = {};         ///< when it is reached from there: "else"
  };
  std::vector<Node> nodes;  ///< in the order in which they are printed
};

/// A node for each loop: its algebra, and what its operands do.
Tree tree_of_algebra(const std::vector<coiterate::NumberedLattice>& lattices);

/// Of what `show flow` prints: what is printed further to the right belongs to the line before, steps that follow each
/// other share a node. The first node has the title and what the flow declares.
Tree tree_of_flow(const text::Text& flow, const std::string& title);

/// `{nodes: [{id, lines, shows}], edges: [{from, to, label}]}`.
nlohmann::ordered_json tree_json(const Tree& tree);
std::string to_dot(const Tree& tree, const std::string& title);

}  // namespace trellis::view
