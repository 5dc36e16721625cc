#include "engine/lang/given_formats.hpp"

namespace trellis::lang {

std::set<std::string> given_formats(const std::vector<const syntax::Command*>& commands) {
  std::set<std::string> given;
  for (const syntax::Command* command : commands) {
    if (command->words.empty()) continue;
    const std::string& name = command->words.front().text;
    const bool taken_back = command->words.size() == 2 && command->words[1].text == "auto";
    if (taken_back) given.erase(name);
    else given.insert(name);
  }
  return given;
}

}  // namespace trellis::lang
