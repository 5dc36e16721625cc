// Loop programs.

#include <array>

#include "engine/lang/parser.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang {

using namespace syntax;

bool is_update(const Token& token) {
  static constexpr std::array<std::string_view, 13> updates = {
      ".=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<=", ">>=", "&&=", "||="};
  return token.kind == Token::Kind::symbol && contains(updates, token.text);
}

namespace {

std::vector<std::string> did_you_mean(const Token& token, const std::vector<std::string>& words) {
  const std::string meant = text::did_you_mean(std::string(token.text), words);
  if (meant.empty()) return {};
  return {"did you mean `" + meant + "`?"};
}

}  // namespace

// loops = "loops" block;
Loops Parser::loops() {
  next();
  return {block("behind `loops`")};
}

// block = "{" [action] {NL [action]} "}";
Block Parser::block(std::string_view owner) {
  return {braced<Action>(owner, [this] { return action(); })};
}

template <class T>
Action Parser::finish_action(T node, int start) {
  return Action(ActionNode{std::move(node), since(start)}, {}, new_id());
}

// action = tensor | for | while | if | let | lifecycle | assign;
Action Parser::action() {
  const int start = position_;
  if (at("tensor")) return finish_action(tensor(), start);
  if (at("for") || at("forall")) return finish_action(for_loop(), start);
  if (at("if")) return finish_action(if_action(), start);
  if (at("let")) return finish_action(let(), start);
  if (at("freeze") || at("thaw")) return finish_action(lifecycle(), start);
  if (accept("while")) {
    // while = "while" expr block;
    Expr condition = expr();
    check_condition_ends();
    return finish_action(While{std::move(condition), block("around the body of `while`")}, start);
  }
  return finish_action(assign(), start);
}

// for = ("for" | "forall") loopvar {"," loopvar} {"reduces" NAME | "parallel" | "unroll" INT | "jam" INT |
//       "registers" | "vectorize" [INT] | "until" expr} block;
For Parser::for_loop() {
  For result{next().text == "forall", {}, {}, {}};
  do result.variables.push_back(loop_variable());
  while (accept(","));
  while (auto mark = loop_mark()) result.marks.push_back(std::move(*mark));
  if (at("=")) expected("`{` or `in`", {"a range is written for i in 0:n"});
  if (peek().kind == Token::Kind::name)
    expected("`{` or a mark of the loop", did_you_mean(peek(), {"reduces", "parallel", "unroll", "jam", "registers",
                                                                "vectorize", "until", "down", "in"}));
  result.body = block("around the body of the loop");
  return result;
}

// loopvar = NAME ["down"] ["in" sum ":" sum];
LoopVariable Parser::loop_variable() {
  if (at("(")) expected("a loop's index", {"a loop is written for i in 0:n { … }"});
  LoopVariable result{name("a loop's index"), false, {}, {}};
  result.down = accept_word("down");
  if (!accept_word("in")) return result;
  result.low = sum();
  if (!at(":")) expected("`:` and the end of the range", {"a range says both ends, as in 0:n; its end is exclusive"});
  next();
  result.high = sum();
  if (at(":")) expected("`{`", {"a range has no step; for i down in 0:n counts downwards"});
  return result;
}

std::optional<LoopMark> Parser::loop_mark() {
  if (accept_word("reduces"))
    return LoopMark{LoopMark::Kind::reduces, name("the tensor that the loop reduces into"), 0};
  if (accept_word("parallel")) return LoopMark{LoopMark::Kind::parallel, {}, 0};
  if (accept_word("registers")) return LoopMark{LoopMark::Kind::registers, {}, 0};
  if (accept_word("vectorize")) {
    LoopMark mark{LoopMark::Kind::vectorize, {"", peek().span}};
    if (peek().kind == Token::Kind::integer) mark.count = integer("the number of parts that sums are added up in");
    return mark;
  }
  // What is read comes first: a mark that is left half made confuses the compiler's warnings.
  if (accept("until")) {
    Expr condition = expr();
    return LoopMark{LoopMark::Kind::until, {}, 0, std::move(condition)};
  }
  const auto counted = [&](LoopMark::Kind kind, const char* what) {
    const text::Span span = peek().span;
    const std::int64_t count = integer(what);
    return LoopMark{kind, {"", span}, count};
  };
  if (accept_word("jam")) return counted(LoopMark::Kind::jam, "the number of iterations at once");
  if (accept_word("unroll")) return counted(LoopMark::Kind::unroll, "the number of copies");
  return {};
}

void Parser::check_condition_ends() {
  if (at("=")) expected("`{`", {"two values are compared with =="});
  if (const Notes hints = hints_for_leftover(); !at("{") && !hints.empty()) expected("`{`", hints);
}

// if = "if" expr block ["else" block];   `else if` is short for `else { if … }`
If Parser::if_action() {
  Nesting nesting(*this);
  expect("if", "here");
  If result{expr(), {}, {}};
  check_condition_ends();
  result.then = block("around what `if` guards");
  if (!accept("else")) return result;
  if (!at("if")) {
    result.otherwise = block("behind `else`");
    return result;
  }
  const int start = position_;
  result.otherwise = Block{{finish_action(if_action(), start)}};
  return result;
}

// let = "let" NAME "=" expr {"," NAME "=" expr} block;
Let Parser::let() {
  expect("let", "here");
  Let result;
  do {
    Name bound = declared_name("the name to bind");
    expect("=", "and the value of the name");
    result.bindings.emplace_back(std::move(bound), expr());
  } while (accept(","));
  result.body = block("around where the name holds");
  return result;
}

// lifecycle = ("freeze" | "thaw") NAME;
Lifecycle Parser::lifecycle() {
  const bool thaw = next().text == "thaw";
  return {thaw, name("a tensor's name")};
}

// assign = ref ("=" | ".=" | OPASSIGN | NAME ["(" expr ")"] "=") expr;
Assign Parser::assign() {
  const Token& first = peek();
  if (first.is("else")) expected("a statement", {"`else` follows the `}` of an `if`"});
  if (first.kind != Token::Kind::name) expected("an assignment, a loop or another action");
  refuse_built_in();
  if (first.is_word("break") && (peek(1).ends_statement() || peek(1).is("}")))
    expected("an assignment, a loop or another action", hints_for_leftover());
  Assign result{reference(), {}, {}, {}};
  const auto& target = *result.target.as<Reference>();
  if (target.body) fail_at(result.target->span, {"E0022", "this is no place to assign to", "expected NAME or NAME(…)"});
  const auto hints = did_you_mean(first, {"for", "forall", "while", "if", "let", "tensor", "freeze", "thaw"});
  if (!hints.empty() && !peek().is("=") && !is_update(peek()))
    fail_at(first.span, {"E0017", "`" + std::string(first.text) + "` starts no action", "", hints});
  result.update = update(result.argument);
  result.value = expr();
  if (at(":")) fail({"E0018", "a loop program has no constraints", "", {"write if c { … } around the assignment"}});
  return result;
}

std::string Parser::update(std::optional<Expr>& argument) {
  const Token& token = peek();
  if (token.is("=") || is_update(token)) return std::string(next().text);
  if (token.is(":=") || token.is("==") || token.is("=>") || token.is("<="))
    fail({"E0013", "`" + std::string(token.text) + "` does not assign", "write ="});
  if (token.kind != Token::Kind::name && !token.is("xor"))
    expected("`=` or an update such as `+=`",
             at("+") && peek(1).is("+") ? Notes{"an element grows by one with += 1"} : Notes{});
  const std::string function(next().text);
  if (const int opener = position_; accept("(")) {
    argument = expr();
    expect_closing(opener);
  }
  expect("=", "behind the update's name");
  return function;
}

}  // namespace trellis::lang
