#include "repl/entry.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace trellis::repl {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\r' && k + 1 < text.size() && text[k + 1] == '\n') continue;
    if (text[k] == '\n' || text[k] == '\r') lines.emplace_back();
    else lines.back() += text[k];
  }
  return lines;
}

// A prompt at the end of a line has lost its blank in many a copy.
bool take_prompt(std::string& line, std::string_view prompt) {
  const std::string_view bare = prompt.substr(0, prompt.size() - 1);
  if (line.starts_with(prompt)) line.erase(0, prompt.size());
  else if (line == bare) line.clear();
  else return false;
  return true;
}

}  // namespace

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

std::string without_prompts(const std::string& pasted) {
  std::vector<std::string> lines = lines_of(pasted);
  const bool transcript =
      std::ranges::any_of(lines, [](const std::string& line) { return line.starts_with(first_prompt); });
  std::string out;
  for (std::string& line : lines) {
    const bool prompted = transcript && (take_prompt(line, first_prompt) || take_prompt(line, next_prompt));
    if (transcript && !prompted) continue;
    out += line + "\n";
  }
  while (!out.empty() && (out.back() == '\n' || out.back() == ' ')) out.pop_back();
  return out;
}

std::string with_help(const std::string& entry) {
  const std::size_t mark = entry.find_first_not_of(" \t");
  if (mark == std::string::npos || entry[mark] != '?') return entry;
  const std::size_t start = entry.find_first_not_of(" \t", mark + 1);
  if (start == std::string::npos) return "help";
  const std::string topic = entry.substr(start, entry.find_last_not_of(" \t\n") + 1 - start);
  const bool word =
      std::ranges::all_of(topic, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
  return word ? "help " + topic : "help \"" + topic + "\"";
}

}  // namespace trellis::repl
