// Statements: equations, kernels and commands, and which statement a line starts.

#include <algorithm>
#include <utility>

#include "engine/format/scalar.hpp"
#include "engine/lang/parse.hpp"
#include "engine/lang/parser.hpp"
#include "engine/lang/syntax_names.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang {

using namespace syntax;

namespace {

/// Behind what may be the left side of an equation: a definition, or something that was meant as one.
bool defines(const Token& sign) {
  return sign.is("=") || sign.is(":=") || sign.is("=>") || sign.is(":") || is_update(sign);
}

}  // namespace

template <class T>
Statement Parser::finish(T node, int start) {
  return Statement(StatementNode{std::move(node), since(start)}, {}, new_id());
}

// statement = tensor | param | ranks | layout | def | equation | until | loops | kernel | print | command;
Statement Parser::statement() {
  const int start = position_;
  if (at("tensor")) return finish(tensor(), start);
  if (at("until")) return finish(until(), start);
  if (starts_print()) return finish(print(), start);
  if (peek().kind != Token::Kind::name) no_statement();
  if (starts_equation()) return finish(equation(), start);
  if (at_word("param")) return finish(param(), start);
  if (at_word("ranks")) return finish(ranks(), start);
  if (at_word("layout")) return finish(layout(), start);
  if (at_word("def")) return finish(definition(), start);
  if (at_word("kernel")) return finish(kernel(), start);
  if (at_word("loops")) return finish(loops(), start);
  return finish(command(), start);
}

/// A first word before `(`, `[` or `=` starts an equation; so a tensor may be called `order`.
bool Parser::starts_equation() const {
  const Token& second = peek(1);
  return second.is("(") || second.is("[") || second.is("=");
}

/// What reads like the left side of an equation is an expression when nothing behind it defines it: y(2), sum(i)(x(i))
/// / n.
bool Parser::starts_print() const {
  if (peek().kind != Token::Kind::name) return at_operand();
  int ahead = 1;
  for (const char* opener : {"[", "(", "("})
    if (const Token& bracket = peek(ahead); bracket.is(opener)) {
      if (bracket.partner < 0) return false;
      ahead = bracket.partner + 1 - position_;
    }
  const Token& sign = peek(ahead);
  if (ahead > 1) return !defines(sign);
  if (at_word("print")) return !defines(sign) && !sign.ends_statement();
  // `s - 1` and `s-1` subtract; `step -1` is a command and a number, `help -` and `help ?:` ask about operators.
  const bool negative = sign.is("-") && !sign.joined && peek(2).joined;
  const bool operand_follows = peek(2).kind == Token::Kind::name || at_operand(2);
  // `A.T`, `A .* B`; but `source ./f.tr` is a command, which will say that names of files stand in quotes.
  const bool dotted = sign.is(".") && peek(2).joined && (sign.joined || !peek(3).joined);
  if (sign.is("'") || dotted) return true;
  const bool operates = binary_operator(sign) || sign.is("^") || sign.is("?") || sign.is("@");
  return operates && !negative && operand_follows;
}

void Parser::no_statement() {
  const Token& token = peek();
  if (token.is(":")) expected("a statement", {"constraints follow an equation; there is none before this line"});
  const bool action = token.is("for") || token.is("forall") || token.is("while") || token.is("if") || token.is("let") ||
                      token.is("freeze") || token.is("thaw");
  if (action) refuse_action();
  if (token.is("else")) expected("a statement", {"`else` follows the `}` of an `if`, in loops { … }"});
  if (token.kind == Token::Kind::reserved) fail({"E0016", "`" + std::string(token.text) + "` is a reserved word", ""});
  expected("a statement");
}

/// `for i { … }`: shows the loop program that it is.
void Parser::refuse_action() {
  const std::string word(peek().text);
  const int start = position_;
  const auto diagnostics_before = diagnostics_;
  Notes notes = {"a loop program is written loops { for i in 0:n { x(i) = 0 } }; an equation needs none: x(i) = 0"};
  try {
    action();
    const std::string written(content_.substr(tokens_[start].span.begin, since(start).end - tokens_[start].span.begin));
    notes = {"as a loop program: loops { " + written + " }"};
  } catch (const Recover&) { diagnostics_ = diagnostics_before; }
  position_ = start;
  fail({"E0018", "`" + word + "` belongs in loops { … }", "", std::move(notes)});
}

namespace {

/// Names that stand alone as indices, in the order in which they are written.
void collect_indices(const Expr& e, std::vector<std::string>& into) {
  const auto* r = e.as<Reference>();
  const bool access =
      r && r->arguments && !r->body && !format::function(r->name.text) && !format::scalar_type(r->name.text);
  if (access)
    for (const Argument& argument : *r->arguments)
      if (const auto* index = argument.value.as<Reference>(); index && !index->arguments && !index->step)
        add_once(into, index->name.text);
  for_each_child(*e, [&](const Expr& child) { collect_indices(child, into); });
}

}  // namespace

/// `s += x(i)`: shows the loop that does it. The sign is next.
void Parser::refuse_update(const Expr& left) {
  const Token& sign = peek();
  const int at = position_;
  ++position_;
  std::vector<std::string> indices;
  collect_indices(left, indices);
  const Expr right = expr();
  collect_indices(right, indices);
  std::string loops;
  for (const std::string& name : indices) loops += (loops.empty() ? "for " : ", ") + name;
  const std::string update = to_string(left) + " " + std::string(sign.text) + " " + to_string(right);
  position_ = at;
  fail({"E0018",
        "updates belong in loops { … }",
        "an equation says what an element is, with `=`",
        {"as a loop: loops { " + (loops.empty() ? update : loops + " { " + update + " }") + " }",
         "as an equation, a sum is written y(i) = sum(k)(…)"}});
}

/// `1 if c else 0`: shows the choice that it is. The `if` is next.
void Parser::refuse_choice(Span value) {
  const int at_if = position_;
  const auto diagnostics_before = diagnostics_;
  std::string choice, fix;
  try {
    next();
    const Expr condition = expr();
    expect("else", "behind the condition");
    const Expr otherwise = expr();
    const auto text = [&](Span span) { return std::string(content_.substr(span.begin, span.end - span.begin)); };
    choice = text(condition->span) + " ? " + text(value) + " : " + text(otherwise->span);
    fix = rewritten({{text::cover(value, otherwise->span), choice}});
  } catch (const Recover&) {}
  diagnostics_ = diagnostics_before;
  position_ = at_if;
  if (choice.empty()) return;
  fail({"E0012",
        "expected the end of the statement, found `if`",
        "",
        {"a choice of values is written c ? a : b"},
        std::move(fix)});
}

// equation = ref "=" expr [":" constraint {"," constraint}];
Equation Parser::equation() {
  const int start = position_;
  Equation result{reference(), {}, {}};
  // A shape operator on the left is another mistake.
  const auto& arguments = result.left.as<Reference>()->arguments;
  if (!arguments || std::ranges::none_of(*arguments, [](const Argument& a) { return !a.arrow.empty(); })) {
    const int behind = std::exchange(position_, start);
    refuse_built_in();
    position_ = behind;
  }
  if (result.left.as<Reference>()->body)
    fail_at(result.left->span,
            {"E0022", "this is no left side of an equation", "expected NAME, NAME(…) or NAME[…](…)"});
  const Token& sign = peek();
  if (sign.is(":=") || sign.is("=>")) fail({"E0013", "`" + std::string(sign.text) + "` defines nothing", "write ="});
  if (is_update(sign)) refuse_update(result.left);
  if (sign.is(":")) expected("`=`", {"a declaration starts with its word: tensor A(n): csr"});
  expect("=", "behind the left side of an equation");
  result.right = expr();
  if (at("if")) refuse_choice(result.right->span);
  if (at(",")) expected("`:` or the end of the statement", {"constraints follow a `:`, as in x(i) = 0 : i < n, j < i"});
  if (!accept(":")) return result;
  do result.constraints.push_back(constraint());
  while (accept(","));
  return result;
}

// constraint = sum rel sum {rel sum};
Constraint Parser::constraint() {
  const int start = position_;
  Constraint result{{sum()}, {}, {}};
  if (!relation()) {
    if (at("=>")) fail({"E0013", "`=>` is no comparison", "write >="});
    if (at("->") || at("in")) expected("a comparison");
    expected("a comparison", {"a constraint reads i < n, or 0 <= i < n"});
  }
  while (const auto found = relation()) {
    next();
    result.relations.push_back(*found);
    result.sides.push_back(sum());
  }
  if (at("=>")) fail({"E0013", "`=>` is no comparison", "write >="});
  if (at("&&") || at_word("and")) fail({"E0012", "constraints are joined by `,`", "write a comma"});
  if (at("||") || at_word("or"))
    fail({"E0012",
          "constraints hold all at once",
          "",
          {"write one equation for each case", "or guard the value: c ? a : b"}});
  result.span = since(start);
  return result;
}

// rel = "<" | "<=" | "=" | "==" | "!=" | ">=" | ">";
std::optional<math::Relation> Parser::relation() const {
  if (at("<")) return math::Relation::less;
  if (at("<=")) return math::Relation::less_equal;
  if (at("=") || at("==")) return math::Relation::equal;
  if (at("!=")) return math::Relation::not_equal;
  if (at(">=")) return math::Relation::greater_equal;
  if (at(">")) return math::Relation::greater;
  return {};
}

// until = "until" expr;
Until Parser::until() {
  expect("until", "here");
  Until result{expr()};
  if (at(":") || at(",")) expected("the end of the statement", {"conditions are joined by &&"});
  return result;
}

// kernel = "kernel" NAME "{" [statement] {NL [statement]} "}";
Kernel Parser::kernel() {
  next();
  Kernel result{name("the kernel's name"), {}};
  if (peek().kind == Token::Kind::separator) expected("`{`", {"the `{` stands on the line of the kernel's name"});
  result.statements = braced<Statement>("behind the kernel's name", [this] { return statement(); });
  return result;
}

// print = ["print"] expr ["whole"];
Command Parser::print() {
  Command result{{"print", peek().span}, {}};
  const bool written = at_word("print");
  if (written) next();
  const int start = position_;
  result.value = expr();
  if (at_word("whole")) next();
  const int end = std::exchange(position_, start);
  words(result.words, end);
  if (!written) result.words.front().joined = false;  // as `2.5` behind `;`
  return result;
}

// command = WORD [head {word}];   head = NAME | HARD | INT | FLOAT | STRING | "-";
Command Parser::command() {
  Command result{name("a command"), {}};
  if (peek().ends_statement() || position_ == close_) {
    result.value = make(Reference{result.name, {}, {}, {}}, position_ - 1);
    return result;
  }
  const Token& head = peek();
  if (head.kind == Token::Kind::symbol && !head.is("-")) {
    if (head.is(":=")) fail({"E0013", "`" + std::string(head.text) + "` defines nothing", "write ="});
    if (is_update(head)) refuse_update(name_expr(result.name.text, result.name.span));
    if (head.is(":"))
      expected("a statement", {"a declaration starts with its word: tensor " + result.name.text + ": csr"});
    expected("an equation, a declaration or a command");
  }
  words(result.words, close_ >= 0 ? close_ : static_cast<int>(tokens_.size()) - 1);
  return result;
}

// word = head | OTHER | "(" {word} ")" | "[" {word} "]" | "{" {word} "}";
void Parser::words(std::vector<Word>& into, int end) {
  int inside_until = -1;  // within brackets, `;` and line ends are like any other word
  while (position_ != end && (position_ < inside_until || !peek().ends_statement())) {
    const Token& token = peek();
    const bool opener = token.is("(") || token.is("[") || token.is("{");
    if (token.kind == Token::Kind::error) throw Recover{};
    if (opener && token.partner < 0) never_closed(token);
    if (token.partner < 0 && (token.is(")") || token.is("]") || token.is("}"))) expected("a word");
    if (opener) inside_until = std::max(inside_until, token.partner);
    next();
    if (token.kind == Token::Kind::separator && token.text != ";") continue;
    Word word{Word::Kind::symbol, std::string(token.text), token.span, token.joined};
    switch (token.kind) {
      case Token::Kind::name:
      case Token::Kind::reserved: word.kind = Word::Kind::name; break;
      case Token::Kind::integer:
      case Token::Kind::real: word.kind = Word::Kind::number; break;
      case Token::Kind::character: word.kind = Word::Kind::character; break;
      case Token::Kind::string:
        word.kind = Word::Kind::string;
        word.text = string_value(token.text);
        break;
      default: break;
    }
    into.push_back(std::move(word));
  }
}

}  // namespace trellis::lang
