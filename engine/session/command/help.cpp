// help, explain, examples.
#include <algorithm>
#include <cctype>

#include "engine/lang/resolve/resolve.hpp"
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

/// As names and titles are compared: "page_rank" is "PageRank".
std::string letters_of(std::string_view text) {
  std::string letters;
  for (const unsigned char c : text)
    if (std::isalnum(c)) letters += static_cast<char>(std::tolower(c));
  return letters;
}

/// "page_rank, power_iteration" of those whose names or titles have the word; "" where too many do, or none.
std::string examples_about(const std::string& word) {
  const std::string wanted = letters_of(word);
  if (wanted.size() < 3) return "";
  std::string names;
  int count = 0;
  for (const Example& example : example_programs)
    if (letters_of(example.name).find(wanted) != std::string::npos ||
        letters_of(example.summary()).find(wanted) != std::string::npos)
      names += (count++ == 0 ? "" : ", ") + std::string(example.name);
  return count > 6 ? "" : names;
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
  if (const std::string near = text::did_you_mean(name, candidates); !near.empty())
    d.notes.push_back({{}, "did you mean `help " + near + "`?"});
  if (const std::string_view instead = lang::resolving::written_instead(name); !instead.empty())
    d.notes.push_back({{}, std::string(instead)});
  else if (const std::string found = examples_about(name); !found.empty())
    d.notes.push_back({{}, "`examples NAME` shows a program, here " + found});
  if (d.notes.empty()) d.notes.push_back({{}, "`help` lists the topics, `examples` lists programs"});
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
