#pragma once
// E0105: a kernel of which no loop order is legal, with the reason that a person would give.

#include "engine/place/analysis.hpp"
#include "engine/place/failure.hpp"

namespace trellis::place {

/// How equations that need a loop in opposite directions are written with an index of their own: as a fix the one that
/// the message is about, as a note others, or several. Some order is legal then, which has been tried; where none is,
/// the note says what is left to try.
void offer_own_loop(const Analysis& analysis, const BothWays& both, text::Diagnostic& diagnostic);

/// Names the loop that two equations need in opposite directions, if that is it, and offers another index for one of
/// them: a loop of its own. The fix has been tried.
void report_no_order(const Analysis& analysis, text::Diagnostics& diagnostics);

}  // namespace trellis::place
