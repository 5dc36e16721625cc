#include "engine/session/typing/colouring.hpp"

#include <algorithm>
#include <array>

#include "engine/format/operation.hpp"
#include "engine/session/command/commands.hpp"

namespace trellis::session {
namespace {

bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

Word word_of_c(std::string_view word) {
  static constexpr std::array<std::string_view, 14> words = {"for",    "while",  "do",       "if",     "else",
                                                             "return", "break",  "continue", "switch", "case",
                                                             "goto",   "sizeof", "struct",   "static"};
  static constexpr std::array<std::string_view, 20> types = {
      "int",     "long",    "double",  "float",    "char",     "void",    "const",  "unsigned", "restrict", "size_t",
      "int64_t", "int32_t", "int16_t", "uint64_t", "uint32_t", "uint8_t", "int8_t", "inline",   "extern",   "_Bool"};
  return is_one_of(word, words) ? Word::key_word : is_one_of(word, types) ? Word::type : Word::name;
}

Word word_of_program(std::string_view word) {
  static constexpr std::array<std::string_view, 26> words = {
      "tensor",  "param", "ranks", "kernel", "loops", "def",     "layout", "until", "for",
      "forall",  "while", "if",    "else",   "let",   "freeze",  "thaw",   "in",    "down",
      "reduces", "fill",  "true",  "false",  "inf",   "missing", "xor",    "pad"};
  if (is_one_of(word, words) || find_command(word)) return Word::key_word;
  if (format::scalar_type(word)) return Word::type;
  return format::function(word) || format::reduce_op(word) ? Word::function : Word::name;
}

}  // namespace

std::vector<ColouredStretch> coloured_stretches(std::string_view text, TextLanguage language) {
  const std::string_view comment_start = language == TextLanguage::c ? "//" : "#";
  std::vector<ColouredStretch> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t length = 1;
    const auto add = [&](Word word) { out.push_back({at, at + length, word}); };
    if (rest.starts_with(comment_start)) {
      length = std::min(rest.find('\n'), rest.size());
      add(Word::comment);
    } else if (rest.starts_with("/*") && language == TextLanguage::c) {
      length = std::min(rest.find("*/"), rest.size() - 2) + 2;
      add(Word::comment);
    } else if (rest[0] == '"') {
      while (length < rest.size() && rest[length] != '"' && rest[length] != '\n') ++length;
      length = std::min(length + 1, rest.size());
      add(Word::string);
    } else if (begins_word(rest[0])) {
      while (length < rest.size() && (begins_word(rest[length]) || is_decimal(rest[length]))) ++length;
      add(language == TextLanguage::c ? word_of_c(rest.substr(0, length)) : word_of_program(rest.substr(0, length)));
    } else if (is_decimal(rest[0])) {
      while (length < rest.size() && (begins_word(rest[length]) || is_decimal(rest[length]) || rest[length] == '.'))
        ++length;
      add(Word::number);
    }
    at += length;
  }
  return out;
}

}  // namespace trellis::session
