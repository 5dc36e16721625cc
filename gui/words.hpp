#pragma once
// Words of the window's own commands.

#include <string>
#include <string_view>
#include <utility>

namespace trellis::gui {

/// The first word, and what follows it; a word in quotes keeps its blanks and loses its quotes.
std::pair<std::string, std::string> split_word(std::string_view text);
/// Without blanks around it, nor ends of lines behind it.
std::string_view trimmed(std::string_view text);
/// Without the quotes around it.
std::string unquoted(std::string text);
std::string in_quotes(const std::string& text);

}  // namespace trellis::gui
