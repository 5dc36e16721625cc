#include "engine/run/unit.hpp"

#include <cctype>
#include <string_view>

#include "engine/text/sequence.hpp"

namespace trellis::run {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The next token of C at `at`, which moves past it: a word, or a single other character. Space, comments, literals and
// preprocessor lines are skipped. Empty at the end.
std::string_view next_token(std::string_view source, std::size_t& at) {
  const auto skip_past = [&](std::string_view end) {
    const std::size_t found = source.find(end, at);
    at = found == std::string_view::npos ? source.size() : found + end.size();
  };
  while (at < source.size()) {
    const char c = source[at];
    if (source.substr(at, 2) == "/*") {
      at += 2;
      skip_past("*/");
    } else if (c == '#' || source.substr(at, 2) == "//") {
      skip_past("\n");
    } else if (c == '"' || c == '\'') {
      for (++at; at < source.size() && source[at] != c; ++at)
        if (source[at] == '\\') ++at;
      ++at;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++at;
    } else {
      const std::size_t begin = at;
      do ++at;
      while (is_word(c) && at < source.size() && is_word(source[at]));
      return source.substr(begin, at - begin);
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> defined_functions(const std::string& source) {
  std::vector<std::string> names;
  std::string_view candidate, previous;
  int braces = 0, parentheses = 0;
  std::size_t at = 0;
  for (std::string_view token = next_token(source, at); !token.empty(); token = next_token(source, at)) {
    if (token == "(" && ++parentheses == 1 && braces == 0) candidate = previous;
    if (token == ")") --parentheses;
    if (token == ";" && braces == 0) candidate = {};
    if (token == "}") --braces;
    if (token == "{" && ++braces == 1 && !candidate.empty()) {
      add_once(names, candidate);
      candidate = {};
    }
    previous = is_word(token.front()) ? token : std::string_view{};
  }
  return names;
}

std::string keyed_entry(const emit::Module& module, const std::string& key) { return module.entry + "_" + key; }

std::string keyed_source(const emit::Module& module, const std::string& key) {
  std::string defines, undefines;
  for (const std::string& name : defined_functions(module.source)) {
    defines += "#define " + name + " " + name + "_" + key + "\n";
    undefines += "#undef " + name + "\n";
  }
  return defines + module.source + "\n" + undefines;
}

}  // namespace trellis::run
