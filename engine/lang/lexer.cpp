#include "engine/lang/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <optional>
#include <utility>

namespace trellis::lang {
namespace {

using Kind = Token::Kind;

constexpr auto reserved_words =
    std::to_array<std::string_view>({"tensor", "for", "forall", "if", "else", "while", "let", "until", "freeze", "thaw",
                                     "true", "false", "inf", "missing", "xor"});

/// Longest first, so that the first that fits is the right one.
constexpr auto symbols = std::to_array<std::string_view>(
    {"<<=", ">>=", "&&=", "||=", ".=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "==", "!=", "<=",
     ">=",  "<<",  ">>",  "&&",  "||", "=>", "->", ":=", "(",  ")",  "[",  "]",  "{",  "}",  ",",  ":",
     "?",   "+",   "-",   "*",   "/",  "%",  "^",  "&",  "|",  "~",  "!",  "<",  ">",  "=",  "@",  "."});

/// What people paste from papers, and what the language writes instead.
constexpr auto look_alikes = std::to_array<std::pair<std::string_view, std::string_view>>({{"≤", "<="},
                                                                                           {"≥", ">="},
                                                                                           {"≠", "!="},
                                                                                           {"×", "*"},
                                                                                           {"·", "*"},
                                                                                           {"−", "-"},
                                                                                           {"–", "-"},
                                                                                           {"∞", "inf"},
                                                                                           {"∧", "&&"},
                                                                                           {"∨", "||"},
                                                                                           {"¬", "!"},
                                                                                           {"→", "->"},
                                                                                           {"“", "\""},
                                                                                           {"”", "\""},
                                                                                           {"’", "'"},
                                                                                           {"÷", "/"}});

bool is_reserved(std::string_view word) {
  return std::any_of(reserved_words.begin(), reserved_words.end(),
                     [&](std::string_view reserved) { return reserved.size() == word.size() && reserved == word; });
}

// Not <cctype>: the language does not depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_letter(c) || is_digit(c); }
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The length of the code point beyond ASCII that `text` starts with; 0 if there is none, or none that is valid UTF-8.
std::size_t foreign_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const std::size_t length = byte(0) >= 0xC2 && byte(0) < 0xE0   ? 2
                             : byte(0) >= 0xE0 && byte(0) < 0xF0 ? 3
                             : byte(0) >= 0xF0 && byte(0) < 0xF5 ? 4
                                                                 : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
  const bool no_character = (byte(0) == 0xED && byte(1) >= 0xA0) || (byte(0) == 0xF4 && byte(1) >= 0x90);
  return overlong || no_character ? 0 : length;
}

class Lexer {
 public:
  Lexer(std::string_view content, int source, text::Diagnostics& diagnostics)
      : content_(content), source_(source), diagnostics_(diagnostics) {}

  std::vector<Token> all() {
    if (content_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    while (skip_blanks(), at_ < content_.size()) one();
    begin_ = at_;
    add(Kind::end);
    return std::move(tokens_);
  }

 private:
  char look(std::size_t ahead = 0) const { return at_ + ahead < content_.size() ? content_[at_ + ahead] : '\0'; }
  std::string_view rest() const { return content_.substr(at_); }
  std::string_view current() const { return content_.substr(begin_, at_ - begin_); }
  text::Span span() const { return {source_, static_cast<std::uint32_t>(begin_), static_cast<std::uint32_t>(at_)}; }

  void add(Kind kind) {
    const bool joined = !tokens_.empty() && tokens_.back().span.end == begin_ && tokens_.back().kind != Kind::separator;
    tokens_.push_back({kind, current(), span(), joined, -1});
  }

  text::Diagnostic& wrong(const char* code, std::string message, std::string label = {}) {
    add(Kind::error);
    return diagnostics_.error(code, span(), std::move(message), std::move(label));
  }

  void skip_blanks() {
    for (; at_ < content_.size(); ++at_) {
      if (look() == '#') at_ = std::min(content_.find('\n', at_), content_.size()) - 1;
      else if (look() != ' ' && look() != '\t' && look() != '\r') return;
    }
  }

  void one() {
    begin_ = at_;
    const char c = look();
    if (c == '\n' || c == ';') {
      ++at_;
      const bool repeated = !tokens_.empty() && tokens_.back().kind == Kind::separator && tokens_.back().text == "\n";
      if (c == ';' || !repeated) add(Kind::separator);
    } else if (is_letter(c)) {
      while (is_word_part(look())) ++at_;
      add(is_reserved(current()) ? Kind::reserved : Kind::name);
    } else if (is_digit(c) || (c == '.' && is_digit(look(1)))) {
      number();
    } else if (c == '"') {
      string();
    } else if (c == '\'' && behind_operand()) {
      ++at_;
      add(Kind::symbol);
    } else if (c == '\'') {
      character();
    } else if (const std::size_t topic = topic_length()) {
      at_ += topic;
      add(Kind::name);
    } else {
      symbol();
    }
  }

  /// `A'`, `(A + B)'`: no character starts where a value has just ended.
  bool behind_operand() const {
    if (tokens_.empty() || tokens_.back().span.end != begin_) return false;
    const Token& last = tokens_.back();
    return last.kind == Kind::name || last.is(")") || last.is("]") || last.is("'");
  }

  /// `help .mtx`, `help ^`: what stands behind `help` is a word, whatever it is made of. A tensor may be called help,
  /// so that
  /// `help = 1`, `help(i)` and `help += 1` are what they always are.
  std::size_t topic_length() const {
    const std::size_t count = tokens_.size();
    const bool helps =
        count > 0 && tokens_.back().text == "help" && (count == 1 || tokens_[count - 2].kind == Kind::separator);
    if (!helps) return 0;
    const std::string_view topic = rest().substr(0, rest().find_first_of(" \t\r\n;"));
    const bool other = topic.front() == '(' || topic.front() == '[' || topic.back() == '=';
    return other ? 0 : topic.size();
  }

  // INT = digit {digit} | "0x" hex {hex};   FLOAT = digits ["." digits] [("e" | "E") ["+" | "-"] digits];
  void number() {
    const bool hexadecimal = look() == '0' && (look(1) == 'x' || look(1) == 'X') && hex_value(look(2)) >= 0;
    bool real = false, empty_fraction = false;
    if (hexadecimal) {
      at_ += 2;
      while (hex_value(look()) >= 0) ++at_;
    } else {
      digits();
      if (look() == '.' && look(1) != '=') {
        real = true;
        ++at_;
        empty_fraction = !is_digit(look());
        digits();
      }
      const std::size_t sign = look(1) == '+' || look(1) == '-' ? 1 : 0;
      if ((look() == 'e' || look() == 'E') && is_digit(look(1 + sign))) {
        real = true;
        at_ += 1 + sign;
        digits();
      }
    }
    if (grid_of_ranks()) return add(Kind::integer);
    if (is_word_part(look())) return glued_number();
    const std::string written(current());
    if (written.front() == '.') return void(wrong("E0003", "a number starts with a digit", "write 0" + written));
    if (empty_fraction && look() == '.') {
      while (look() == '.' || is_word_part(look())) ++at_;  // its upper end is no second mistake
      wrong("E0003", "`..` is no range here")
          .notes.push_back(
              {{},
               "an index runs over all of its dimension, as in sum(i)(x(i)); part of it is compared, as in "
               "sum(1 <= i, i < 4)(x(i)); a slice is written 0:n"});
      return;
    }
    if (empty_fraction) return void(wrong("E0003", "a decimal point stands between digits", "as in 1.0"));
    if (!fits(written, hexadecimal, real)) {
      wrong("E0004", real ? "this number does not fit f64" : "this number does not fit 64 bits");
      return;
    }
    add(real ? Kind::real : Kind::integer);
  }

  void digits() {
    while (is_digit(look())) ++at_;
  }

  /// `2x3` behind the word `ranks`: how many there are along each dimension of their grid.
  bool grid_of_ranks() {
    if (tokens_.empty() || tokens_.back().text != "ranks") return false;
    std::size_t end = 0;
    while (look(end) == 'x' && is_digit(look(end + 1)))
      for (++end; is_digit(look(end));) ++end;
    if (end == 0 || is_word_part(look(end))) return false;
    at_ += end;
    return true;
  }

  void glued_number() {
    const std::string number(current());
    const std::size_t word = at_;
    while (is_word_part(look())) ++at_;
    const std::string following(content_.substr(word, at_ - word));
    auto& diagnostic = wrong("E0003", "`" + std::string(current()) + "` is neither a number nor a name");
    // In an expression a number follows an operator; behind a name, this is an argument of a command.
    const bool in_command = tokens_.size() > 1 && tokens_[tokens_.size() - 2].kind == Kind::name;
    if (in_command) diagnostic.notes.push_back({{}, "file names stand in double quotes"});
    else if (number.back() != '.' && number != "0")
      diagnostic.notes.push_back({{}, "a product needs its sign: " + number + "*" + following});
  }

  static bool fits(const std::string& written, bool hexadecimal, bool real) {
    const char* first = written.data() + (hexadecimal ? 2 : 0);
    const char* last = written.data() + written.size();
    if (real) {
      double value = 0;
      return std::from_chars(first, last, value).ec == std::errc{};
    }
    std::uint64_t value = 0;
    return std::from_chars(first, last, value, hexadecimal ? 16 : 10).ec == std::errc{};
  }

  // STRING = '"' {character | "\" character} '"', on one line;
  void string() {
    ++at_;
    while (at_ < content_.size() && look() != '"' && look() != '\n') at_ += look() == '\\' && look(1) != '\n' ? 2 : 1;
    at_ = std::min(at_, content_.size());
    if (look() != '"') {
      wrong("E0002", "this string is never closed", "a string ends with `\"` on the same line");
      return;
    }
    ++at_;
    add(Kind::string);
  }

  // CHAR = "'" (ASCII character | "\" ("n" | "t" | "0" | "\" | "'") | "\x" hex hex) "'";
  void character() {
    ++at_;
    bool good = true;
    if (look() == '\\') {
      const bool hexadecimal = look(1) == 'x';
      good = hexadecimal ? hex_value(look(2)) >= 0 && hex_value(look(3)) >= 0
                         : look(1) != '\0' && std::string_view("nt0\\'").find(look(1)) != std::string_view::npos;
      if (good) at_ += hexadecimal ? 4 : 2;
    } else {
      good = look() >= ' ' && look() <= '~' && look() != '\'';
      if (good) ++at_;
    }
    if (good && look() == '\'') {
      ++at_;
      add(Kind::character);
      return;
    }
    const std::size_t line_end = std::min(content_.find('\n', at_), content_.size());
    const std::size_t quote = content_.find('\'', at_);
    if (quote > line_end) {
      wrong("E0002", "this character is never closed", "a character stands between two `'`");
      return;
    }
    at_ = quote + 1;
    wrong("E0005", "`'` encloses one ASCII character")
        .notes.push_back({{}, "text stands in double quotes; other bytes are written '\\x7F'"});
  }

  void symbol() {
    for (const std::string_view candidate : symbols) {
      if (candidate.front() != look() || !rest().starts_with(candidate)) continue;
      at_ += candidate.size();
      add(Kind::symbol);
      return;
    }
    unknown_character();
  }

  void unknown_character() {
    const auto byte = static_cast<unsigned char>(look());
    for (const auto& [written, meant] : look_alikes) {
      if (!rest().starts_with(written)) continue;
      at_ += written.size();
      wrong("E0001", "unknown character `" + std::string(written) + "`", "write " + std::string(meant));
      return;
    }
    // One message for a whole run: a word in another script is one mistake.
    while (const std::size_t length = foreign_character(rest())) at_ += length;
    const bool foreign = at_ > begin_;
    const bool visible = foreign || (byte > ' ' && byte <= '~');
    if (!foreign) ++at_;
    std::array<char, 16> code{};
    std::snprintf(code.data(), code.size(), "(byte 0x%02X)", static_cast<unsigned>(byte));
    auto& diagnostic =
        wrong("E0001", "unknown character " + (visible ? "`" + std::string(current()) + "`" : code.data()));
    if (foreign) diagnostic.notes.push_back({{}, "names are made of A-Z, a-z, 0-9 and _"});
  }

  std::string_view content_;
  int source_;
  text::Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::size_t begin_ = 0, at_ = 0;
};

}  // namespace

TokenList tokenize(std::string_view content, int source, text::Diagnostics& diagnostics) {
  return join_lines(Lexer(content, source, diagnostics).all());
}

std::uint8_t character_code(std::string_view literal) {
  if (literal[1] != '\\') return static_cast<std::uint8_t>(literal[1]);
  switch (literal[2]) {
    case 'n': return '\n';
    case 't': return '\t';
    case '0': return 0;
    case 'x': return static_cast<std::uint8_t>(hex_value(literal[3]) * 16 + hex_value(literal[4]));
    default: return static_cast<std::uint8_t>(literal[2]);
  }
}

std::string string_value(std::string_view literal) {
  std::string value;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      value += literal[i];
      continue;
    }
    ++i;
    switch (literal[i]) {
      case 'n': value += '\n'; break;
      case 't': value += '\t'; break;
      case '"':
      case '\\': value += literal[i]; break;
      default: value += '\\', value += literal[i];  // a path with backslashes
    }
  }
  return value;
}

}  // namespace trellis::lang
