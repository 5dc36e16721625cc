#pragma once
// One variable for each fragment of a component, by backtracking over those that failures blame: where an attempt
// fails for what some of the fragments chose, others need not choose anew (conflict-directed backjumping: Prosser,
// Hybrid algorithms for the constraint satisfaction problem, 1993).

#include <functional>
#include <optional>
#include <vector>

#include "engine/place/partial.hpp"

namespace trellis::place {

struct Chooser {
  const Component& fragments;
  const std::vector<std::vector<int>>& options;  ///< of each fragment, none of them empty
  /// Of the fragments up to this one, those whose choices cannot stand together; empty: they can.
  std::function<Component(const Picks&, std::size_t)> clashing;
  /// Nothing: they are accepted. Else fragments of which one must choose another, if the attempt is to end otherwise.
  std::function<std::optional<Component>(const Picks&)> attempt;
  /// Whether choices of fragments that are not to blame are left out.
  std::function<bool()> skips;

  /// Was one accepted?
  bool choose() const;
};

}  // namespace trellis::place
