#include "engine/flow/read.hpp"

#include <algorithm>

#include "engine/flow/level_text.hpp"
#include "engine/flow/print_expr.hpp"
#include "engine/flow/reader.hpp"

namespace trellis::flow {

const Token& Reader::peek(std::size_t ahead) const {
  static const Token nothing;
  if (over()) return nothing;
  const std::vector<Token>& tokens = line().tokens;
  return tokens[std::min(token_ + ahead, tokens.size() - 1)];
}

Token Reader::take() {
  Token token = peek();
  if (!over() && token_ + 1 < line().tokens.size()) ++token_;
  return token;
}

bool Reader::is(std::string_view text, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind != Token::Kind::end && token.kind != Token::Kind::remark && token.text == text;
}

bool Reader::accept(std::string_view text) {
  const bool found = is(text);
  if (found) take();
  return found;
}

bool Reader::accept_all(std::initializer_list<std::string_view> words) {
  std::size_t ahead = 0;
  for (const std::string_view word : words)
    if (!is(word, ahead++)) return false;
  for (std::size_t k = 0; k < words.size(); ++k) take();
  return true;
}

void Reader::expect(std::string_view text) {
  if (!accept(text)) fail_expecting('`' + std::string(text) + '`');
}

std::string Reader::name(const char* what) {
  if (peek().kind != Token::Kind::name) fail_expecting(what);
  return take().text;
}

std::int64_t Reader::number(const char* what) {
  const bool negative = accept("-");
  const auto value = format::parse_value(format::ScalarType::i64, (negative ? "-" : "") + peek().text);
  if (peek().kind != Token::Kind::number || !value) fail_expecting(what);
  take();
  return value->integer;
}

void Reader::fail(const std::string& what) const {
  const int last = lines_.empty() ? 1 : lines_.back().number + 1;
  throw Misread(over() ? last : line().number, over() ? 1 : peek().column, what);
}

void Reader::fail_expecting(const std::string& what) const {
  const bool ended = peek().kind == Token::Kind::end;
  fail(what + " is missing" + (ended ? ", as the line ends here" : " before `" + peek().text + '`'));
}

void Reader::next() {
  if (!over() && peek().kind != Token::Kind::end) fail("`" + peek().text + "` is too much here");
  ++at_;
  token_ = 0;
}

const Tensor* Reader::find_tensor(const std::string& wanted) const {
  const auto local = std::ranges::find(locals_, wanted, &Tensor::name);
  return local != locals_.end() ? &*local : flow_.tensor(wanted);
}

const Tensor& Reader::known_tensor(const std::string& wanted) const {
  if (const Tensor* tensor = find_tensor(wanted)) return *tensor;
  fail("there is no tensor `" + wanted + "` before this");
}

Level Reader::level() {
  const bool dense = take().text == "[";
  const std::string closes = dense ? "]" : "}";
  Level level{expr(), format::facts(format::Level{dense ? "dense" : "compressed", {}})};
  if (accept(":")) {
    std::vector<std::string> words;
    while (!is(closes) && peek().kind != Token::Kind::end) words.push_back(take().text);
    const auto facts = level_named(words);
    if (!facts) fail("no level stores what it has so");
    level.facts = *facts;
  }
  expect(closes);
  return level;
}

Tensor Reader::scalar() {
  Tensor scalar{name("a name"), {}, {}, {}, Tensor::Storage::temporary};
  expect(":");
  const auto type = format::scalar_type(peek().text);
  if (!type) fail_expecting("a type");
  take();
  scalar.type = *type;
  return scalar;
}

Tensor Reader::tensor(Tensor::Storage storage) {
  std::vector<Level> levels;
  const std::string called = name("a tensor's name");
  while (is("[") || is("{")) levels.push_back(level());
  // The rest is that of a scalar: `: f64`.
  expect(":");
  const auto type = format::scalar_type(peek().text);
  if (!type) fail_expecting("a type");
  take();
  Tensor t{called, *type, std::move(levels), {}, storage, {*type, 0, 0}};
  for (std::size_t k = 0; k < t.levels.size(); ++k) t.order.push_back(static_cast<int>(k));
  if (accept("@")) {
    t.order.clear();
    expect("(");
    do t.order.push_back(static_cast<int>(number("a dimension")));
    while (accept(","));
    expect(")");
  }
  if (accept("pattern")) t.pattern = true;
  if (accept("fill")) {
    const Expr fill = expr(*type);
    const auto* value = fill.as<Constant>();
    if (!value) fail("a fill is a number");
    t.fill = value->value;
  }
  if (accept_all({"readable", "meanwhile"})) t.readable = true;
  if (accept("scattered")) t.scattered = true;
  if (accept_all({"growing", "while", "it", "is", "walked"})) t.live = true;
  if (accept_all({"in", "lists", "until", "it", "is", "frozen"})) t.listed = true;
  if (accept_all({"with", "the", "entries", "of"})) t.entries_of = name("a tensor's name");
  if (accept_all({"same", "as"})) t.same_as = name("a tensor's name");
  return t;
}

void Reader::function() {
  const int indent = line().indent;
  Function f{name("the function's name"), {}, {}, {}, {}};
  expect("(");
  while (!is(")")) {
    f.parameters.push_back(scalar());
    if (accept_all({"annihilated", "by"})) {
      f.annihilators.resize(f.parameters.size());
      do {
        const Expr value = expr(f.parameters.back().type);
        const auto* constant = value.as<Constant>();
        if (!constant) fail("an annihilator is a number");
        f.annihilators.back().push_back(constant->value);
      } while (accept("or"));
    }
    if (!accept(",")) break;
  }
  expect(")");
  if (accept("with")) do
      f.locals.push_back(scalar());
    while (accept(","));
  f.annihilators.resize(f.parameters.size());
  locals_ = f.parameters;
  locals_.insert(locals_.end(), f.locals.begin(), f.locals.end());
  next();
  std::vector<Stmt> statements;
  while (!over() && line().indent > indent && !is("value")) statements.push_back(stmt());
  f.body = Stmt(StmtNode{Seq{std::move(statements)}, {}});
  if (over() || line().indent <= indent) fail_expecting("`value`");
  expect("value");
  f.result = expr();
  next();
  locals_.clear();
  flow_.functions.push_back(std::move(f));
}

bool Reader::declaration() {
  if (begins_assignment()) return false;
  if (accept("kernel")) return flow_.kernel = name("the kernel's name"), next(), true;
  if (accept("size")) return flow_.sizes.push_back(name("a size's name")), next(), true;
  if (accept("real")) return flow_.reals.push_back(name("a parameter's name")), next(), true;
  if (accept_all({"tells", "steps"})) return flow_.tells_steps = true, next(), true;
  if (accept("function")) return function(), true;
  if (accept("map")) {
    PositionMap map{name("the map's name"), {}, {}};
    expect("from");
    map.from = known_tensor(name("a tensor's name")).name;
    expect("to");
    map.to = known_tensor(name("a tensor's name")).name;
    flow_.maps.push_back(map);
    return next(), true;
  }
  const bool operand = accept("operand"), result = !operand && accept("result");
  if (!operand && !result && !accept("temporary")) return false;
  using Storage = Tensor::Storage;
  flow_.tensors.push_back(tensor(operand ? Storage::operand : result ? Storage::result : Storage::temporary));
  next();
  return true;
}

Flow Reader::flow() {
  flow_.kernel = usual_kernel;
  while (!over() && line().indent == 0 && declaration()) {}
  flow_.root = block(0);
  if (!over()) fail("this is indented less than what it follows");
  return trellis::flow::number(flow_);
}

ReadFlow read(std::string_view text) {
  try {
    return {Reader(lines_of(text)).flow()};
  } catch (const Misread& wrong) {
    return {std::nullopt, std::to_string(wrong.line) + ':' + std::to_string(wrong.column) + ": " + wrong.what()};
  }
}

}  // namespace trellis::flow
