#pragma once
// A command asked on the side, of a state that stays as it is: how pages are put together out of the replies of
// commands.

#include <string>

#include "engine/session/reply/reply.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// A page has many parts: none of them may take all of the time that a command has.
constexpr double parts_of_a_page = 8;

/// The reply to one command that shows something, such as `show loops main`. E0504 where that takes too long for a part
/// of a page.
Reply ask(State& state, const std::string& command);

}  // namespace trellis::session
