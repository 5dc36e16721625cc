#pragma once
// What the user wrote, as an annotated text: the characters of the file, and a span for every statement and expression
// of the syntax tree, so that whatever later stages say came from them can be shown at its place.

#include "engine/lang/syntax.hpp"
#include "engine/text/source.hpp"
#include "engine/text/text.hpp"

namespace trellis::view {

/// Spans are of stage source. Statements that stand in other sources are left out.
text::Text annotated_source(const text::Sources& sources, int source, const lang::syntax::File& file);

}  // namespace trellis::view
