#pragma once
// Dense results that nobody asked for beside sparse operands.

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Refuses an undeclared dense result that is far larger than the operands, E0702, or warns of it, W0702
/// (docs/design/language.md#results-formats). False is reported.
bool mind_density(State&, const lang::Kernel&, const lang::Program&, text::Span at, text::Diagnostics&);

}  // namespace trellis::session
