#include "repl/aliases.hpp"

#include <cctype>

#include "engine/session/command/commands.hpp"

namespace trellis::repl {
namespace {

/// Takes the first word of a text, and the blanks around it.
std::string take_word(std::string& text) {
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  text.erase(0, std::min(text.find_first_not_of(" \t\n"), text.size()));
  std::size_t length = 0;
  while (length < text.size() && is_name(text[length])) ++length;
  const std::string word = text.substr(0, length);
  text.erase(0, std::min(text.find_first_not_of(" \t\n", length), text.size()));
  return word;
}

bool goes_on_as_equation(const std::string& rest) {
  return !rest.empty() && (rest[0] == '=' || rest[0] == '(' || rest[0] == '[');
}

}  // namespace

std::optional<std::string> Aliases::answer(const std::string& entry) {
  std::string rest = entry;
  const std::string verb = take_word(rest);
  if ((verb != "alias" && verb != "unalias") || goes_on_as_equation(rest)) return std::nullopt;
  const std::string name = take_word(rest);
  if (verb == "unalias") return meanings_.erase(name) > 0 ? "" : "there is no alias `" + name + "`\n";
  while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.back()))) rest.pop_back();
  if (!name.empty() && !rest.empty()) return define(name, rest);
  std::string out;
  for (const auto& [known, meaning] : meanings_)
    if (name.empty() || name == known) out += "alias " + known + " " + meaning + "\n";
  return !out.empty()   ? out
         : name.empty() ? "there are no aliases; `alias sl show loops` makes one\n"
                        : "there is no alias `" + name + "`\n";
}

std::string Aliases::define(const std::string& name, const std::string& meaning) {
  if (session::find_command(name) || name == "alias" || name == "unalias")
    return "`" + name + "` is a command already\n";
  meanings_[name] = meaning;
  return "";
}

std::string Aliases::expanded(const std::string& entry) const {
  std::string rest = entry;
  const auto known = meanings_.find(take_word(rest));
  if (known == meanings_.end() || goes_on_as_equation(rest)) return entry;
  return known->second + (rest.empty() ? "" : " " + rest);
}

}  // namespace trellis::repl
