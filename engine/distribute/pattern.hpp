#pragma once
// What an exchange looks like: it chooses words and calls, never what is right.

#include "engine/distribute/nest.hpp"

namespace trellis::distribute {

/// `x(i-1)`; `…` for an index that is not affine.
std::string schedule_text(const schedule::Touch& touch);

/// Adds to the exchange what the read makes of its pattern, and whose coordinates say what is read. The exchange stands
/// inside so many loops.
void describe(Exchange& exchange, const Plan& plan, const Nest& nest, const schedule::Site& site,
              const schedule::Touch& touch, std::size_t around);

}  // namespace trellis::distribute
