#pragma once
// `find B gallop`: how the entries of B are come by in a walk of several operands that are all needed, where each is
// sought from where it stands: by a merge, in which each is looked at in turn; step by step; or in growing steps.
// Bisection is no walk (coiterate/offers_of). What coordinates a walk comes by rises, so that each of these is valid.
// Source: LAYOUTS.md, "Finds".

#include <optional>

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::flow {

/// E0913 when a wish has nothing to be about.
std::optional<Flow> find_as_asked(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::flow
