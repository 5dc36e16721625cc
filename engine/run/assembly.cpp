#include "engine/run/assembly.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include "engine/run/cache.hpp"
#include "engine/run/native.hpp"
#include "engine/run/process.hpp"
#include "engine/run/unit.hpp"

namespace trellis::run {
namespace {

#if defined(__x86_64__)
const std::vector<std::string> dialect = {"-M", "intel"};
#else
const std::vector<std::string> dialect = {};
#endif

std::string disassembler() {
  const char* const chosen = std::getenv("OBJDUMP");
  return chosen && *chosen ? chosen : "objdump";
}

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

template <class Number>
std::optional<Number> number_at(std::string_view text, int base) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

using Address = std::uint64_t;

/// An instruction whose jump is not named yet: `1112:  jle    1188 <f_KEY+0x78>`.
struct Listed {
  Address address = 0;
  std::string_view words;
  int line = 0;
};

/// `0000000000001110 <f_KEY>:`; empty: the line is none.
std::string_view function_in(std::string_view line) {
  const std::size_t open = line.find(" <");
  if (open == std::string_view::npos || !line.ends_with(">:") || !number_at<Address>(line, 16)) return {};
  return line.substr(open + 2, line.size() - open - 4);
}

/// `FILE:7`, `FILE:7 (discriminator 2)`, `inlined by FILE:7 (f_KEY)`: 7.
std::optional<int> line_in(std::string_view line) {
  const std::size_t colon = line.rfind(':');
  return colon == std::string_view::npos ? std::nullopt : number_at<int>(line.substr(colon + 1), 10);
}

std::optional<Listed> instruction_in(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' '), colon = line.find(":\t");
  if (begin == 0 || begin == std::string_view::npos || colon == std::string_view::npos) return std::nullopt;
  const auto address = number_at<Address>(line.substr(begin), 16);
  if (!address) return std::nullopt;
  std::string_view words = line.substr(colon + 2);
  words = words.substr(0, words.find(" #"));  // where data lie in this object
  while (words.ends_with(' ')) words.remove_suffix(1);
  return Listed{*address, words, 0};
}

/// Where `jle    1188 <f_KEY+0x78>` goes: 1188, and where the words for it begin.
struct Target {
  Address address = 0;
  std::size_t begin = 0;
};
std::optional<Target> target_in(std::string_view words) {
  const std::size_t open = words.rfind(" <");
  if (open == std::string_view::npos || !words.ends_with('>')) return std::nullopt;
  const std::size_t begin = words.find_last_of(" ,\t", open - 1) + 1;
  const auto address = number_at<Address>(words.substr(begin), 16);
  return address ? std::optional(Target{*address, begin}) : std::nullopt;
}

std::string without(std::string_view words, const std::string& key) {
  std::string out(words);
  for (std::size_t at = out.find("_" + key); at != std::string::npos; at = out.find("_" + key))
    out.erase(at, key.size() + 1);
  return out;
}

MachineFunction with_labels(std::string_view name, const std::vector<Listed>& listed, const std::string& key) {
  std::map<Address, std::string> labels;
  for (const Listed& one : listed)
    if (const auto target = target_in(one.words))
      if (std::ranges::binary_search(listed, target->address, {}, &Listed::address)) labels[target->address];
  int count = 0;
  for (auto& [address, label] : labels) label = "." + std::to_string(++count);

  MachineFunction function{without(name, key), {}};
  for (const Listed& one : listed) {
    const auto label = labels.find(one.address);
    std::string words(one.words);
    if (const auto target = target_in(one.words)) {
      const auto to = labels.find(target->address);
      words.resize(target->begin);
      words += to != labels.end() ? to->second : std::string(one.words.substr(one.words.rfind('<')));
    }
    function.instructions.push_back({label == labels.end() ? "" : label->second, without(words, key), one.line});
  }
  return function;
}

/// What fills the room up to the next function is not part of this one.
void drop_padding(std::vector<Listed>& listed) {
  const auto pads = [](std::string_view words) {
    return words.find("nop") != std::string_view::npos || words.starts_with("xchg   ax,ax");
  };
  while (!listed.empty() && pads(listed.back().words)) listed.pop_back();
}

}  // namespace

std::vector<MachineFunction> read_listing(std::string_view listing, const std::string& key, int lines_before) {
  std::vector<MachineFunction> functions;
  std::string_view name;
  std::vector<Listed> listed;
  int line = 0;
  const auto end_function = [&] {
    drop_padding(listed);
    if (!listed.empty() && name.find("_" + key) != std::string_view::npos)
      functions.push_back(with_labels(name, listed, key));
    listed.clear();
    line = 0;
  };
  while (!listing.empty()) {
    const std::string_view words = next_line(listing);
    if (const std::string_view begins = function_in(words); !begins.empty()) {
      end_function();
      name = begins;
    } else if (auto instruction = instruction_in(words)) {
      instruction->line = std::max(0, line);
      listed.push_back(*instruction);
    } else if (const auto number = line_in(words)) {
      line = *number - lines_before;
    }
  }
  end_function();
  return functions;
}

std::variant<std::vector<MachineFunction>, CompileError> assembly_of(const emit::Module& module, const Limits& limits) {
  const ScratchFolder scratch;
  const std::string key = content_key(module.source);
  const auto object = compile_with_lines(module, key, scratch, limits);
  if (const auto* error = std::get_if<CompileError>(&object)) return *error;
  std::vector<std::string> command = {disassembler(), "-d", "-l", "--inlines", "--no-show-raw-insn", "-j", ".text"};
  command.insert(command.end(), dialect.begin(), dialect.end());
  command.push_back(std::get<std::string>(object));
  const Finished finished = run_program(command, Wait(limits.seconds, limits.cancel));
  const std::string program = "the disassembler `" + command.front() + "`";
  switch (finished.ending.kind) {
    case Ending::Kind::not_started:
      return CompileError{program + " could not be started (" + std::strerror(finished.ending.code) +
                          "): install binutils, or name another one in the environment variable OBJDUMP"};
    case Ending::Kind::interrupted: return CompileError{program + " was interrupted", CompileError::Kind::interrupted};
    case Ending::Kind::timed_out:
      return CompileError{program + " did not end within its time limit", CompileError::Kind::timed_out};
    default: break;
  }
  if (!finished.succeeded()) return CompileError{program + " failed: " + finished.output};
  const auto lines_before = static_cast<int>(defined_functions(module.source).size());  // the names' definitions
  return read_listing(finished.output, key, lines_before);
}

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) lines.push_back(next_line(text));
  return lines;
}

/// Which line of the source, from 1, is the first of what is shown, which has no attributes before its functions; 0:
/// none.
int first_shown(const emit::Module& module) {
  const std::vector<std::string_view> all = lines_of(module.source), shown = lines_of(module.shown.characters);
  const auto found = std::ranges::search(all, shown, [](auto line, auto ending) { return line.ends_with(ending); });
  return found.empty() ? 0 : 1 + static_cast<int>(found.begin() - all.begin());
}

/// Nodes of what is shown by line of the source: those that stand on one line, parts before what they are part of, and
/// the innermost whose first line it is where nothing else stands on it.
std::map<int, std::vector<const text::TextSpan*>> nodes_by_line(const emit::Module& module) {
  std::map<int, std::vector<const text::TextSpan*>> whole, heads;
  const int first = first_shown(module);
  if (first == 0) return whole;
  const std::string_view shown = module.shown.characters;
  const auto breaks = [](std::string_view text) { return static_cast<int>(std::ranges::count(text, '\n')); };
  for (const text::TextSpan& span : module.shown.spans) {
    const std::string_view words = shown.substr(span.begin, span.end - span.begin);
    const bool is_whole = words.find('\n') + 1 == words.size() || breaks(words) == 0;
    (is_whole ? whole : heads)[first + breaks(shown.substr(0, span.begin))].push_back(&span);
  }
  for (auto& [line, nodes] : whole) std::ranges::reverse(nodes);
  for (const auto& [line, nodes] : heads) whole.try_emplace(line, std::vector{nodes.back()});
  return whole;
}

}  // namespace

text::Text annotated(const std::vector<MachineFunction>& functions, const emit::Module& module, LinesOfC lines) {
  const auto nodes = nodes_by_line(module);
  const std::vector<std::string_view> source = lines_of(module.source);
  const bool above = lines == LinesOfC::above;
  text::Text text;
  std::string& out = text.characters;
  const auto write = [&](const std::string& words, int line) {
    const auto begin = static_cast<std::uint32_t>(out.size());
    out += words;
    const auto end = static_cast<std::uint32_t>(out.size());
    out += "\n";
    if (const auto made_of = nodes.find(line); made_of != nodes.end())
      for (const text::TextSpan* span : made_of->second) text.spans.push_back({begin, end, span->node, span->origin});
  };
  for (const MachineFunction& function : functions) {
    out += (out.empty() ? "" : "\n") + function.name + ":\n";
    int said = 0;
    for (const Instruction& one : function.instructions) {
      if (above && one.line != said && one.line > 0 && one.line <= std::ssize(source))
        write("# " + std::string(source[static_cast<std::size_t>(one.line) - 1]), said = one.line);
      const std::string label = one.label.empty() ? "" : one.label + ":";
      write(label + std::string(std::max<std::size_t>(8, label.size() + 1) - label.size(), ' ') + one.words, one.line);
    }
  }
  return text;
}

}  // namespace trellis::run
