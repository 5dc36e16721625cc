#pragma once
// How the steps of a kernel with `until` ended: its condition held, or never did, or they diverged. Nan and inf that
// come of numbers are no end that anybody waits for, whatever the condition makes of them.

#include "engine/session/reply/reply.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// `ended_after`: so many steps the condition held; 0: it never did. Empty for a kernel without `until`.
std::optional<Ran::Steps> steps_taken(const lang::Kernel& kernel, const FinishedRun& finished,
                                      std::int64_t ended_after);

/// `37 of at most 1000 steps, until its condition held`.
std::string to_string(const Ran::Steps& steps);
/// met, not met, diverged.
const char* name_of(Ran::Steps::End end);

}  // namespace trellis::session
