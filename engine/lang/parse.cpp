#include "engine/lang/parse.hpp"

#include <algorithm>
#include <charconv>

#include "engine/lang/built_in.hpp"
#include "engine/lang/parser.hpp"

namespace trellis::lang {

using namespace syntax;

namespace {

/// More than anyone reads; what follows is most likely not this language.
constexpr std::size_t most_errors = 100;

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the text";
  if (token.kind == Token::Kind::separator) return token.text == ";" ? "`;`" : "the end of the line";
  if (token.kind == Token::Kind::string) return "a string";
  return quoted(token.text);
}

}  // namespace

Parser::Parser(const text::Sources& sources, int source, text::Diagnostics& diagnostics)
    : content_(sources.content(source)),
      source_(source),
      first_id_(sources.first_node(source)),
      diagnostics_(diagnostics) {
  tokens_ = tokenize(content_, source, diagnostics).tokens;
}

// file = [statement] {NL [statement]};
File Parser::file() {
  File result;
  sequence(result.statements, [this] { return statement(); });
  return result;
}

// ---- tokens --------------------------------------------------------------------------------------------------

const Token& Parser::peek(int ahead) const {
  const int last = static_cast<int>(tokens_.size()) - 1;
  return tokens_[std::min(position_ + ahead, last)];
}

const Token& Parser::next() {
  const Token& token = peek();
  if (token.kind != Token::Kind::end) ++position_;
  return token;
}

bool Parser::accept(std::string_view symbol) {
  if (!at(symbol)) return false;
  next();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  next();
  return true;
}

const Token& Parser::expect(std::string_view symbol, std::string_view before) {
  if (at(symbol)) return next();
  expected(quoted(symbol) + " " + std::string(before));
}

/// The closing half of the bracket that is token number `opener`.
void Parser::expect_closing(int opener) {
  const Token& open = tokens_[opener];
  const std::string_view closer = open.is("(") ? ")" : open.is("[") ? "]" : "}";
  if (accept(closer)) return;
  if (open.partner < 0) never_closed(open);
  Notes notes;
  if (peek().is_word("where") || at("if"))
    notes = {"a choice of values is written c ? a : b, and what a sum leaves out c ? a : 0"};
  if (at("for")) notes = {"indices stand in front: sum(i)(x(i))"};
  expected("`,` or " + quoted(closer), std::move(notes));
}

Name Parser::name(std::string_view what) {
  const Token& token = peek();
  if (token.kind == Token::Kind::reserved)
    fail({"E0016", quoted(token.text) + " is a reserved word", "expected " + std::string(what)});
  if (token.kind != Token::Kind::name) expected(what);
  next();
  return {std::string(token.text), token.span};
}

void Parser::refuse_built_in() {
  const Token& token = peek();
  if (token.kind == Token::Kind::name && is_built_in(token.text))
    fail({"E0016", quoted(token.text) + " is built in and cannot be declared", "choose another name"});
}

Name Parser::declared_name(std::string_view what) {
  refuse_built_in();
  return name(what);
}

std::int64_t Parser::integer(std::string_view what) {
  const Token& token = peek();
  if (token.kind != Token::Kind::integer) expected(what);
  const bool hexadecimal = token.text.size() > 1 && (token.text[1] == 'x' || token.text[1] == 'X');
  std::int64_t value = 0;
  const char* first = token.text.data() + (hexadecimal ? 2 : 0);
  const auto end = std::from_chars(first, token.text.data() + token.text.size(), value, hexadecimal ? 16 : 10);
  if (end.ec != std::errc{}) fail({"E0004", "this number does not fit i64", ""});
  next();
  return value;
}

/// From token number `start` to the last one read.
text::Span Parser::since(int start) const {
  const int last = std::max(start, position_ - 1);
  return text::cover(tokens_[start].span, tokens_[last].span);
}

int Parser::new_id(int height) {
  heights_.push_back(height);
  return first_id_ + static_cast<int>(heights_.size()) - 1;
}

// ---- errors --------------------------------------------------------------------------------------------------

void Parser::fail_at(Span span, Problem problem) {
  auto& diagnostic =
      diagnostics_.error(std::move(problem.code), span, std::move(problem.message), std::move(problem.label));
  for (std::string& note : problem.notes) diagnostic.notes.push_back({{}, std::move(note)});
  if (!problem.fix.empty()) diagnostic.fixes.push_back({std::move(problem.fix), "", 0});
  throw Recover{};
}

void Parser::fail(Problem problem) {
  const Token& token = peek();
  if (token.kind == Token::Kind::error) throw Recover{};
  Span span = token.span;
  // What is missing at a line's end is shown right behind what stands there, not on the next line.
  if (token.ends_statement() && token.text != ";" && position_ > 0)
    span = {source_, tokens_[position_ - 1].span.end, tokens_[position_ - 1].span.end};
  fail_at(span, std::move(problem));
}

void Parser::expected(std::string_view what, Notes notes) {
  const Token& token = peek();
  const bool unpaired_closer = token.partner < 0 && (token.is(")") || token.is("]") || token.is("}"));
  if (unpaired_closer) {
    // After an error, a surplus bracket is most likely its consequence.
    if (diagnostics_.has_errors() && token.is("}")) throw Recover{};
    fail({"E0011", "this " + quoted(token.text) + " closes nothing", "", std::move(notes)});
  }
  fail({"E0010", "expected " + std::string(what) + ", found " + shown(token), "", std::move(notes)});
}

void Parser::never_closed(const Token& opener) {
  const std::string closer = opener.is("(") ? "`)`" : opener.is("[") ? "`]`" : "`}`";
  fail_at(opener.span,
          {"E0011", "this " + quoted(opener.text) + " is never closed", "no " + closer + " belongs to it"});
}

void Parser::too_deep() {
  fail({"E0019", "this is nested too deeply", "", {"name a part of it: give it an equation of its own"}});
}

// ---- statements' ends and recovery ---------------------------------------------------------------------------

void Parser::end_of_statement() {
  if (peek().ends_statement() || position_ == close_) return;
  if (peek().is("}") || peek().is(")") || peek().is("]")) expected("the end of the statement");
  fail({"E0012", "expected the end of the statement, found " + shown(peek()), "", hints_for_leftover()});
}

/// What people write behind a complete statement, by the languages that they come from.
Parser::Notes Parser::hints_for_leftover() const {
  const Token& token = peek();
  if (token.is_word("and")) return {"logical and is written &&"};
  if (token.is_word("or")) return {"logical or is written ||"};
  if (token.is_word("where") || token.is("if"))
    return {"conditions on indices follow a `:`, as in `A(i,j) = 0 : i < j`"};
  if (token.is("=") && peek(1).is("[")) return {"data is given by a command, as in fill_with x [1, 2, 3]"};
  if (token.is("=") || token.is("==")) return {"one equation has one `=`; comparisons need parentheses here"};
  if (token.is_word("break")) return {"a loop ends early with until, as in for i until found { … }"};
  if (token.is("=>")) return {"greater or equal is written >="};
  if (token.is("[")) return {"indices stand in parentheses, as in A(i,j)"};
  if (token.is(".") && peek(1).joined)
    return {
        "nothing is asked of a tensor behind a dot: a sum is sum(i)(x(i)), sizes have names, functions stand in front"};
  if (token.is(",") && position_ > 0) return {"one statement a line, or `;` between them"};
  if (token.is("tensor")) return {"one statement a line, or `;` between them"};
  return {};
}

/// Behind the statement that starts at token `start`: at its separator, or where its block or the text ends.
void Parser::skip_statement(int start) {
  position_ = start;
  while (position_ != close_ && !peek().ends_statement()) {
    const Token& token = next();
    const bool opener = token.is("(") || token.is("[") || token.is("{");
    if (opener && token.partner >= 0) position_ = token.partner + 1;
    else if (token.is("{")) position_ = static_cast<int>(tokens_.size()) - 1;
    // A line that starts with `{` can only belong to the broken statement before it.
    if (peek().kind == Token::Kind::separator && peek(1).is("{") && peek(1).partner >= 0) next();
  }
}

// ---- what the statement would be --------------------------------------------------------------------------------

int Parser::end_of_present_statement() const {
  int at = statement_;
  while (!tokens_[at].ends_statement()) at = std::max(at, tokens_[at].partner) + 1;
  return at;
}

std::string Parser::rewritten(const std::vector<std::pair<Span, std::string>>& changes) const {
  if (close_ >= 0 || changes.empty()) return "";
  std::string text;
  std::uint32_t at = tokens_[statement_].span.begin;
  for (const auto& [span, instead] : changes) {
    text += std::string(content_.substr(at, span.begin - at)) + instead;
    at = span.end;
  }
  const int end = end_of_present_statement();
  text += content_.substr(at, tokens_[std::max(end - 1, statement_)].span.end - at);
  text::Sources own;
  text::Diagnostics problems;
  const File file = parse(own, own.add("", text), problems);
  return problems.has_errors() || file.statements.size() != 1 ? "" : text;
}

/// `A[i,j]` as `A(i,j)`.
std::string Parser::with_parentheses() const {
  std::vector<std::pair<Span, std::string>> changes;
  const int end = end_of_present_statement();
  for (int k = statement_; k < end; ++k) {
    if (tokens_[k].is("[") && tokens_[k].partner >= 0) changes.push_back({tokens_[k].span, "("});
    if (tokens_[k].is("]") && tokens_[k].partner >= 0) changes.push_back({tokens_[k].span, ")"});
  }
  return rewritten(changes);
}

/// `x**2` as `x^2`.
std::string Parser::with_powers() const {
  std::vector<std::pair<Span, std::string>> changes;
  const int end = end_of_present_statement();
  for (int k = statement_; k + 1 < end; ++k)
    if (tokens_[k].is("*") && tokens_[k + 1].is("*") && tokens_[k + 1].joined) {
      changes.push_back({text::cover(tokens_[k].span, tokens_[k + 1].span), "^"});
      ++k;
    }
  return rewritten(changes);
}

/// Inside braces that are no block.
void Parser::skip_line_ends() {
  while (peek().kind == Token::Kind::separator && peek().text != ";") next();
}

// ---- the public face -----------------------------------------------------------------------------------------

File parse(const text::Sources& sources, int source, text::Diagnostics& diagnostics) {
  text::Diagnostics found;
  File file = Parser(sources, source, found).file();
  // The lexer's errors came first: back to the order in which people read.
  std::vector<text::Diagnostic> sorted = found.all();
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.span < b.span; });
  if (sorted.size() > most_errors) {
    const std::size_t more = sorted.size() - most_errors;
    sorted.resize(most_errors);
    sorted.back().notes.push_back({{}, "and " + std::to_string(more) + " more errors of syntax"});
  }
  for (text::Diagnostic& diagnostic : sorted) diagnostics.add(std::move(diagnostic));
  return file;
}

bool is_incomplete(std::string_view text) {
  text::Diagnostics ignored;
  return tokenize(text, -1, ignored).open;
}

}  // namespace trellis::lang
