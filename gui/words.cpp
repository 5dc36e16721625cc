#include "gui/words.hpp"

namespace trellis::gui {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

std::pair<std::string, std::string> split_word(std::string_view text) {
  text = trimmed(text);
  const bool quote = text.starts_with('"');
  const std::size_t end = std::min(quote ? text.find('"', 1) : text.find(' '), text.size());
  const std::string_view word = quote ? text.substr(1, end - 1) : text.substr(0, end);
  return {std::string(word), std::string(trimmed(text.substr(std::min(text.size(), quote ? end + 1 : end))))};
}

std::string unquoted(std::string text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

}  // namespace trellis::gui
