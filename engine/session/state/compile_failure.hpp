#pragma once
// What is said where a back end gave no code.

#include <string>

#include "engine/lang/program.hpp"
#include "engine/run/kernel.hpp"
#include "engine/session/reply/exit.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::session {

/// How a refusal is told, such as E0501: "the native back end could not compile y".
struct Refusal {
  const char* code;
  std::string message;
};

/// With the compiler's own words as a note. `exit` tells of one that was ended, by its limit (E0504) or by somebody
/// (E0506).
void report(const run::CompileError& error, const Refusal& refusal, const lang::Kernel& kernel,
            text::Diagnostics& diagnostics, Exit& exit);

}  // namespace trellis::session
