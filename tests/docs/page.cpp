#include "tests/docs/page.hpp"

#include <algorithm>
#include <sstream>

namespace trellis::testing {

bool Block::has(const std::string& option) const {
  return std::find(options.begin(), options.end(), option) != options.end();
}

std::optional<std::string> Block::value(const std::string& name) const {
  for (const std::string& option : options)
    if (option.starts_with(name + "=")) return option.substr(name.size() + 1);
  return std::nullopt;
}

std::string Block::text() const {
  std::string out;
  for (const std::string& each : lines) out += each + "\n";
  return out;
}

Page read_page(const std::string& text) {
  Page page;
  std::istringstream stream(text);
  bool open = false;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.starts_with("```")) {
      open = !open;
      if (!open) continue;
      Block& block = page.blocks.emplace_back();
      block.line = number;
      std::istringstream words(line.substr(3));
      words >> block.language;
      for (std::string word; words >> word;) block.options.push_back(word);
    } else if (open) {
      page.blocks.back().lines.push_back(line);
    } else if (line.starts_with("    ")) {
      page.indented.push_back(number);
    }
  }
  return page;
}

std::vector<Command> commands_of(const Block& console) {
  std::vector<Command> commands;
  int number = console.line;
  for (const std::string& line : console.lines) {
    ++number;
    const bool goes_on = line.starts_with("> ") && !commands.empty() && commands.back().output.empty();
    if (line.starts_with("$ ")) {
      commands.emplace_back();
      commands.back().line = number;
      commands.back().text = line.substr(2);
    } else if (goes_on) {
      commands.back().text += "\n" + line.substr(2);
    } else {
      if (commands.empty()) commands.emplace_back().line = number;  // output of no command: it will not match
      commands.back().output.push_back(line);
      continue;
    }
    commands.back().output_line = number + 1;
  }
  return commands;
}

}  // namespace trellis::testing
