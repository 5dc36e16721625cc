#pragma once
// Constraints with numbers that 64 bits do not hold, at the present sizes: nobody could say where they hold.

#include <map>
#include <optional>
#include <string>

#include "engine/lang/program.hpp"

namespace trellis::check {

/// E0606 at the first equation with one; empty where there is none.
std::optional<text::Diagnostic> overflowing_constraint(const lang::Program& program, const lang::Kernel& kernel,
                                                       const std::map<std::string, format::Value>& sizes);

}  // namespace trellis::check
