#pragma once
// Why a search failed, in the user's terms: the deepest attempt with the user's own names, its smallest instance, and
// one instance for each renaming that was tried (docs/design/placement.md#failure).

#include "engine/place/analysis.hpp"
#include "engine/place/placer.hpp"

namespace trellis::place {

/// The attempt that says most: one whose element the user can name, by the user's own names, and then the deepest; null
/// if there is none.
const Attempt* deepest(const std::vector<Attempt>& attempts, const std::vector<Fragment>& fragments);

/// Variables of the fragments that found no place and that the order does not list.
std::vector<std::string> unlisted(const Search& search, const Fragments& fragments);

/// A loop that some equations need upwards and others downwards.
struct BothWays {
  std::string loop;
  std::vector<int> upwards, downwards;  ///< equations, first the one whose own reads need it
};
/// Whether that is why the order fails.
std::optional<BothWays> needed_both_ways(const Analysis& analysis, const lang::Order& order);

Failure explain(const Analysis& analysis, const Search& search, const lang::Order& order);

}  // namespace trellis::place
