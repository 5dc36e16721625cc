#include "tests/mutate/typist.hpp"

#include <cctype>
#include <sstream>

#include "engine/lang/parse.hpp"
#include "engine/session/command/commands.hpp"
#include "tests/programs.hpp"

namespace trellis::mutate {

std::vector<std::string> entries_of(const std::string& text) {
  std::vector<std::string> entries;
  std::istringstream lines(text);
  std::string entry;
  for (std::string line; std::getline(lines, line);) {
    entry += (entry.empty() ? "" : "\n") + line;
    if (lang::is_incomplete(entry)) continue;
    if (!entry.empty() && entry[0] != '#') entries.push_back(entry);
    entry.clear();
  }
  if (!entry.empty()) entries.push_back(entry);
  return entries;
}

const std::vector<Example>& examples() {
  static const std::vector<Example> all = [] {
    std::vector<Example> found;
    for (const auto& path : testing::files_of("examples", ".tr")) {
      const std::string text = testing::read(path);
      found.push_back({text, entries_of(text)});
    }
    return found;
  }();
  return all;
}

std::string without_slow_words(std::string typed) {
  for (const std::string_view slow : {"native", "time"})
    for (std::size_t at; (at = typed.find(slow)) != std::string::npos;) typed.replace(at, slow.size(), "jit");
  return typed;
}

std::string Typist::command() {
  std::string typed = dice_.chance(70)   ? from_table()
                      : dice_.chance(60) ? pick(program_->entries)
                                         : pick(pick(examples()).entries);
  for (int slips = dice_.chance(35) ? 1 + dice_.below(3) : 0; slips > 0; --slips) slip(typed);
  return without_slow_words(typed);
}

/// A name, a number or a word of the program that the session has.
std::string Typist::word() {
  static const std::vector<std::string> stages = {"equations", "fragments", "graph",   "placement", "loops",
                                                  "algebra",   "lattice",   "flow",    "c",         "formats",
                                                  "schedule",  "memory",    "instance"};
  static const std::vector<std::string> words = {
      "i",         "j",         "k",       "n",        "A",         "L",       "x",    "y",
      "main",      "down",      "jit",     "csr",      "csc",       "dense",   "hash", "step",
      "back",      "run",       "start",   "end",      "violation", "write",   "i=1",  "seed",
      "density",   "0.5",       "0",       "1",        "2",         "3",       "-1",   "9223372036854775807",
      "\"f.mtx\"", "\"f.npy\"", "\"f.c\"", "\"f.tr\"", "auto",      "bytemap", "next", "list",
      "leave",     "skip",      "yes",     "E0101",    "spy",       "dot",     "svg",  "json"};
  if (dice_.chance(25)) return pick(stages);
  return dice_.chance(50) ? pick(words) : name();
}

/// Some name of the program.
std::string Typist::name() {
  const std::string& text = program_->text;
  std::size_t at = static_cast<std::size_t>(dice_.below(static_cast<int>(text.size())));
  while (at < text.size() && !std::isalpha(static_cast<unsigned char>(text[at]))) ++at;
  std::size_t end = at;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
  return text.substr(at, end - at);
}

/// A tensor of the program: what its declarations name.
std::string Typist::tensor() {
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = program_->text.find("tensor ", at)) != std::string::npos; at += 7) {
    const std::size_t begin = at + 7, end = program_->text.find_first_of("(:;\n ", begin);
    names.push_back(program_->text.substr(begin, end - begin));
  }
  return names.empty() ? word() : pick(names);
}

/// One word of a command's usage, `[N]` or `jit|native`, as somebody who has read it would fill it in.
std::string Typist::filled_in(std::string part) {
  const bool optional = part.find('[') != std::string::npos || part.find(']') != std::string::npos;
  std::erase_if(part, [](char c) { return c == '[' || c == ']'; });
  if (optional && dice_.chance(50)) return "";
  std::vector<std::string> choices(1);
  for (const char c : part) {
    if (c == '|') choices.emplace_back();
    else choices.back() += c;
  }
  const std::string chosen = pick(choices);
  if (chosen == "TENSOR" || chosen == "A" || chosen == "L") return tensor();
  if (chosen == "N") return std::to_string(1 + dice_.below(4));
  if (chosen == "LESSON") return std::to_string(dice_.below(14));
  if (chosen == "ANSWER" && dice_.chance(70)) return std::to_string(1 + dice_.below(4));
  if (chosen == "ANSWER") return dice_.chance(50) ? "no" : word();
  if (chosen == "KERNEL" || chosen == "B") return "";
  if (chosen == "NAME") return dice_.chance(70) ? "kept" : word();
  if (chosen == "CODE") return "E0101";
  if (chosen == "STAGE" || chosen == "TOPIC") return dice_.chance(50) ? "loops" : word();
  return chosen;
}

std::string Typist::from_table() {
  const session::CommandInfo& info = pick(session::commands());
  std::string typed(info.name);
  if (dice_.chance(40)) {
    for (int words = dice_.below(4); words > 0; --words) typed += " " + word();
    return typed;
  }
  std::istringstream usage{std::string(info.usage)};
  std::string part;
  usage >> part;
  while (usage >> part) typed += " " + filled_in(part);
  return typed;
}

void Typist::slip(std::string& typed) {
  static const std::string characters = "()[]{},:;=+-*/^~&|<>?!.\"# \n0aA_\x7f\xc3";
  const auto at = static_cast<std::size_t>(dice_.below(static_cast<int>(typed.size()) + 1));
  switch (dice_.below(4)) {
    case 0: typed.insert(at, 1, pick(characters)); break;
    case 1: typed.erase(at, 1); break;
    case 2: typed.insert(at, " " + word() + " "); break;
    default: typed.resize(at); break;
  }
}

}  // namespace trellis::mutate
