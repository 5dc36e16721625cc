#pragma once
// Which name of the order each fragment's variable goes by: its own, or one that it was coalesced with
// (docs/design/placement.md#renaming). Names are numbers here: their position in the order, or, for names that it does
// not list, a number from `listed` on.

#include <optional>
#include <string>
#include <vector>

#include "engine/place/dependences.hpp"
#include "engine/place/placement.hpp"

namespace trellis::place {

struct Naming {
  lang::Order order;                     ///< names that the kernel uses, each once
  int listed = 0;                        ///< order.size()
  std::vector<std::string> others;       ///< names that are not listed
  std::vector<std::vector<int>> native;  ///< by fragment and variable

  bool is_listed(int name) const { return name < listed; }
  /// Unlisted names all come last.
  int position(int name) const { return name < listed ? name : listed; }
  std::string text(int name) const;
  bool uses(int fragment, int name) const;
};

/// What a loop may be called that is this variable of a fragment: its own name, of a tile that of any of its
/// coordinates.
std::vector<std::string> digit_names(const std::string& variable);
/// Is a variable of a fragment such that a loop of this name may be it, whatever it is called itself: tiles are loops
/// over tiles of one size, coordinates are loops over coordinates.
bool is_of_kind(const std::string& variable, const std::string& loop);

/// The extent of the dimension that a variable walks, as text; empty when unknown.
std::string extent_of(const Fragment& fragment, int variable);

/// The values that an index takes over all fragments that have it, as text, the upper end exclusive: {"1", "steps"}.
/// What depends on other indices is left out; empty when nothing else bounds it.
struct IndexRange {
  std::string low, high;
};
std::optional<IndexRange> range_of_index(const Fragments& fragments, const std::string& index);

/// Names that no equation uses say nothing about the loops.
lang::Order used_names(const lang::Kernel& kernel, const lang::Order& order);

/// The user's own names.
Naming own_names(const Fragments& fragments, const lang::Order& order);

/// Names that never meet in one component, of equal extent and direction, with nothing of that component between them,
/// become one: the earlier in the order.
Naming coalesced(const Naming& own, Dependences& dependences, std::vector<Event>* events);

}  // namespace trellis::place
