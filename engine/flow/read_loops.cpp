#include <algorithm>

#include "engine/flow/level_text.hpp"
#include "engine/flow/levels.hpp"
#include "engine/flow/reader.hpp"

namespace trellis::flow {

namespace {

constexpr Known counter_known{}, entry_known{format::ScalarType::i64, true};

std::optional<format::ReduceOp> op_of_update(const std::string& symbol) {
  for (int k = 0; k < static_cast<int>(format::ReduceOp::argmin); ++k)
    if (symbol == format::update_symbol(static_cast<format::ReduceOp>(k))) return static_cast<format::ReduceOp>(k);
  return std::nullopt;
}

}  // namespace

template <class Loops>
void Reader::range(Loops& loop) {
  loop.variable = name("the loop's variable");
  if (accept("down")) loop.direction = Loop::Direction::down;
  expect("in");
  loop.low = expr();
  expect(":");
  loop.high = expr();
}

/// What loops and coiterations may have alike; false: it is something else.
template <class Loops>
bool Reader::attribute(Loops& loop) {
  if (accept("parallel")) {
    loop.execution = Loop::Execution::parallel;
  } else if (is("by") && peek(1).kind == Token::Kind::name) {
    take();
    MergePath path{name("a tensor's name"), 0};
    path.level = level_of(path.tensor);
    loop.merge_path = path;
  } else if (accept("reduces")) {
    loop.reduces.push_back(known_tensor(name("a tensor's name")).name);
    if (accept("by")) {
      const auto op = op_of_update(peek().text);
      if (!op) fail_expecting("an update such as `+=`");
      take();
      loop.partials.push_back({loop.reduces.back(), *op});
    }
  } else if (accept("carries")) {
    do {
      Carry carry{name("a cursor's name"), {}};
      expect("at");
      carry.tensor = name("a tensor's name");
      carry.level = level_of(carry.tensor);
      loop.carries.push_back(carry);
    } while (accept(","));
  } else if (accept("unroll")) {
    loop.unroll = static_cast<int>(number("a number"));
  } else if (accept("unless")) {
    loop.unless = condition();
  } else {
    return false;
  }
  return true;
}

bool Reader::loop_attribute(Loop& l, bool& counts) {
  if (accept("among")) {
    Among among{name("the name of lists"), {}, {}};
    expect("at");
    among.coordinate = expr();
    expect("as");
    among.entry = name("a name");
    l.among = among;
  } else if (accept("lists")) {
    do {
      Lists lists{name("the name of lists"), {}};
      expect("of");
      lists.tensor = name("a tensor's name");
      lists.level = level_of(lists.tensor);
      l.lists.push_back(lists);
    } while (accept(","));
  } else if (accept("by")) {
    l.by = static_cast<int>(number("a number"));
  } else if (accept("after")) {
    l.after = static_cast<int>(number("a number"));
  } else if (accept("vector")) {
    l.execution = Loop::Execution::vector;
    if (peek().kind == Token::Kind::number) l.lanes = static_cast<int>(number("a number"));
  } else if (accept("lanes")) {
    l.lanes = static_cast<int>(number("a number"));
  } else if (accept("jam")) {
    l.jam = static_cast<int>(number("a number"));
  } else if (accept("registers")) {
    l.registers = true;
  } else if (accept("closes")) {
    do l.closes.push_back(known_tensor(name("a tensor's name")).name);
    while (accept(","));
  } else if (accept("every")) {
    l.asks_every = number("a number");
  } else if (accept("until")) {
    const auto around = names_;
    names_[l.variable] = counter_known;
    l.until = condition();
    names_ = around;
  } else if (accept("counting")) {
    counts = true;
  } else {
    return false;
  }
  return true;
}

Stmt Reader::loop() {
  const int indent = line().indent;
  Loop l{};
  bool counts = false;
  range(l);
  while (peek().kind != Token::Kind::end && (attribute(l) || loop_attribute(l, counts))) {}
  std::map<std::string, Known> names = {{l.variable, counter_known}};
  if (counts) {
    l.counting = with(names, [&] { return body(); });
    if (over() || line().indent != indent) fail_expecting("`then`");
    expect("then");
  }
  if (l.among) names[l.among->entry] = entry_known;
  l.body = with(names, [&] { return body(); });
  return Stmt(StmtNode{std::move(l), {}});
}

bool Reader::walk_attribute(Coiterate& c) {
  if (accept("carried")) {
    c.carried = true;
  } else if (accept("streams")) {
    while (const auto array = array_called(peek().text)) {
      c.streamed.push_back(*array);
      take();
    }
  } else if (accept("vector")) {
    c.execution = Loop::Execution::vector;
  } else if (accept("every")) {
    c.asks_every = number("a number");
  } else if (accept_all({"in", "pairs"})) {
    c.in_pairs = true;
  } else {
    return false;
  }
  return true;
}

Stmt Reader::coiterate() {
  const int outside = line().indent;
  Coiterate c{};
  range(c);
  while (peek().kind != Token::Kind::end && (attribute(c) || walk_attribute(c))) {}
  next();
  std::map<std::string, Known> names;
  while (!over() && line().indent > outside && (is("lead") || is("follow"))) {
    c.cursors.push_back(cursor(c.variable));
    names[c.cursors.back().name] = entry_known;
    next();
  }
  if (is("fetch")) c.ahead = ahead();
  while (!over() && line().indent > outside && (is("each") || is("while"))) c.points.push_back(point(c, names));
  if (!over() && line().indent > outside) fail_expecting("a cursor, or a point that begins with `while` or `each`,");
  return Stmt(StmtNode{std::move(c), {}});
}

Ahead Reader::ahead() {
  expect("fetch");
  Ahead ahead{name("a name"), {}};
  expect("ahead");
  expect(":");
  const auto around = names_;
  names_[ahead.coordinate] = counter_known;
  while (peek().kind == Token::Kind::name) {
    const Tensor& tensor = known_tensor(take().text);
    ahead.rows.push_back({tensor.name, position(tensor.name, levels_of(tensor))});
  }
  names_ = around;
  next();
  return ahead;
}

int Reader::cursor_of(const Coiterate& c) {
  const std::string wanted = name("a cursor's name");
  const auto found = std::ranges::find(c.cursors, wanted, &Cursor::name);
  if (found == c.cursors.end()) fail("there is no cursor `" + wanted + "` in this loop");
  return static_cast<int>(found - c.cursors.begin());
}

Coiterate::Point Reader::point(Coiterate& c, std::map<std::string, Known> names) {
  const int indent = line().indent;
  Coiterate::Point point{};
  if (take().text == "while") {
    point.any = accept("any");
    do point.leads.push_back(cursor_of(c));
    while (accept("and") || (is("or") && (point.any = true) && accept("or")));
  }
  // Those that follow in the first place do so here, if it is not said that they rest.
  for (std::size_t k = 0; k < c.cursors.size(); ++k)
    if (c.cursors[k].role == Cursor::Role::follow) point.follows.push_back(static_cast<int>(k));
  while (accept(",")) {
    const int cursor = cursor_of(c);
    if (accept("rests")) {
      std::erase(point.follows, cursor);
    } else {
      expect("follows");
      point.follows.push_back(cursor);
    }
  }
  std::ranges::sort(point.follows);
  point.together = accept("together");
  if (accept_all({"by", "regions"})) {
    point.regions = Coiterate::Point::Regions{name("a name"), {}};
    expect("..");
    point.regions->last = name("a name");
    names[point.regions->first] = names[point.regions->last] = counter_known;
  } else {
    names[c.variable] = counter_known;
  }
  if (accept("counting")) {
    c.counting = with(names, [&] { return body(); });
    if (over() || line().indent != indent) fail_expecting("`then`");
    expect("then");
  }
  point.body = with(names, [&] { return body(); });
  return point;
}

}  // namespace trellis::flow
