#pragma once
// Which ranks own what a section names: by bisection of the cuts, not by asking all ranks.

#include "engine/distribute/cuts.hpp"

namespace trellis::distribute {

/// Ranks among which are all that own an element of a section of the exchange, which is that of `rank` where sizes,
/// ends of parts and the loops around have these numbers. Few more: those whose parts meet the hull of the section.
std::vector<std::int64_t> owners_near(const Plan& plan, const Cuts& cuts, const Exchange& exchange,
                                      const math::Domain& section, const Numbers& numbers, std::int64_t rank);

}  // namespace trellis::distribute
