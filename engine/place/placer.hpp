#pragma once
// The greedy search (docs/design/placement.md#the-search): components into loop bodies, fusing where that is legal and
// useful, renaming with backtracking inside one component. Gives a tree, or the attempts that failed.

#include <optional>
#include <string>
#include <vector>

#include "engine/place/naming.hpp"
#include "engine/place/tree.hpp"

namespace trellis::place {

/// A way of placing a component that failed.
struct Attempt {
  int depth = 0;
  std::string loop;                ///< at which it failed; empty in a body where no loop was left to enter
  std::vector<int> component;      ///< fragment ids
  int writer = -1, reader = -1;    ///< the dependence that is not respected, -1 when there is none
  Dependences::Id violation = -1;  ///< its pairs
  bool renamed = false;            ///< by the names tried, not the user's own
  std::vector<std::pair<std::string, std::string>> renaming;  ///< variable, name
  int placed = 0;                                             ///< fragments that had their places by then
};

struct Search {
  Tree tree;
  Naming naming;
  bool success = false;
  std::vector<int> failed;        ///< the component that could not be placed
  std::vector<Attempt> attempts;  ///< to place it
};

/// Where components are fused, of those loops in which they may be. No forall begins to carry a dependence, unless it
/// is a loop over timesteps, whose buffers that may save (docs/design/placement.md#buffers): fragments that stand in
/// several loops over the steps need all of them.
enum class Fusing { keeping_foralls, folding_steps };

/// `events` may be null: then nothing is recorded.
Search search(Dependences& dependences, const lang::Order& order, std::vector<Event>* events,
              Fusing fusing = Fusing::keeping_foralls);

}  // namespace trellis::place
