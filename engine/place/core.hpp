#pragma once
// Which dependences alone make an order illegal: a minimal set, so that the order would be legal without any one of
// them.

#include <vector>

#include "engine/place/analysis.hpp"

namespace trellis::place {

/// One fragment reads what another writes. That a reduction is complete before it is used is no dependence of the
/// user's: it always holds.
struct CoreDependence {
  int writer = -1, reader = -1;  ///< fragment ids
  int read = -1;                 ///< which of the reader's reads
  text::Instance instance;       ///< the smallest
  text::Span read_span, write_span;
};

/// The dependences between the user's own values, in the order of the fragments.
std::vector<CoreDependence> dependences_of(const Analysis& analysis);

/// Would the order be legal if only these dependences had to be respected?
bool is_legal_under(const Analysis& analysis, const lang::Order& order, const std::vector<CoreDependence>& respected);

/// Deletes one dependence after the other as long as the order stays illegal. Empty when the order is legal, or illegal
/// whatever is computed, as when it lists too few loops.
std::vector<CoreDependence> core(const Analysis& analysis, const lang::Order& order);

}  // namespace trellis::place
