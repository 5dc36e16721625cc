// Functions of the user.

#include "engine/lang/parser.hpp"

namespace trellis::lang {

using namespace syntax;

// def = "def" NAME "(" NAME {"," NAME} ")" ("=" expr | "{" [clause] {NL [clause]} "}");
Definition Parser::definition() {
  next();
  Definition result{declared_name("the function's name"), {}, {}};
  const int opener = position_;
  expect("(", "before the function's operands");
  do result.parameters.push_back(name("an operand's name"));
  while (accept(","));
  expect_closing(opener);
  if (accept("=")) result.body = expr();
  else if (at("{"))
    result.body = braced<std::variant<Clause, Property>>("around the clauses", [this] { return clause_or_property(); });
  else expected("`=` or `{`", {"as in def relu(x) = max(x, 0)"});
  return result;
}

// clause = pattern {"," pattern} "=>" (expr | body) | property;
std::variant<Clause, Property> Parser::clause_or_property() {
  const bool is_property = peek().kind == Token::Kind::name && !peek(1).is(",") && !peek(1).is("=>");
  if (is_property) return property();
  return clause();
}

Clause Parser::clause() {
  Clause result;
  do result.patterns.push_back(pattern());
  while (accept(","));
  expect("=>", "between a clause's patterns and its result");
  if (at("{")) result.result = body("around the clause's steps");
  else result.result = expr();
  return result;
}

// pattern = NAME | literal;
Pattern Parser::pattern() {
  if (at_literal()) return {literal()};
  return {name("an operand's name or a literal")};
}

// property = NAME [bitor [NAME INT] ["=>" literal]];
Property Parser::property() {
  Property result{name("a property"), {}, {}, 0, {}};
  if (peek().ends_statement() || position_ == close_) return result;
  const int closing = at("(") ? peek().partner : -1;
  const auto gives = [](const Token& token) { return token.is("=") || token.is("=>"); };
  if (gives(peek()) || (closing >= 0 && gives(tokens_[static_cast<std::size_t>(closing) + 1]))) {
    expected("a clause or a property", {"a clause reads x, y => x + y", "a property reads commutative, or identity 0"});
  }
  result.value = bits();
  if (peek().kind == Token::Kind::name) {
    result.at = name("`at`");
    result.position = integer("the operand's position, counted from 0");
  }
  if (accept("=>")) result.result = literal();
  return result;
}

// body = "{" [step] {NL [step]} "}";
Body Parser::body(std::string_view owner) {
  return {braced<Step>(owner, [this] { return step(); })};
}

// step = "while" expr body | "if" expr body ["else" body] | NAME "=" expr | expr;
Step Parser::step() {
  const int start = position_;
  const auto finish = [&](auto node) { return Step(StepNode{std::move(node), since(start)}, {}, new_id()); };
  if (accept("while")) {
    Expr condition = expr();
    return finish(StepWhile{std::move(condition), body("around the steps of `while`")});
  }
  if (accept("if")) {
    Nesting nesting(*this);
    StepIf result{expr(), {}, {}};
    result.then = body("around the steps of `if`");
    if (accept("else")) result.otherwise = at("if") ? Body{{step()}} : body("around the steps of `else`");
    return finish(std::move(result));
  }
  if (peek().kind == Token::Kind::name && peek(1).is("=")) {
    StepAssign result{name("a name"), {}};
    next();
    result.value = expr();
    return finish(std::move(result));
  }
  return finish(StepValue{expr()});
}

}  // namespace trellis::lang
