// Which bracket belongs to which, and which line ends separate statements.

#include <array>
#include <algorithm>

#include "engine/lang/lexer.hpp"

namespace trellis::lang {
namespace {

using Kind = Token::Kind;

/// Words that only ever start a statement: a bracket still open before one of them was forgotten.
bool starts_only_statements(const Token& token) {
  static constexpr std::array<std::string_view, 9> words = {"tensor", "for",   "forall", "while", "let",
                                                            "until",  "freeze", "thaw",   "if"};
  return token.kind == Kind::reserved && std::find(words.begin(), words.end(), token.text) != words.end();
}

bool is_brace(const Token& token) { return token.text == "{"; }

/// The brackets that are open, innermost last.
class OpenBrackets {
 public:
  explicit OpenBrackets(std::vector<Token>& tokens) : tokens_(tokens) {}

  void push(int opener) { open_.push_back(opener); }
  bool empty() const { return open_.empty(); }

  /// Pairs a closer with the nearest opener of its kind, and gives up those in between; braces are never given up.
  void close(int closer) {
    const std::string_view text = tokens_[closer].text;
    const std::string_view wanted = text == ")" ? "(" : text == "]" ? "[" : "{";
    auto found = open_.rbegin();
    while (found != open_.rend() && tokens_[*found].text != wanted && !is_brace(tokens_[*found])) ++found;
    if (found == open_.rend() || tokens_[*found].text != wanted) return;
    tokens_[*found].partner = closer;
    tokens_[closer].partner = *found;
    open_.erase(std::next(found).base(), open_.end());
  }

  void give_up_to_brace() {
    while (!open_.empty() && !is_brace(tokens_[open_.back()])) open_.pop_back();
  }

 private:
  std::vector<Token>& tokens_;
  std::vector<int> open_;
};

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

/// Sets every `partner`; true if a bracket is open at the end.
bool pair_brackets(std::vector<Token>& tokens) {
  OpenBrackets open(tokens);
  for (int i = 0; i < static_cast<int>(tokens.size()); ++i) {
    const bool first_of_line = i == 0 || tokens[i - 1].kind == Kind::separator;
    if (first_of_line && starts_only_statements(tokens[i])) open.give_up_to_brace();
    if (opens(tokens[i])) open.push(i);
    if (closes(tokens[i])) open.close(i);
  }
  return !open.empty();
}

}  // namespace

TokenList join_lines(std::vector<Token> tokens) {
  TokenList result;
  result.open = pair_brackets(tokens);
  std::vector<int> new_place(tokens.size(), -1);
  std::vector<int> enclosing;  // paired openers
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (opens(token) && token.partner >= 0) enclosing.push_back(static_cast<int>(i));
    if (closes(token) && token.partner >= 0) enclosing.pop_back();
    if (token.kind == Kind::separator && token.text != ";") {
      std::size_t following = i;
      while (tokens[following].kind == Kind::separator && tokens[following].text != ";") ++following;
      const bool continued = tokens[following].is(":") || tokens[following].is("else");
      const bool inside = !enclosing.empty() && !is_brace(tokens[enclosing.back()]);
      if (continued || inside) continue;
    }
    new_place[i] = static_cast<int>(result.tokens.size());
    result.tokens.push_back(token);
  }
  for (Token& token : result.tokens)
    if (token.partner >= 0) token.partner = new_place[token.partner];
  return result;
}

}  // namespace trellis::lang
