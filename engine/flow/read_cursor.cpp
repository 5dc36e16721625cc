#include "engine/flow/levels.hpp"
#include "engine/flow/reader.hpp"

namespace trellis::flow {

/// `A.2`, `A.2[1:9] - 1`, `(A.2 - 1)/2`, in parentheses or not.
math::DigitMap Reader::digit_map(const std::string& tensor, int& level) {
  const bool wrapped = accept("(");
  math::DigitMap map;
  if (wrapped && is("(")) {
    map = digit_map(tensor, level);
  } else {
    if (name("a tensor's name") != tensor) fail("levels of two tensors are walked as one");
    level = level_of(tensor);
    if (accept("[")) {
      if (!is(":")) map.low = number("a coordinate");
      expect(":");
      if (!is("]")) map.high = number("a coordinate");
      expect("]");
    }
    const bool added = is("+");
    if (accept("+") || accept("-")) map.offset = added ? -number("a number") : number("a number");
  }
  if (!wrapped) {
    if (accept("/")) map.factor = number("a number");
    return map;
  }
  if (accept("/")) map.factor = number("a number");
  expect(")");
  if (accept("/")) map.factor = number("a number");
  return map;
}

void Reader::cursor_place(Cursor& cursor) {
  const std::size_t k = is("(") ? 1 : 0;
  cursor.tensor = known_tensor(peek(k).text).name;
  cursor.own = digit_map(cursor.tensor, cursor.level);
  int first = cursor.level;
  while (is("below") && !is("[", 1)) {
    take();
    Cursor::Digit digit;
    digit.unit = number("what the digit is multiplied by");
    expect("*");
    digit.map = digit_map(cursor.tensor, digit.level);
    first = digit.level;
    cursor.digits.insert(cursor.digits.begin(), digit);
  }
  cursor.parent = below(cursor.tensor, first);
}

/// `, i = 3 - stored`, `, i = (0 + stored) / 2`, `, i = 0 + 2*stored + 0:2`, `, segments of 8`.
void Reader::cursor_coordinate(Cursor& cursor, const std::string& variable) {
  cursor.offset = integer(0);
  if (!accept(",")) return;
  expect(variable);
  expect("=");
  // The parenthesis of a slice closes behind what is stored; one of the offset does before.
  std::size_t behind = 0;
  for (std::size_t k = 0; peek(k).kind != Token::Kind::end; ++k)
    if (is("stored", k) && !is("(", k + 1)) behind = k;
  const bool sliced = is("(") && is(")", behind + 1) && is("/", behind + 2);
  if (sliced) take();
  cursor.offset = binary(format::precedence(format::BinaryOp::add)).as(format::ScalarType::i64);
  cursor.reversed = is("-");
  if (!accept("+")) expect("-");
  const bool wrapped = accept("(");
  if (!is("stored")) {
    cursor.stretch = number("a factor");
    expect("*");
  }
  expect("stored");
  if (cursor.stretch > 1) {
    expect("+");
    number("0");
    expect(":");
    number("the factor");
  }
  if (wrapped) expect(")");
  if (!sliced) return;
  expect(")");
  expect("/");
  cursor.stride = number("a step");
  if (!accept(",")) return;
  expect("segments");
  expect("of");
  cursor.width = number("a number");
}

Cursor::Bound Reader::bound() {
  const bool past = accept("past");
  const std::string look_up = name("a look-up's name");
  return {look_up, past, accept("there")};
}

bool Reader::cursor_attribute(Cursor& c) {
  if (accept("if")) c.exists = condition();
  else if (accept("clipped")) {
    const bool low = accept("below"), high = !low && accept("above");
    c.below |= !high;
    c.above |= !low;
  } else if (accept("full")) c.full = true;
  else if (accept("from")) c.from = bound();
  else if (accept("to")) c.to = bound();
  else if (accept_all({"in", "any", "order"})) c.unsorted = true;
  else if (accept_all({"by", "merge"})) c.find = Cursor::Find::merge;
  else if (accept_all({"by", "scan"})) c.find = Cursor::Find::scan;
  else if (accept_all({"by", "gallop"})) c.find = Cursor::Find::gallop;
  else return false;
  return true;
}

Cursor Reader::cursor(const std::string& variable) {
  Cursor c{};
  c.role = take().text == "lead" ? Cursor::Role::lead : Cursor::Role::follow;
  c.name = name("a cursor's name");
  expect("at");
  cursor_place(c);
  cursor_coordinate(c, variable);
  while (peek().kind != Token::Kind::end && cursor_attribute(c)) {}
  return c;
}

}  // namespace trellis::flow
