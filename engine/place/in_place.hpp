#pragma once
// `inplace D`: whether one buffer does for all timesteps of D in the order that was placed; a mask of D takes that too.

#include "engine/lang/schedule.hpp"
#include "engine/place/analysis.hpp"
#include "engine/place/placement.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::place {

/// The tensors of which one buffer is wanted.
std::vector<std::string> wanted_in_place(const lang::Schedule& schedule);

/// False, and E0120 with the read whose value another step would overwrite, for each tensor of which that is not so.
bool keeps_in_place(const Placed& placed, const lang::Schedule& schedule, text::Diagnostics& diagnostics);

/// False, and E0326, for each mask of a tensor of which several steps are kept: what it leaves out of one would have to
/// be in all of them.
bool masks_one_buffer(const Placed& placed, const lang::Schedule& schedule, text::Diagnostics& diagnostics);

}  // namespace trellis::place
