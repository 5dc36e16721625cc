#include "tests/docs/error_example.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/repl/program.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {
namespace {

constexpr const char* name_of_program = "example.tr";

struct Part {
  std::string title;  ///< without its colon
  std::string text;   ///< without its indentation
};

std::vector<Part> parts_of(const std::string& section) {
  std::vector<Part> parts;
  std::string title;  // of what may follow
  std::istringstream lines(section);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (!line.starts_with("    ")) {
      title = line.ends_with(":") ? line.substr(0, line.size() - 1) : "";
    } else if (!title.empty()) {
      if (parts.empty() || parts.back().title != title) parts.push_back({title, ""});
      parts.back().text += line.substr(4) + "\n";
    }
  }
  return parts;
}

std::vector<std::string> lines_behind(const std::string& text, const std::string& mark) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark)) out.push_back(line.substr(mark.size()));
  return out;
}

Shown from(const Answer& answer, const std::string& code) {
  return {contains(" " + answer.codes + " ", " " + code + " "), !answer.ok(), answer.codes + "\n" + answer.messages()};
}

}  // namespace

ErrorExample read_error_example(const std::string& section) {
  ErrorExample example;
  for (const auto& [title, text] : parts_of(section)) {
    if (title == "Example") example.program = text;
    else if (title.starts_with("With ")) example.files.emplace_back(title.substr(5), text);
    else if (title == "On the command line") example.commands = lines_behind(text, "$ ");
    else if (title == "At the prompt") example.entries = lines_behind(text, "");
    else if (title == "In Python") example.python = text;
  }
  return example;
}

Shown show(const ErrorExample& example, const std::string& code, const Folder& folder) {
  const std::string path = folder.file(name_of_program, example.program);
  for (const auto& [name, content] : example.files) folder.file(name, content);
  if (!example.entries.empty()) return from(Transcript().enter(example.entries), code);
  if (example.commands.empty()) return from(Transcript().run(example.program, path), code);
  Shown shown;
  Surroundings surroundings;
  surroundings.folder = folder.path();
  for (const std::string& command : example.commands) {
    const Ended ended = start_shell(command, surroundings);
    shown.gives_code = contains(ended.out, "[" + code + "]");
    shown.fails = ended.code != 0;
    shown.output += "$ " + command + "\n" + ended.out;
  }
  return shown;
}

}  // namespace trellis::testing
