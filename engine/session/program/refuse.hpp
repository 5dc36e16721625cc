#pragma once
// What is wrong with a text as a whole, found before any of it runs: errors in what it declares, commands that do not
// exist or stand in the wrong place, options of the command line that fit nothing in it.

#include "engine/lang/syntax.hpp"
#include "engine/session/reply/reply.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Adds to `diagnostics`, which holds the text's syntax errors, and says how to exit; Exit::success if nothing is
/// wrong.
Exit refuse(State& state, const lang::syntax::File& file, text::Diagnostics& diagnostics);

/// Commands of a text that do not exist or stand in the wrong place.
void refuse_commands(const lang::syntax::File& file, text::Diagnostics& diagnostics);

/// The first errors tell what is wrong; of a file that is no program there would be thousands.
text::Diagnostics first_errors(const text::Diagnostics& all);

/// Of an equation with timesteps, or an `until`, that was entered alone and lacks what others say: how to enter them
/// together.
text::Diagnostics with_advice(const text::Diagnostics& errors, const lang::syntax::File& file);

/// A command that does not exist.
void refuse_unknown(const lang::syntax::Command& command, text::Diagnostics& diagnostics);

}  // namespace trellis::session
