#pragma once
// What nodes of the flow come from: a statement of the loops, or a function of the user, and the nodes of the lattices
// around it that they are made for.
//
//   while pA: …          the loop, its lattice, point 0
//     if pA is here: …   and the outcomes in which A has an entry

#include <optional>
#include <vector>

#include "engine/coiterate/lattice.hpp"
#include "engine/flow/flow.hpp"

namespace trellis::coiterate {

struct Origins {
  /// Where in a lattice what is made now stands.
  struct Within {
    int lattice = -1;         ///< of the innermost loop around; -1: none
    std::vector<int> absent;  ///< its operands that are missing here
    int point = -1;
    int outcomes = 0;  ///< of the point's cases so far
  };
  /// A node of `show lattice`: the lattice of a loop, a point of it, or what is done there in one case.
  struct LatticeNode {
    int lattice = -1;  ///< its number
    int point = -1;
    int outcome = -1;
  };

  int stmt = -1;                         ///< of the loops; -1: none
  std::optional<text::Origin> function;  ///< inside a function of the user: its own
  Within within;
  text::Origin around;             ///< those of the innermost lattice
  std::vector<Lattice> lattices;   ///< of the loops so far
  std::vector<LatticeNode> nodes;  ///< by what origins call them until all lattices are known

  /// A node of the lattice within.
  text::NodeId in_lattice(int point = -1, int outcome = -1);
  /// What a node comes from that is made for the statement now.
  text::Origin of(int stmt) const;
  text::Origin of(const loop::Stmt& from) const { return of(from.id() < 0 ? stmt : from.id()); }
  text::Origin here() const { return of(stmt); }
  /// Of a part of the statement that is being lowered.
  text::Origin of(const lang::Expr& part) const;
};

/// Of lattices that are alike only one is shown: that is what the nodes of the flow then come from.
flow::Stmt with_shown_lattices(const flow::Stmt& root, const Origins& origins);

}  // namespace trellis::coiterate
