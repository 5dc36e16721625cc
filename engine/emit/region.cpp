#include "engine/emit/region.hpp"

#include "engine/emit/locate.hpp"
#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

using flow::Coiterate;
using flow::Loop;

std::pair<c::Expr, c::Expr> region_of(Context& out, const CCursor& w) {
  const flow::Cursor& cursor = *w.cursor;
  const c::Expr entry = c::token(w.at);
  const bool point = w.facts.points() || workspace(*w.tensor);
  c::Expr last = stored_coordinate(out, w, entry);
  c::Expr first = point ? last : stored_first(out, *w.tensor, cursor.level, entry, c::token(w.begin));
  if (cursor.stretch > 1) {
    first = times(c::number(cursor.stretch), in_64_bits(first));
    last = plus(times(c::number(cursor.stretch), in_64_bits(last)), c::number(cursor.stretch - 1));
  }
  const c::Expr offset = out.expressions.expr(cursor.offset);
  const auto moved = [&](const c::Expr& stored) {
    if (cursor.reversed) return minus(offset, stored);
    return is_zero(offset) ? stored : plus(w.facts.wide ? stored : in_64_bits(stored), offset);
  };
  c::Expr low = moved(cursor.reversed ? last : first), high = moved(cursor.reversed ? first : last);
  if (cursor.stride == 1) return {low, high};
  const c::Expr stride = c::number(cursor.stride);
  const std::string divide = out.prelude.use(Helper::floor_div);
  return {c::call(divide, {plus(low, c::number(cursor.stride - 1)), stride}), c::call(divide, {high, stride})};
}

void bind_region(Context& out, CCursor& w, const Coiterate& loop, bool may_be_over) {
  const bool down = loop.direction == Loop::Direction::down, full = w.cursor->full;
  auto [low, high] = region_of(out, w);
  if (may_be_over && !full) {
    out.prelude.use_limits();
    const c::Expr nowhere = c::token(down ? "INT64_MIN" : "INT64_MAX");
    low = choose(alive(w), low, nowhere);
    high = choose(alive(w), high, nowhere);
  }
  const bool point = w.facts.points() && w.cursor->stretch == 1 && w.cursor->stride == 1;
  const std::string name = loop.variable + "." + w.cursor->tensor;
  w.low = w.high = "";
  if (!full || down) out.add(constant(w.low = out.bind(point ? name : name + "'first"), low));
  if (point) w.high = w.low;
  else if (!full || !down) out.add(constant(w.high = out.bind(name + "'last"), high));
}

c::Expr reaches(const CCursor& w, const std::string& coordinate, bool down) {
  if (w.cursor->full) return c::number(1);
  return down ? c::binary(">=", c::token(w.high), c::token(coordinate))
              : c::binary("<=", c::token(w.low), c::token(coordinate));
}

void skip_to(Context& out, const CCursor& w, const Coiterate& loop, const c::Expr& next) {
  const bool down = loop.direction == Loop::Direction::down;
  auto [low, high] = region_of(out, w);
  c::Expr passed = down ? c::binary(">", low, next) : c::binary("<", high, next);
  if (w.cursor->stride > 1) passed = c::binary("||", passed, c::binary(">", low, high));
  move_while(out, w, passed);
}

}  // namespace trellis::emit
