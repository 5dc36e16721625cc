#pragma once
// A loop in two, one after the other, each with its body specialised to what it is left with.
//
//   for j in 0:n { j < i ? A : B }   at i   →   for j in 0:min(n, i) { A }   for j in max(0, i):n { B }

#include <functional>
#include <optional>

#include "engine/loop/context.hpp"

namespace trellis::loop {

struct Cut {
  Stmt lower, upper;  ///< by their coordinates: a descending loop's upper part comes first
};

/// Nothing where one of the two would be empty for certain.
std::optional<Cut> cut_loop(const Stmt& loop, const math::Affine& at, const Context& known);

/// The parts in the order in which they run, each as `further` makes it.
Stmt in_order(const Stmt& loop, const Cut& cut, const std::function<Stmt(const Stmt&)>& further);

}  // namespace trellis::loop
