#pragma once
// Colours for printed text. Each function takes text without control sequences and gives the same text with some.

#include <string>
#include <string_view>

#include "engine/session/reply/reply.hpp"

namespace trellis::repl {

/// C: key words, numbers, comments.
std::string paint_c(std::string_view text);
/// Machine code: the lines of C above it, marked `# `, are painted as C.
std::string paint_assembly(std::string_view text);
/// Equations, loops, declarations and commands, as the language writes them.
std::string paint_program(std::string_view text);
/// Help: its heading, and the programs in it.
std::string paint_help(std::string_view text);
/// `✓`, `✗`, `⚠` in green, red and yellow.
std::string paint_verdicts(std::string_view text);
/// Tensors: zeros and brackets step back.
std::string paint_values(std::string_view text);

/// What a reply prints, by its kind.
std::string paint(const session::Reply& reply, std::string_view output);

/// For what matters less.
std::string dim(std::string_view text);

}  // namespace trellis::repl
