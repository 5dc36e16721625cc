#pragma once
// E0105: a kernel of which no loop order is legal, with the reason that a person would give.

#include "engine/place/analysis.hpp"

namespace trellis::place {

/// Names the loop that two equations need in opposite directions, if that is it, and offers another index for one of
/// them: a loop of its own. The fix has been tried.
void report_no_order(const Analysis& analysis, text::Diagnostics& diagnostics);

}  // namespace trellis::place
