// Which bracket belongs to which, and which line ends separate statements.

#include <array>

#include "engine/lang/lexer.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang {
namespace {

using Kind = Token::Kind;

/// Words that only ever start a statement: a `(` or `[` still open before one of them was forgotten.
bool starts_only_statements(const Token& token) {
  static constexpr std::array<std::string_view, 9> words = {"tensor", "for",    "forall", "while", "let",
                                                            "until",  "freeze", "thaw",   "if"};
  return token.kind == Kind::reserved && contains(words, token.text);
}

/// `=` and its like stand outside of parentheses: a `(` from an earlier line that is still open was forgotten, too.
bool assigns(const Token& token) {
  return token.kind == Kind::symbol && (token.text == "=" || token.text == ".=" || token.text == "+=");
}

bool is_brace(const Token& token) { return token.text == "{"; }

/// The brackets that are open, innermost last.
class OpenBrackets {
 public:
  explicit OpenBrackets(std::vector<Token>& tokens) : tokens_(tokens) {}

  bool empty() const { return open_.empty(); }

  void push(int opener) {
    open_.push_back(opener);
    if (is_brace(tokens_[opener])) levels_.emplace_back();
    else ++count(tokens_[opener].text);
  }

  /// Pairs a closer with the nearest opener of its kind, and gives up those in between; braces are never given up.
  void close(int closer) {
    const std::string_view text = tokens_[closer].text;
    const std::string_view wanted = text == ")" ? "(" : text == "]" ? "[" : "{";
    const bool is_open = wanted == "{" ? levels_.size() > 1 : count(wanted) > 0;
    if (!is_open) return;
    while (tokens_[open_.back()].text != wanted) pop();
    tokens_[open_.back()].partner = closer;
    tokens_[closer].partner = open_.back();
    pop();
  }

  /// Gives up the innermost `(` and `[` that stand before token number `before`.
  void give_up(int before) {
    while (!open_.empty() && !is_brace(tokens_[open_.back()]) && open_.back() < before) pop();
  }

 private:
  /// How many `(` and `[` are open since the innermost `{`: asking costs no search.
  struct Level {
    int parentheses = 0, brackets = 0;
  };
  int& count(std::string_view opener) { return opener == "(" ? levels_.back().parentheses : levels_.back().brackets; }
  void pop() {
    const Token& opener = tokens_[open_.back()];
    if (is_brace(opener)) levels_.pop_back();
    else --count(opener.text);
    open_.pop_back();
  }

  std::vector<Level> levels_ = std::vector<Level>(1);
  std::vector<Token>& tokens_;
  std::vector<int> open_;
};

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

/// Sets every `partner`; true if a bracket is open at the end.
bool pair_brackets(std::vector<Token>& tokens) {
  OpenBrackets open(tokens);
  int line = 0;  // where the current line starts
  for (int i = 0; i < static_cast<int>(tokens.size()); ++i) {
    if (i > 0 && tokens[i - 1].kind == Kind::separator) line = i;
    if (assigns(tokens[i]) || (i == line && starts_only_statements(tokens[i]))) open.give_up(line);
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
      const bool continued = tokens[i + 1].is(":") || tokens[i + 1].is("else");
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
