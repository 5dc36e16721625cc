// help, explain, examples.
#include <algorithm>
#include <cctype>

#include "engine/session/command/commands.hpp"
#include "engine/session/program/documents.hpp"

namespace trellis::session {

std::vector<std::string> help_topics() {
  std::vector<std::string> names = topics(topics_page);
  for (std::string& name : topics(formats_page)) names.push_back(std::move(name));
  for (const std::string& name : sections(commands_page))
    if (!find_command(name) && std::ranges::find(names, name) == names.end()) names.push_back(name);
  names.emplace_back("files");
  return names;
}

namespace {

std::string overview() {
  std::size_t width = 0;
  for (const CommandInfo& command : commands()) width = std::max(width, command.usage.size());
  std::string out = "Equations define tensors; commands work on them.\n\n";
  for (const CommandInfo& command : commands()) {
    out += "  " + std::string(command.usage) + std::string(width - command.usage.size() + 2, ' ') +
           std::string(command.summary) + "\n";
  }
  out += "\n`help NAME` says more, also of";
  std::string line;
  for (const std::string& name : help_topics()) {
    if (line.size() + name.size() > 110) out += line + "\n", line.clear();
    line += (line.empty() && out.ends_with("\n") ? "" : " ") + name;
  }
  return out + line + "\nand of error codes: `help E0101`. Names that end with = stand in quotes: `help \"==\"`.\n";
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

CommandResult help(State&, Words& words) {
  if (words.at_end()) return {Explained{"", overview()}};
  const text::Span at = words.span();
  const std::string name = words.rest();
  if (auto text = section(commands_page, name)) return {Explained{name, *text}};
  for (const std::string_view page : {topics_page, formats_page})
    if (auto text = topic(page, name)) return {Explained{name, *text}};
  if (auto text = section(errors_page, upper_case(name))) return {Explained{upper_case(name), *text}};
  for (const std::string& suffix : {name, "." + name})
    if (auto text = section(files_page, suffix)) return {Explained{suffix, *text}};
  text::Diagnostic& d = words.diagnostics().error("E0610", at, "there is no help on `" + name + "`", "");
  std::vector<std::string> candidates = help_topics();
  for (const CommandInfo& command : commands()) candidates.emplace_back(command.name);
  const std::string near = text::did_you_mean(name, candidates);
  d.notes.push_back({{}, near.empty() ? "`help` lists the topics" : "did you mean `help " + near + "`?"});
  return {};
}

CommandResult examples(State&, Words& words) {
  if (words.at_end()) {
    ExamplesListed listed;
    for (const Example& example : example_programs)
      listed.entries.push_back({std::string(example.name), std::string(example.summary())});
    return {std::move(listed)};
  }
  const auto name = words.name("the name of an example");
  if (!name || !words.finish()) return {};
  std::vector<std::string> names;
  for (const Example& example : example_programs) {
    if (example.name == name->text) return {Explained{name->text, std::string(example.text)}};
    names.emplace_back(example.name);
  }
  text::Diagnostic& d = words.diagnostics().error("E0624", name->span, "there is no example `" + name->text + "`", "");
  const std::string near = text::did_you_mean(name->text, names);
  d.notes.push_back({{}, near.empty() ? "`examples` lists them" : "did you mean `examples " + near + "`?"});
  return {};
}

CommandResult explain(State&, Words& words) {
  const auto code = words.name("an error code, such as E0101");
  if (!code || !words.finish()) return {};
  if (auto text = section(errors_page, upper_case(code->text))) return {Explained{upper_case(code->text), *text}};
  text::Diagnostic& d =
      words.diagnostics().error("E0610", code->span, "there is no error code `" + code->text + "`", "");
  const std::string near = text::did_you_mean(code->text, sections(errors_page));
  if (!near.empty()) d.notes.push_back({{}, "did you mean `explain " + near + "`?"});
  return {};
}

}  // namespace trellis::session
