#pragma once
// `show asm`: the machine code that the back end native makes of a kernel, with the lines of C that it was made of.

#include <optional>

#include "engine/session/reply/exit.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// Empty is reported: E0507 where there is no compiler or no disassembler, or they refuse the C.
std::optional<text::Text> assembly_text(const State& state, const Compilation& compilation,
                                        text::Diagnostics& diagnostics, Exit& exit);

}  // namespace trellis::session
