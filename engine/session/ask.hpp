#pragma once
// A command asked on the side, of a state that stays as it is: how pages are put together out of the replies of commands.

#include <string>

#include "engine/session/reply/reply.hpp"
#include "engine/session/state.hpp"

namespace trellis::session {

/// The reply to one command that shows something, such as `show loops main`.
Reply ask(State& state, const std::string& command);

}  // namespace trellis::session
