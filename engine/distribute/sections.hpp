#pragma once
// What has to be sent, by isl, for all sizes and all cuts (docs/design/distributed.md#ghosts).

#include "engine/distribute/nest.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::distribute {

/// Fills in the exchanges. False when there is one that nobody can carry out, which is reported.
bool find_exchanges(Plan& plan, const Nest& nest, text::Span asked, math::Solver& solver,
                    text::Diagnostics& diagnostics);

}  // namespace trellis::distribute
