#pragma once
// The parser's state, shared by the files parse_*.cpp: one member function per rule of the grammar, named after it.
//
// A rule that cannot go on calls `fail`, which reports and unwinds to `recovering`: the statement is dropped and
// reading resumes at the next one. A token that the lexer has already reported fails silently: one cause, one message.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/lang/lexer.hpp"
#include "engine/lang/syntax.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::lang {

/// The operator that `token` is, other than `^`, which binds tighter than the unary ones.
std::optional<format::BinaryOp> binary_operator(const Token& token);
/// `+=` and its like; `xor` comes as a word, like `min` and the user's own.
bool is_update(const Token& token);

class Parser {
 public:
  Parser(const text::Sources& sources, int source, text::Diagnostics& diagnostics);
  syntax::File file();
  /// Where the statements stand that could not be read, once `file` has read the others; those in blocks as well.
  const std::vector<text::Span>& broken() const { return broken_; }

 private:
  using Span = text::Span;
  using Notes = std::vector<std::string>;
  struct Recover {};
  struct Problem {
    std::string code, message, label;
    Notes notes = {};
    std::string fix = {};  ///< what to write in place of the statement; empty: nothing is known
  };

  // parse.cpp: tokens, errors and recovery
  const Token& peek(int ahead = 0) const;
  const Token& next();
  bool at(std::string_view symbol) const { return peek().is(symbol); }
  bool at_word(std::string_view word) const { return peek().is_word(word); }
  bool accept(std::string_view symbol);
  bool accept_word(std::string_view word);
  /// `before` completes "expected `:` …".
  const Token& expect(std::string_view symbol, std::string_view before);
  void expect_closing(int opener);
  syntax::Name name(std::string_view what);
  void refuse_built_in();
  syntax::Name declared_name(std::string_view what);
  std::int64_t integer(std::string_view what);
  Span since(int start) const;
  int new_id(int height = 0);

  [[noreturn]] void fail(Problem problem);
  [[noreturn]] void fail_at(Span span, Problem problem);
  [[noreturn]] void expected(std::string_view what, Notes notes = {});
  [[noreturn]] void never_closed(const Token& opener);
  [[noreturn]] void refuse_update(const syntax::Expr& left);
  /// Returns where it is no such choice.
  void refuse_choice(text::Span value);
  [[noreturn]] void refuse_condition(const std::string& reduction, const std::string& index);
  [[noreturn]] void refuse_range(const std::string& index);
  void end_of_statement();
  void skip_statement(int start);
  /// The statement with these stretches of it written otherwise; empty when it stands in a block, or is wrong even so.
  std::string rewritten(const std::vector<std::pair<Span, std::string>>& changes) const;
  std::string with_parentheses() const;
  std::string with_powers() const;
  int end_of_present_statement() const;
  void skip_line_ends();
  Notes hints_for_leftover() const;

  /// What `parse_one` reads up to the end of its statement; empty, with reading resumed behind it, if that failed.
  template <class ParseOne>
  auto recovering(ParseOne parse_one) -> std::optional<decltype(parse_one())> {
    const int start = position_;
    const int outer = std::exchange(statement_, start);
    std::optional<decltype(parse_one())> result;
    try {
      result = parse_one();
      end_of_statement();
    } catch (const Recover&) {
      skip_statement(start);
      broken_.push_back(since(start));
      result.reset();
    }
    statement_ = outer;
    return result;
  }

  /// [item] {NL [item]}, up to the end of the block or file; false if one of them failed.
  template <class Item, class ParseOne>
  bool sequence(std::vector<Item>& items, ParseOne parse_one) {
    bool good = true;
    while (true) {
      while (peek().kind == Token::Kind::separator) next();
      if (position_ == close_ || peek().kind == Token::Kind::end) return good;
      if (auto item = recovering(parse_one)) items.push_back(std::move(*item));
      else good = false;
    }
  }

  /// "{" sequence "}". A block with a broken item is broken as a whole, silently.
  template <class Item, class ParseOne>
  std::vector<Item> braced(std::string_view owner, ParseOne parse_one) {
    Nesting nesting(*this);
    const Token& opener = expect("{", owner);
    if (opener.partner < 0) never_closed(opener);
    const int outer = std::exchange(close_, opener.partner);
    std::vector<Item> items;
    const bool good = sequence(items, parse_one);
    position_ = std::exchange(close_, outer) + 1;
    if (!good) throw Recover{};
    return items;
  }

  /// Guards the recursion, so that no input overflows the stack.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (parser.depth_ >= deepest_nesting) parser.too_deep();
      ++parser.depth_;
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };
  [[noreturn]] void too_deep();

  // parse_expr.cpp
  template <class T>
  syntax::Expr make(T node, int start);
  syntax::Expr expr();
  syntax::Expr arm();
  /// An operator between two operands, or the notation of another language for one.
  struct Infix {
    format::BinaryOp op;        ///< as which it binds
    std::string_view notation;  ///< "@", ".*"; empty: it is `op`
    int tokens = 1;
  };
  std::optional<Infix> infix() const;
  syntax::Expr foreign(std::string_view notation, std::vector<syntax::Expr> operands, int start);
  syntax::Expr binary(int least_precedence);
  syntax::Expr sum();
  syntax::Expr bits();
  syntax::Expr unary();
  syntax::Expr power();
  syntax::Expr postfix();
  syntax::Expr primary();
  syntax::Expr parenthesised();
  syntax::Expr reference();
  syntax::Argument argument();
  std::vector<syntax::Expr> tuple();
  syntax::Literal literal();
  bool at_literal(int ahead = 0) const;
  bool at_operand(int ahead = 0) const;

  // parse_statements.cpp
  syntax::Statement statement();
  template <class T>
  syntax::Statement finish(T node, int start);
  bool starts_equation() const;
  bool starts_print() const;
  [[noreturn]] void no_statement();
  [[noreturn]] void refuse_action();
  syntax::Equation equation();
  syntax::Constraint constraint();
  std::optional<math::Relation> relation() const;
  syntax::Until until();
  syntax::Kernel kernel();
  syntax::Command print();
  syntax::Command command();
  void words(std::vector<syntax::Word>& into, int end);

  // parse_declarations.cpp
  syntax::TensorDecl tensor();
  syntax::Attribute attribute();
  std::vector<syntax::LevelSpec> levels();
  syntax::Options options();
  syntax::ParamDecl param();
  syntax::RanksDecl ranks();
  std::vector<std::optional<syntax::Name>> over();
  syntax::LayoutDecl layout();

  // parse_definitions.cpp
  syntax::Definition definition();
  std::variant<syntax::Clause, syntax::Property> clause_or_property();
  syntax::Clause clause();
  syntax::Pattern pattern();
  syntax::Property property();
  syntax::Body body(std::string_view owner);
  syntax::Step step();

  // parse_loops.cpp
  syntax::Loops loops();
  /// Says what is wrong where `{` should follow a condition, as far as it is known.
  void check_condition_ends();
  syntax::Block block(std::string_view owner);
  syntax::Action action();
  template <class T>
  syntax::Action finish_action(T node, int start);
  syntax::For for_loop();
  syntax::LoopVariable loop_variable();
  std::optional<syntax::LoopMark> loop_mark();
  syntax::If if_action();
  syntax::Let let();
  syntax::Lifecycle lifecycle();
  syntax::Assign assign();
  std::string update(std::optional<syntax::Expr>& argument);

  static constexpr int deepest_nesting = 300;
  static constexpr int highest_tree = 500;

  std::string_view content_;
  int source_;
  int first_id_;
  text::Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::vector<int> heights_;  ///< of the tree under each node that has a number
  int position_ = 0;
  int close_ = -1;  ///< the token that ends the block being read; negative outside of blocks
  int depth_ = 0;
  int statement_ = 0;  ///< the token at which the one begins that is being read
  std::vector<text::Span> broken_;
};

}  // namespace trellis::lang
