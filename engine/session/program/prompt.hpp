#pragma once
// What holds for entries at a prompt, and for texts not: definitions replace each other, and constraints come later.
//
//   y(i) = x(i-1)
//   : 1 <= i            amends it: y(i) = x(i-1) : 1 <= i
//   y(i) = x(i+1)       takes its place

#include <optional>
#include <string>

#include "engine/lang/syntax.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::session {

/// N0601.
void announce_replacement(const lang::syntax::Statement& statement, text::Diagnostics& diagnostics);

/// The equation that an entry ends with, as it is written there.
std::optional<std::string> equation_at_end(const std::string& entry);

/// The entry, or, when it begins with `:`, that equation with these constraints as well.
std::string amended(std::string entry, const std::string& equation);

}  // namespace trellis::session
