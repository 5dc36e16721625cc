#pragma once
// Where accumulators start at their identity, and how much of a temporary has to exist
// (docs/design/placement.md#temporaries). A temporary lives in the deepest body on whose loops all touches of an
// element agree; dimensions that those loops fix are dropped. A result starts in the deepest body from which its
// initial values reach every reader in time.

#include <vector>

#include "engine/place/dependences.hpp"
#include "engine/place/tree.hpp"

namespace trellis::place {

struct Initialiser {
  int fragment;            ///< the accumulation
  std::size_t depth;       ///< of the body, on the fragment's own path
  Child before;            ///< the first child of that body that touches the accumulator
  std::vector<bool> kept;  ///< by dimension of the accumulator: is it stored?
  std::vector<int> parts;  ///< all that it starts for: the fragment, and the other parts of it
  math::Domain elements;   ///< that start, over the fragment's variables
};

std::vector<Initialiser> place_initialisers(const Tree& tree, Dependences& dependences);

/// The loops around an accumulation that none of its reduced variables is, from outside.
std::size_t free_depth(const Tree& tree, const Fragment& fragment);

/// The loops around both that have one value for all updates of an element by either; of one fragment its `free_depth`.
std::size_t agreeing_depth(const Tree& tree, Dependences& dependences, int one, int other);

/// Does an initialisation at `depth` come before the reads of the values that it gives?
bool initialises_in_time(const Tree& tree, Dependences& dependences, int accumulation, std::size_t depth);

}  // namespace trellis::place
