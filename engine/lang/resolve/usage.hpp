#pragma once
// What is said of a command whose words are not what it takes.

#include <string>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

/// From the command's name to its last word.
text::Span whole_of(const syntax::Command& command);

/// E0323 at the word that the command does not take; null: its words end too soon. `note` says what it does take.
void report_usage(Resolution& resolution, const syntax::Command& command, const syntax::Word* word,
                  const std::string& note);

}  // namespace trellis::lang::resolving
