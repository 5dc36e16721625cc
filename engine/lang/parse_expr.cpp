// Expressions. Precedences come from format's table of operators, so that printing cannot disagree with parsing.

#include <algorithm>

#include "engine/format/operation.hpp"
#include "engine/format/scalar.hpp"
#include "engine/lang/foreign.hpp"
#include "engine/lang/parser.hpp"
#include "engine/lang/syntax_names.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang {

using namespace syntax;
using format::BinaryOp;

namespace {

bool is_comparison(const Expr& expr) {
  const auto* binary = expr.as<Binary>();
  return binary && format::is_comparison(binary->op);
}

/// What to say when no expression starts with `token`.
std::vector<std::string> hints_for_operand(const Token& token, const Token* previous) {
  if (token.kind == Token::Kind::string)
    return {"strings stand in commands only, as in load A \"file.mtx\"; a letter is written 'A'"};
  if (previous && previous->is("=") && token.is("=")) return {"equations have one `=`"};
  if (previous && previous->is("<") && token.is(">")) return {"unequal is written !="};
  if (previous && previous->is("/") && token.is("/")) return {"comments start with #; integer `/` rounds down"};
  if (previous && previous->is("(") && token.is(":")) return {"a range says both ends, as in 0:n"};
  if (token.is("if")) return {"a choice of values is written c ? a : b"};
  if (previous && previous->is("=") && token.is("["))
    return {"data is given by a command, as in fill_with x [1, 2, 3]"};
  if (token.is("[") || token.is("{")) return {"parentheses group expressions"};
  const bool after_operator = previous && previous->kind == Token::Kind::symbol && !previous->is("(");
  if (token.kind == Token::Kind::separator && token.text != ";" && after_operator)
    return {"a statement ends with its line, unless a `(` is open"};
  return {};
}

}  // namespace

std::optional<BinaryOp> binary_operator(const Token& token) {
  if (token.kind != Token::Kind::symbol && token.kind != Token::Kind::reserved) return {};
  for (int op = static_cast<int>(BinaryOp::multiply); op <= static_cast<int>(BinaryOp::logical_or); ++op)
    if (format::symbol(static_cast<BinaryOp>(op)) == token.text) return static_cast<BinaryOp>(op);
  return {};
}

/// `A @ B`, `A .* B` beside the operators of the language.
std::optional<Parser::Infix> Parser::infix() const {
  if (const auto op = binary_operator(peek())) return Infix{*op, {}};
  if (at("@")) return Infix{BinaryOp::multiply, matrix_product};
  if (!at(".") || !peek(1).joined || peek(1).is("^")) return std::nullopt;
  const std::string_view notation = content_.substr(peek().span.begin, 2);
  const auto op = dotted_operator(notation);
  return op ? std::optional(Infix{*op, notation, 2}) : std::nullopt;
}

/// What foreign.hpp is about.
Expr Parser::foreign(std::string_view notation, std::vector<Expr> operands, int start) {
  Reference made{{std::string(notation), since(start)}, {}, {}, {}};
  for (Expr& operand : operands) {
    if (!made.arguments) made.arguments.emplace();
    made.arguments->push_back({std::move(operand), {}, {}, {}, false});
  }
  return make(std::move(made), start);
}

/// A numbered node that spans the tokens from `start` to the last one read.
template <class T>
Expr Parser::make(T node, int start) {
  ExprNode result{std::move(node), since(start)};
  int height = 0;
  for_each_child(result, [&](const Expr& child) { height = std::max(height, heights_[child.id() - first_id_]); });
  if (height >= highest_tree)
    fail_at(result.span, {"E0019", "this expression is too long", "", {"give a part of it an equation of its own"}});
  return Expr(std::move(result), {}, new_id(height + 1));
}

// expr = or ["?" expr ":" expr];
Expr Parser::expr() {
  Nesting nesting(*this);
  const int start = position_;
  Expr condition = binary(format::precedence(BinaryOp::logical_or));
  if (!accept("?")) return condition;
  Expr then = arm();
  expect(":", "and the value for when the condition does not hold");
  Expr otherwise = arm();
  return make(Select{std::move(condition), std::move(then), std::move(otherwise)}, start);
}

/// An arm that is a bare comparison is most likely a constraint that ended up in the wrong place.
Expr Parser::arm() {
  const int start = position_;
  Expr value = expr();
  const bool in_parentheses = tokens_[start].is("(") && tokens_[start].partner == position_ - 1;
  if (is_comparison(value) && !in_parentheses)
    fail_at(value->span, {"E0015",
                          "a comparison as an arm of `? :` needs parentheses",
                          "write (…) around it",
                          {"a constraint follows the whole expression: x(i) = c ? a : b : i < n"}});
  return value;
}

// or = and {"||" and};              and = compare {"&&" compare};     compare = bitor [cmp bitor];
// bitor = bitxor {"|" bitxor};      bitxor = bitand {"xor" bitand};   bitand = shift {"&" shift};
// shift = sum {("<<" | ">>") sum};  sum = product {("+" | "-") product};
// product = unary {("*" | "/" | "%") unary};
Expr Parser::binary(int least_precedence) {
  const int start = position_;
  Expr left = unary();
  while (const auto found = infix()) {
    const BinaryOp op = found->op;
    const int precedence = format::precedence(op);
    if (precedence < least_precedence) break;
    position_ += found->tokens;
    Expr right = binary(precedence + 1);
    if (found->notation.empty()) left = make(Binary{op, std::move(left), std::move(right)}, start);
    else left = foreign(found->notation, {std::move(left), std::move(right)}, start);
    const auto following = binary_operator(peek());
    if (format::is_comparison(op) && following && format::is_comparison(*following))
      fail({"E0014",
            "comparisons form no chain inside an expression",
            "",
            {"write both: i < k && k < j", "constraints behind `:` may be chains"}});
  }
  return left;
}

Expr Parser::sum() { return binary(format::precedence(BinaryOp::add)); }
Expr Parser::bits() { return binary(format::precedence(BinaryOp::bit_or)); }

// unary = ("-" | "!" | "~") unary | power;
Expr Parser::unary() {
  Nesting nesting(*this);
  const int start = position_;
  for (const auto op : {format::UnaryOp::negate, format::UnaryOp::logical_not, format::UnaryOp::bit_not}) {
    if (!accept(format::symbol(op))) continue;
    Expr operand = unary();
    return make(Unary{op, std::move(operand)}, start);
  }
  return power();
}

// power = primary ["^" unary];
Expr Parser::power() {
  const int start = position_;
  Expr base = postfix();
  const bool dotted = at(".") && peek(1).is("^") && peek(1).joined;
  if (dotted) next();
  if (!accept("^")) return base;
  Expr exponent = unary();
  if (dotted) return foreign(".^", {std::move(base), std::move(exponent)}, start);
  return make(Binary{BinaryOp::power, std::move(base), std::move(exponent)}, start);
}

/// `A'`, `A.T`: the language has nothing that follows its operand.
Expr Parser::postfix() {
  const int start = position_;
  Expr operand = primary();
  while (true) {
    const bool attribute = at(".") && peek().joined && peek(1).is_word("T") && peek(1).joined;
    if (!attribute && !at(transposed)) return operand;
    position_ += attribute ? 2 : 1;
    operand = foreign(transposed, {std::move(operand)}, start);
  }
}

// primary = INT | FLOAT | CHAR | "true" | "false" | "inf" | "missing" | tuple | ref;
Expr Parser::primary() {
  const Token& token = peek();
  const int start = position_;
  switch (token.kind) {
    case Token::Kind::integer:
    case Token::Kind::real: next(); return make(Number{std::string(token.text)}, start);
    case Token::Kind::character: next(); return make(Character{character_code(token.text)}, start);
    case Token::Kind::name: return reference();
    default: break;
  }
  if (token.is("(")) return parenthesised();
  if (accept("true")) return make(Truth{true}, start);
  if (accept("false")) return make(Truth{false}, start);
  if (accept("inf")) return make(Infinity{}, start);
  if (accept("missing")) return make(Missing{}, start);
  if (at("*") && position_ > 0 && tokens_[position_ - 1].is("*"))
    fail({"E0010", "expected an expression, found `*`", "", {"a power is written x^2"}, with_powers()});
  expected("an expression", hints_for_operand(token, position_ > 0 ? &tokens_[position_ - 1] : nullptr));
}

Expr Parser::parenthesised() {
  const int start = position_;
  std::vector<Expr> items = tuple();
  if (items.size() == 1) return items.front();
  return make(Tuple{std::move(items)}, start);
}

// tuple = "(" expr {"," expr} ")";
std::vector<Expr> Parser::tuple() {
  const int opener = position_;
  expect("(", "here");
  std::vector<Expr> items;
  do items.push_back(expr());
  while (accept(","));
  expect_closing(opener);
  return items;
}

// ref = NAME ["[" expr "]"] ["(" [arg {"," arg}] ")" ["(" expr ")"]];
Expr Parser::reference() {
  const int start = position_;
  Reference result{name("a name"), {}, {}, {}};
  if (int opener = position_; accept("[")) {
    result.step = expr();
    if (at(","))
      fail({"E0010",
            "a timestep is one expression",
            "",
            {"indices stand in parentheses, as in A(i,j)"},
            with_parentheses()});
    expect_closing(opener);
  }
  if (int opener = position_; accept("(")) {
    result.arguments.emplace();
    if (!at(")")) {
      do result.arguments->push_back(argument());
      while (accept(","));
    }
    const std::string* index = result.arguments->empty() ? nullptr : bare_name(result.arguments->back().value);
    if (index && (at("=") || at_word("in")) && tokens_[opener].partner >= 0) refuse_range(*index);
    expect_closing(opener);
    if (opener = position_; accept("(")) {
      result.body = expr();
      if (index && at(":") && tokens_[opener].partner >= 0) refuse_condition(result.name.text, *index);
      expect_closing(opener);
    }
  }
  return make(std::move(result), start);
}

/// `sum(i)(x(i) : i != 3)`.
void Parser::refuse_condition(const std::string& reduction, const std::string& index) {
  fail({"E0010",
        "what is reduced has no condition behind a `:`",
        "",
        {"a condition stands beside the index, as in " + reduction + "(0 < " + index + ")(…)"}});
}

/// `sum(i=0:4)(x(i))`, `sum(i in 0:4)(x(i))`.
void Parser::refuse_range(const std::string& index) {
  if (peek(1).kind == Token::Kind::error) throw Recover{};
  fail({"E0010",
        "a range is not given to an index by `" + std::string(peek().text) + "`",
        "",
        {"an index runs over all of its dimension, as in sum(" + index + ")(x(" + index +
         ")); part of it is compared, " + "as in sum(1 <= " + index + ", " + index + " < 4)(x(" + index + "))"}});
}

// arg = range ["->" (NAME | tuple)];   range = expr [":" expr [":" expr]];
Argument Parser::argument() {
  const int start = position_;
  const bool everything = at(whole_dimension) && (peek(1).is(",") || peek(1).is(")"));
  if (everything) next();
  Argument result{everything ? foreign(whole_dimension, {}, start) : expr(), {}, {}, {}, false};
  if (everything) return result;
  if (accept(":")) {
    result.high = expr();
    if (accept(":")) result.step = expr();
  }
  if (!accept("->")) return result;
  if (at("(")) {
    result.arrow = tuple();
    result.arrow_is_tuple = true;
  } else {
    const int at_name = position_;
    result.arrow.push_back(make(Reference{name("a new index behind `->`"), {}, {}, {}}, at_name));
  }
  return result;
}

bool Parser::at_literal(int ahead) const {
  const Token& token = peek(ahead);
  return token.kind == Token::Kind::integer || token.kind == Token::Kind::real ||
         token.kind == Token::Kind::character || token.is("-") || token.is("inf") || token.is("true") ||
         token.is("false");
}

/// Whether an expression starts here that is no name.
bool Parser::at_operand(int ahead) const {
  const Token& token = peek(ahead);
  return at_literal(ahead) || token.is("(") || token.is("!") || token.is("~") || token.is("missing");
}

// literal = ["-"] (INT | FLOAT | "inf") | CHAR | "true" | "false";
Literal Parser::literal() {
  if (!at_literal()) expected("a literal");
  const int start = position_;
  if (!accept("-")) return {primary()};
  const Token& token = peek();
  if (token.kind != Token::Kind::integer && token.kind != Token::Kind::real && !token.is("inf"))
    expected("a number behind `-`");
  Expr number = primary();
  return {make(Unary{format::UnaryOp::negate, std::move(number)}, start)};
}

}  // namespace trellis::lang
