#include "repl/render/paint.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/format/operation.hpp"
#include "engine/session/command/commands.hpp"

namespace trellis::repl {
namespace {

namespace colour {
constexpr const char *off = "\x1b[0m", *key_word = "\x1b[1;34m", *type = "\x1b[36m", *number = "\x1b[35m", *comment = "\x1b[2m", *string = "\x1b[32m",
                     *heading = "\x1b[1m", *good = "\x1b[32m", *bad = "\x1b[31m", *doubtful = "\x1b[33m", *function = "\x1b[36m", *faint = "\x1b[2m";
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

std::string painted(const char* how, std::string_view text) { return how + std::string(text) + colour::off; }

/// Words, numbers, strings and comments of a language; `colour_of` says how a word looks, null: as it is.
template <class ColourOf>
std::string paint_words(std::string_view text, std::string_view comment_start, const ColourOf& colour_of) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t length = 1;
    const char* how = nullptr;
    if (rest.starts_with(comment_start)) {
      length = std::min(rest.find('\n'), rest.size());
      how = colour::comment;
    } else if (rest.starts_with("/*") && comment_start == "//") {
      length = std::min(rest.find("*/"), rest.size() - 2) + 2;
      how = colour::comment;
    } else if (rest[0] == '"') {
      while (length < rest.size() && rest[length] != '"' && rest[length] != '\n') ++length;
      length = std::min(length + 1, rest.size());
      how = colour::string;
    } else if (is_letter(rest[0])) {
      while (length < rest.size() && (is_letter(rest[length]) || is_digit(rest[length]))) ++length;
      how = colour_of(rest.substr(0, length));
    } else if (is_digit(rest[0])) {
      while (length < rest.size() && (is_letter(rest[length]) || is_digit(rest[length]) || rest[length] == '.')) ++length;
      how = colour::number;
    }
    out += how ? painted(how, rest.substr(0, length)) : std::string(rest.substr(0, length));
    at += length;
  }
  return out;
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

const char* colour_in_c(std::string_view word) {
  static constexpr std::array<std::string_view, 14> words = {"for", "while", "do", "if", "else", "return", "break", "continue", "switch", "case", "goto", "sizeof", "struct", "static"};
  static constexpr std::array<std::string_view, 20> types = {"int", "long", "double", "float", "char", "void", "const", "unsigned", "restrict", "size_t", "int64_t",
                                                             "int32_t", "int16_t", "uint64_t", "uint32_t", "uint8_t", "int8_t", "inline", "extern", "_Bool"};
  return is_one_of(word, words) ? colour::key_word : is_one_of(word, types) ? colour::type : nullptr;
}

const char* colour_in_program(std::string_view word) {
  static constexpr std::array<std::string_view, 25> words = {"tensor", "param", "kernel", "loops", "def", "layout", "until", "for", "forall", "while", "if", "else", "let",
                                                             "freeze", "thaw", "in", "down", "reduces", "fill", "true", "false", "inf", "missing", "xor", "pad"};
  if (is_one_of(word, words) || session::find_command(word)) return colour::key_word;
  if (format::scalar_type(word)) return colour::type;
  return format::function(word) || format::reduce_op(word) ? colour::function : nullptr;
}

std::string paint_lines(std::string_view text, std::string (*paint_line)(std::string_view, std::size_t)) {
  std::string out;
  std::size_t at = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += paint_line(text.substr(0, end), at++);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string paint_c(std::string_view text) { return paint_words(text, "//", colour_in_c); }

std::string paint_program(std::string_view text) { return paint_words(text, "#", colour_in_program); }

std::string paint_help(std::string_view text) {
  return paint_lines(text, [](std::string_view line, std::size_t at) {
    return at == 0 ? painted(colour::heading, line) : line.starts_with("    ") ? paint_program(line) : std::string(line);
  });
}

std::string paint_verdicts(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 3> verdicts = {{{"✓", colour::good}, {"✗", colour::bad}, {"⚠", colour::doubtful}}};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto found = std::ranges::find_if(verdicts, [&](const auto& v) { return text.substr(at).starts_with(v.first); });
    const std::size_t length = found == verdicts.end() ? 1 : found->first.size();
    out += found == verdicts.end() ? std::string(1, text[at]) : painted(found->second, found->first);
    at += length;
  }
  return out;
}

std::string paint_values(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = text.substr(at).find_first_of(" []()\n");
    length = length == std::string_view::npos ? text.size() - at : std::max<std::size_t>(length, 1);
    const std::string_view word = text.substr(at, length);
    const bool steps_back = word == "0" || word == "[" || word == "]" || word == "…";
    out += steps_back ? dim(word) : std::string(word);
    at += length;
  }
  return out;
}

std::string dim(std::string_view text) { return painted(colour::faint, text); }

std::string paint(const session::Reply& reply, std::string_view output) {
  if (const auto* shown = std::get_if<session::Shown>(&reply.result)) {
    if (shown->stage == "c") return paint_c(output);
    const bool program = shown->stage == "loops" || shown->stage == "equations" || shown->stage == "fragments" || shown->stage == "cfir" || shown->stage == "schedule";
    return program ? paint_program(output) : paint_verdicts(output);
  }
  if (std::holds_alternative<session::Explained>(reply.result)) return reply.command == "examples" ? paint_program(output) : paint_help(output);
  if (std::holds_alternative<session::LessonShown>(reply.result)) return paint_verdicts(paint_help(output));
  if (std::holds_alternative<session::Printed>(reply.result)) return paint_values(output);
  return paint_verdicts(output);
}

}  // namespace trellis::repl
