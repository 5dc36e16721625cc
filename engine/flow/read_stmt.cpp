#include <algorithm>

#include "engine/flow/levels.hpp"
#include "engine/flow/reader.hpp"

namespace trellis::flow {

namespace {

template <class Node>
Stmt made(Node node) {
  return Stmt(StmtNode{std::move(node), {}});
}

std::optional<Site> site_if(bool checked) { return checked ? std::optional(Site{}) : std::nullopt; }

std::optional<std::optional<format::ReduceOp>> update_of(const Token& token) {
  if (token.text == "=") return std::optional<format::ReduceOp>();
  for (int k = 0; k < static_cast<int>(format::ReduceOp::argmin); ++k)
    if (token.text == format::update_symbol(static_cast<format::ReduceOp>(k))) return static_cast<format::ReduceOp>(k);
  return std::nullopt;
}

}  // namespace

Stmt Reader::with(const std::map<std::string, Known>& names, const std::function<Stmt()>& inside) {
  const std::map<std::string, Known> around = names_;
  for (const auto& [called, known] : names) names_[called] = known;
  Stmt body = inside();
  names_ = around;
  return body;
}

Stmt Reader::body() {
  const int outside = line().indent;
  next();
  if (over() || line().indent <= outside) fail_expecting("what belongs to the line before, or `pass`,");
  Stmt all = block(line().indent);
  if (!over() && line().indent > outside) fail("this line is indented like none before it");
  return all;
}

Stmt Reader::block(int indent) {
  if (is("pass") && peek(1).kind == Token::Kind::end) return take(), next(), made(Seq{});
  std::vector<Stmt> statements;
  while (!over() && line().indent == indent && !is("else") && !is("then")) statements.push_back(stmt());
  if (!over() && line().indent > indent) fail("this line is indented deeper than what is before it");
  if (statements.size() == 1) return statements.front();
  return made(Seq{std::move(statements)});
}

/// A tensor may be called as a statement begins.
bool Reader::begins_assignment() const {
  return peek().kind == Token::Kind::name && (is("[", 1) || update_of(peek(1)));
}

Stmt Reader::stmt() {
  if (begins_assignment()) return assignment();
  if (peek().kind == Token::Kind::remark) {
    const std::string text = take().text;
    return next(), made(Note{text.substr(std::min<std::size_t>(2, text.size()))});
  }
  const std::string first = name("a statement");
  if (first == "block") {
    Stmt inner = body();
    return inner.as<Seq>() ? inner : made(Seq{{inner}});
  }
  if (first == "loop") return loop();
  if (first == "coiterate") return coiterate();
  if (first == "if" || first == "since") return if_or_test();
  if (first == "locate") return locate();
  if (first == "tabulate") return tabulate();
  if (first == "insert") return insert();
  if (first == "let") return let();
  if (first == "append" || first == "count") return append(first == "count");
  if (first == "scatter") return scatter();
  if (first == "atomic") return assignment();
  if (first == "while") {
    const Expr over = condition();
    return made(While{over, body()});
  }
  if (first == "await") {
    const std::string loop = name("a loop's variable");
    expect("at");
    const Expr coordinate = expr();
    return next(), made(Await{loop, coordinate});
  }
  if (first == "exchange") return exchange();
  if (first == "declare" || first == "freeze" || first == "reset") {
    const Tensor& tensor = known_tensor(name("a tensor's name"));
    if (first == "declare") return next(), made(Declare{tensor.name});
    if (first == "freeze") return next(), made(Freeze{tensor.name});
    expect("=");
    const Expr value = expr(tensor.type);
    return next(), made(Reset{tensor.name, value});
  }
  fail("no statement begins with `" + first + "`");
}

Stmt Reader::exchange() {
  const auto& calls = format::ranks_call_names;
  const auto call = std::ranges::find(calls, name("a call"));
  if (call == calls.end()) fail("no call of an exchange has that name");
  Exchange e{static_cast<format::RanksCall>(call - calls.begin()), 0, "", {}};
  e.number = static_cast<int>(number("the number of an exchange"));
  expect("of");
  e.tensor = known_tensor(name("a tensor's name")).name;
  if (accept("at")) do
      e.keys.push_back(expr());
    while (accept(","));
  next();
  return made(std::move(e));
}

Stmt Reader::assignment() {
  const bool atomic = token_ > 0;  // `atomic` has been read
  const Tensor& tensor = known_tensor(name("a tensor's name"));
  const Position at = position(tensor.name, levels_of(tensor));
  const auto op = update_of(peek());
  if (!op) fail_expecting("`=`, `+=` or another update");
  take();
  const Expr value = expr(tensor.type);
  next();
  return made(Assign{tensor.name, at, *op, value, atomic});
}

std::optional<Stmt> Reader::otherwise(int indent) {
  if (over() || line().indent != indent || !accept("else")) return std::nullopt;
  return body();
}

Stmt Reader::if_or_test() {
  const int indent = line().indent;
  const bool certain = line().tokens.front().text == "since";
  if (certain || (is("here", 1) && peek(2).kind == Token::Kind::end)) {
    const std::string cursor = name("a cursor's name");
    expect("here");
    const Stmt then = body();
    return made(Test{cursor, then, otherwise(indent), certain});
  }
  const Expr asked = condition();
  const Stmt then = body();
  return made(If{asked, then, otherwise(indent)});
}

Stmt Reader::locate() {
  Locate l{};
  l.name = name("a name");
  l.several = accept("…");
  if (accept_all({"with", "what", "is", "near"}))
    l.near = accept_all({"the", "end"}) ? Locate::Near::last : Locate::Near::first;
  expect("=");
  if (is("[", 1)) {
    l.held = Locate::Held{take().text, {}};
    expect("[");
    l.held->index = expr();
    expect("]");
    expect("in");
  } else if (accept("march")) {
    l.march = name("the name of pointers");
    l.returns = accept("again");
    expect("in");
  } else {
    expect("find");
  }
  l.tensor = place(l.level, l.parent);
  expect("at");
  l.coordinate = expr();
  l.check = site_if(accept("checked"));
  l.certain = accept("there");
  if (accept("if")) l.exists = condition();
  const Known entry{format::ScalarType::i64, true}, number{};
  l.body = with({{l.name, entry}, {l.name + "_end", number}, {l.name + "_near", number}}, [&] { return body(); });
  return made(std::move(l));
}

Stmt Reader::tabulate() {
  Tabulate t{};
  t.name = name("a name");
  expect("of");
  t.tensor = place(t.level, t.parent);
  if (accept_all({"in", "map"})) t.map = name("a map's name");
  t.body = body();
  return made(std::move(t));
}

Stmt Reader::insert() {
  Insert i{};
  i.name = name("a name");
  expect("into");
  i.tensor = place(i.level, i.parent);
  expect("at");
  i.coordinate = expr();
  i.check = site_if(accept("checked"));
  i.body = with({{i.name, {format::ScalarType::i64, true}}}, [&] { return body(); });
  return made(std::move(i));
}

Stmt Reader::let() {
  Let l{};
  l.name = name("a name");
  expect("=");
  l.value = expr();
  const Known known{l.value->type, l.value.as<Here>() != nullptr};
  l.body = with({{l.name, known}, {l.name + "_end", {}}}, [&] { return body(); });
  return made(std::move(l));
}

Stmt Reader::scatter() {
  const int indent = line().indent;
  Scatter s{known_tensor(name("a tensor's name")).name, {}, {}};
  if (accept("counting")) {
    s.counting = body();
    if (over() || line().indent != indent) fail_expecting("`then`");
    expect("then");
  }
  s.body = body();
  return made(std::move(s));
}

Stmt Reader::append(bool counted) {
  Append a{};
  const Tensor& tensor = known_tensor(name("a tensor's name"));
  a.tensor = tensor.name;
  a.counted = counted;
  std::vector<std::optional<Expr>> through;
  bool runs = false;
  expect("(");
  while (!is(")")) {
    a.coordinates.push_back(expr());
    through.push_back(accept("through") ? std::optional(expr()) : std::nullopt);
    runs |= through.back().has_value();
    if (!accept(",")) break;
  }
  expect(")");
  if (runs) a.through = std::move(through);
  expect("=");
  a.value = expr(tensor.type);
  a.prune = accept_all({"unless", "it", "is", "the", "fill"});
  next();
  return made(std::move(a));
}

}  // namespace trellis::flow
