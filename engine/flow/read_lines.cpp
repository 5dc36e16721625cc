#include "engine/flow/read_lines.hpp"

#include <algorithm>
#include <cctype>

namespace trellis::flow {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
/// Names may be in any alphabet.
bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (static_cast<unsigned char>(c) & 0x80u) != 0;
}
bool in_name(char c) { return starts_name(c) || is_digit(c); }

constexpr std::string_view several = "…";
// Longer ones first.
constexpr std::string_view symbols[] = {
    "||=",   "&&=", "->", "..", "+=", "*=", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||",
    several, "+",   "-",  "*",  "/",  "%",  "^",  "&",  "|",  "~",  "!",  "<",  ">",  "=",
    "?",     ":",   ",",  ";",  ".",  "(",  ")",  "[",  "]",  "{",  "}",  "@"};

class Tokens {
 public:
  Tokens(std::string_view line, int number) : text_(line), number_(number) {}

  std::vector<Token> all() {
    for (skip(); at_ < text_.size(); skip()) {
      if (text_[at_] == '#') return remark(), end();
      next();
    }
    return end();
  }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\r')) ++at_;
  }

  void add(Token::Kind kind, std::size_t length) {
    const bool tight = !found_.empty() && ended_ == at_;
    found_.push_back({kind, std::string(text_.substr(at_, length)), static_cast<int>(at_) + 1, tight});
    ended_ = at_ += length;
  }

  std::vector<Token> end() {
    add(Token::Kind::end, 0);
    return std::move(found_);
  }

  void remark() { add(Token::Kind::remark, text_.size() - at_); }

  void next() {
    if (is_digit(text_[at_])) return add(Token::Kind::number, number_length());
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view symbol : symbols)
      if (rest.starts_with(symbol)) return add(Token::Kind::symbol, symbol.size());
    if (!starts_name(text_[at_]))
      throw Misread(number_, static_cast<int>(at_) + 1, "nothing begins with this character");
    std::size_t length = 1;
    while (at_ + length < text_.size() && in_name(text_[at_ + length]) && !rest.substr(length).starts_with(several))
      ++length;
    const std::string_view name = rest.substr(0, length);
    // `min=` and `max=` are updates; `min == 3` is a comparison.
    if ((name == "min" || name == "max") && rest.substr(length).starts_with("=") &&
        !rest.substr(length).starts_with("=="))
      return add(Token::Kind::symbol, length + 1);
    add(Token::Kind::name, length);
  }

  /// `12`, `2.5e-3`, and the type: `1_i32`.
  std::size_t number_length() const {
    std::size_t end = at_;
    const auto digits = [&] {
      while (end < text_.size() && is_digit(text_[end])) ++end;
    };
    const auto is = [&](std::size_t k, std::string_view any) {
      return end + k < text_.size() && any.find(text_[end + k]) != std::string_view::npos;
    };
    constexpr std::string_view ten = "0123456789";
    digits();
    if (is(0, ".") && is(1, ten)) ++end, digits();
    if (is(0, "e") && (is(1, ten) || (is(1, "+-") && is(2, ten)))) end += 2, digits();
    if (is(0, "_"))
      while (end < text_.size() && in_name(text_[end])) ++end;
    return end - at_;
  }

  const std::string_view text_;
  const int number_;
  std::size_t at_ = 0, ended_ = 0;
  std::vector<Token> found_;
};

}  // namespace

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t indent = line.find_first_not_of(" \r");
    if (indent == std::string_view::npos) continue;
    lines.push_back({number, static_cast<int>(indent), Tokens(line, number).all()});
  }
  return lines;
}

}  // namespace trellis::flow
