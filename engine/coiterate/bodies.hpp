#pragma once
// How often the body of a loop would be written down: once for each set of operands that may be where the loop stands,
// at each of its points. What stands in a body is written as often, so that nests multiply: three loops over the union
// of three vectors each have 19 * 19 * 19 innermost bodies. Where that is too much, loops outside have one body for all
// cases, and those inside, where the time goes, keep theirs. (docs/design/coiteration.md#no-blow-up)

#include "engine/coiterate/support.hpp"

namespace trellis::coiterate {

/// Beyond it, a loop has one body.
constexpr double most_bodies = 128;

/// More operands than this that are not all needed at once would take a loop for each subset of them.
constexpr std::size_t most_merged = 3;

/// Of a loop whose operands are the algebra's.
double bodies_of(const Algebra& algebra);
/// Of the innermost statements, where the loops in it do as said above.
double bodies_inside(const loop::Stmt& body, const Surroundings& around);

}  // namespace trellis::coiterate
