// Where a cursor stands: the loop's coordinate of the entry that it is at, which entries lie within the loop, and how it moves on.
//
// A stretched entry is at several coordinates: its cursor counts each of them, `pA / 2` is the entry and `pA % 2` which one it is. A
// slice leaves entries out: a cursor that leads moves past them.

#include "engine/emit/shorthand.hpp"
#include "engine/emit/statement.hpp"

namespace trellis::emit {

using flow::Coiterate;
using format::Array;

// Of what a cursor counts.
c::Expr Statements::entry_of(const Walk& w, c::Expr counted) const {
  return w.cursor->stretch == 1 || w.regions ? counted
                                             : c::binary("/", std::move(counted), c::number(w.cursor->stretch));
}

c::Expr Statements::stored_coordinate(const Walk& w, c::Expr entry) {
  if (workspace(*w.tensor)) {
    if (w.facts.locate == format::Locate::hash)
      return index(c::token(workspace_part(out_, *w.tensor, w.cursor->level, "crd")), index(c::token(workspace_part(out_, *w.tensor, w.cursor->level, "order")), entry));
    return index(c::token(workspace_part(out_, *w.tensor, w.cursor->level, "list")), entry);
  }
  return index(out_.expressions.array(*w.tensor, w.cursor->level, Array::coordinates), entry);
}

// The loop's coordinate times the stride.
c::Expr Statements::moved_coordinate(const Walk& w, c::Expr counted) {
  const flow::Cursor& cursor = *w.cursor;
  c::Expr stored = stored_coordinate(w, entry_of(w, counted));
  if (cursor.stretch > 1) {
    c::Expr which = c::binary("%", counted, c::number(cursor.stretch));
    if (falls(w)) which = minus(c::number(cursor.stretch - 1), which);
    stored = plus(times(c::number(cursor.stretch), in_64_bits(stored)), which);
  }
  c::Expr offset = out_.expressions.expr(cursor.offset);
  if (cursor.reversed) return minus(offset, stored);
  if (is_zero(offset)) return stored;
  const bool rises = cursor.stretch == 1 && !w.facts.wide && c::is_plain_literal(offset) && !negated_literal(offset);
  return plus(rises ? in_64_bits(stored) : stored, offset);
}

c::Expr Statements::entry_coordinate(const Walk& w, c::Expr counted) {
  c::Expr moved = moved_coordinate(w, std::move(counted));
  return w.cursor->stride == 1 ? moved : c::binary("/", moved, c::number(w.cursor->stride));
}

c::Expr Statements::compared(const Walk& w, c::Expr counted, const char* op, const std::string& i) {
  const std::int64_t stride = w.cursor->stride;
  return c::binary(op, moved_coordinate(w, std::move(counted)), stride == 1 ? c::token(i) : times(c::number(stride), c::token(i)));
}

// Whether the loop has no coordinate for what the cursor is at; nothing where it cannot happen.
c::Expr Statements::left_out(const Walk& w) {
  if (w.cursor->stride == 1) return {};
  return c::binary("!=", c::binary("%", moved_coordinate(w, c::token(w.at)), c::number(w.cursor->stride)), c::number(0));
}

/// Do stored coordinates fall?
bool Statements::falls(const Walk& w) const { return w.facts.decreasing && !workspace(*w.tensor); }

// Stored coordinates from the first to before the second are within the loop's bounds.
std::pair<c::Expr, c::Expr> Statements::stored_bounds(const Walk& w, const Coiterate& loop) {
  const flow::Cursor& cursor = *w.cursor;
  c::Expr low = out_.expressions.expr(loop.low), high = out_.expressions.expr(loop.high), offset = out_.expressions.expr(cursor.offset);
  const auto shifted = [&](c::Expr bound) { return is_zero(offset) ? bound : minus(bound, offset); };
  const auto times_stride = [&](c::Expr coordinate) {
    return is_zero(coordinate) ? coordinate : times(c::number(cursor.stride), coordinate);
  };
  c::Expr from, to;
  if (cursor.stride == 1) {
    from = cursor.reversed ? plus(minus(offset, high), c::number(1)) : shifted(low);
    to = cursor.reversed ? plus(minus(offset, low), c::number(1)) : shifted(high);
  } else {
    const c::Expr least = times_stride(low), most = times_stride(minus(high, c::number(1)));
    from = cursor.reversed ? minus(offset, most) : shifted(least);
    to = plus(cursor.reversed ? minus(offset, least) : shifted(most), c::number(1));
  }
  if (cursor.stretch == 1) return {from, to};
  const auto entry = [&](c::Expr coordinate) {
    if (is_zero(coordinate)) return coordinate;
    return c::call(out_.prelude.use(Helper::floor_div), {coordinate, c::number(cursor.stretch)});
  };
  return {entry(from), plus(entry(minus(to, c::number(1))), c::number(1))};
}

// The first entry that is not before the coordinate, by bisection.
c::Expr Statements::seek(const Walk& w, c::Expr first, c::Expr last, c::Expr coordinate) {
  const flow::Cursor& cursor = *w.cursor;
  const bool hashed = workspace(*w.tensor) && w.facts.locate == format::Locate::hash;
  std::vector<c::Expr> arguments;
  if (hashed)
    arguments = {c::token(workspace_part(out_, *w.tensor, cursor.level, "crd")), c::token(workspace_part(out_, *w.tensor, cursor.level, "order"))};
  else if (workspace(*w.tensor)) arguments = {c::token(workspace_part(out_, *w.tensor, cursor.level, "list"))};
  else arguments = {out_.expressions.array(*w.tensor, cursor.level, Array::coordinates)};
  arguments.insert(arguments.end(), {std::move(first), std::move(last), std::move(coordinate)});
  return c::call(hashed ? out_.prelude.use_seek_entry() : out_.prelude.use_seek(w.facts.wide, w.facts.decreasing), arguments);
}

// Only what lies within the loop's bounds: found by bisection.
void Statements::clip(Walk& w, const Coiterate& loop) {
  const flow::Cursor& cursor = *w.cursor;
  const auto [from, to] = stored_bounds(w, loop);
  const std::string begin = out_.bind(cursor.name + "_begin");
  out_.add(constant(begin, w.first));
  const std::string stop = out_.bind(cursor.name + "_stop");
  out_.add(constant(stop, w.last));
  const c::Expr first = c::token(begin), last = c::token(stop);
  const bool below = cursor.reversed ? cursor.above : cursor.below, above = cursor.reversed ? cursor.below : cursor.above;
  const bool before = falls(w) ? above : below, behind = falls(w) ? below : above;
  w.first = before ? seek(w, first, last, falls(w) ? to : from) : first;
  w.last = behind ? seek(w, first, last, falls(w) ? from : to) : last;
  if (cursor.stretch > 1) trim(w, loop, before, behind);
}

// Of what the first and the last entry are at, some may lie outside.
void Statements::trim(Walk& w, const Coiterate& loop, bool before, bool behind) {
  const c::Expr stretch = c::number(w.cursor->stretch);
  const std::string first = out_.bind(w.cursor->name + "_first"), last = out_.bind(w.cursor->name + "_last");
  out_.add(variable(first, times(w.first, stretch)));
  out_.add(variable(last, times(w.last, stretch)));
  const bool rises = w.cursor->reversed == falls(w);
  const auto outside = [&](c::Expr counted, bool under) {
    c::Expr coordinate = entry_coordinate(w, std::move(counted));
    return under ? c::binary("<", coordinate, out_.expressions.expr(loop.low)) : c::binary(">=", coordinate, out_.expressions.expr(loop.high));
  };
  const c::Expr more = c::binary("<", c::token(first), c::token(last));
  if (before) out_.add(c::stmt(c::While{c::binary("&&", more, outside(c::token(first), rises)), c::stmt(c::Block{{set(first, "+=", c::number(1))}})}));
  if (behind) out_.add(c::stmt(c::While{c::binary("&&", more, outside(minus(c::token(last), c::number(1)), !rises)), c::stmt(c::Block{{set(last, "-=", c::number(1))}})}));
  w.first = c::token(first);
  w.last = c::token(last);
}

// Whether an entry's coordinate is not within the loop's bounds, where its order does not say so; nothing where it cannot happen.
c::Expr Statements::beyond(const Walk& w, const Coiterate& loop, const std::string& i) {
  if (w.facts.ordered || !(w.cursor->below || w.cursor->above)) return {};
  return c::binary("||", c::binary("<", c::token(i), out_.expressions.expr(loop.low)), c::binary(">=", c::token(i), out_.expressions.expr(loop.high)));
}

// Where the element below the entry is.
c::Expr Statements::position_of(const Walk& w) {
  if (!w.computed) return c::token(w.at);
  if (w.several) return plus(c::token(out_.names.variable(w.cursor->name + "_before")), c::number(1));
  const c::Expr entry = entry_of(w, c::token(w.at));
  if (w.facts.child == format::Child::product) {
    c::Expr parent = out_.expressions.offset(w.cursor->parent);
    c::Expr stored = stored_coordinate(w, entry);
    c::Expr size = out_.expressions.expr(w.tensor->levels[static_cast<std::size_t>(w.cursor->level)].size);
    return is_zero(parent) ? stored : plus(times(parent, size), stored);
  }
  return workspace(*w.tensor) && w.facts.locate == format::Locate::hash ? index(c::token(workspace_part(out_, *w.tensor, w.cursor->level, "order")), entry) : entry;
}

// Does the body name something else than the entry?
bool Statements::binds(const Walk& w) const {
  return w.computed || (w.facts.region == format::Region::block && !workspace(*w.tensor));
}

// Declares the position that the body names, where it is not simply the entry; of a block, where its children are.
void Statements::bind_position(const Walk& w) {
  if (binds(w) && !w.computed) {
    const std::string base = out_.bind(w.cursor->name + "_base");
    out_.add(constant(base, out_.expressions.block_base(*w.tensor, w.cursor->level, c::token(w.at))));
    out_.expressions.know_base(w.cursor->name, base);
  }
  if (!w.computed) return;
  c::Expr position = position_of(w);
  out_.add(constant(out_.bind(w.cursor->name), position));
}

// Where coordinates may repeat: all entries that have the one of the next entry, if that is `i`.
void Statements::segment(const Walk& w, const std::string& i) {
  if (!w.several) return;
  if (w.backward) {
    const std::string before = out_.bind(w.cursor->name + "_before");
    out_.add(variable(before, c::token(w.at)));
    out_.add(constant(out_.bind(w.cursor->name + "_end"), plus(c::token(w.at), c::number(1))));
    c::Expr more = c::binary("&&", c::binary(">=", c::token(before), c::token(w.end)), compared(w, c::token(before), "==", i));
    out_.add(c::stmt(c::While{more, c::stmt(c::Block{{set(before, "-=", c::number(1))}})}));
    return;
  }
  const std::string end = out_.bind(w.cursor->name + "_end");
  out_.add(variable(end, c::token(w.at)));
  c::Expr more = c::binary("&&", c::binary("<", c::token(end), c::token(w.end)), compared(w, c::token(end), "==", i));
  out_.add(c::stmt(c::While{more, c::stmt(c::Block{{set(end, "+=", c::number(1))}})}));
}

// While the condition holds and there is something left.
void Statements::move_while(const Walk& w, c::Expr condition) {
  c::Stmt move = set(w.at, w.backward ? "-=" : "+=", c::number(1));
  out_.add(c::stmt(c::While{c::binary("&&", alive(w), std::move(condition)), c::stmt(c::Block{{move}})}));
}

// Behind the loop's coordinate. `here` is a condition, or nothing when it holds anyway.
void Statements::step(const Walk& w, c::Expr here) {
  if (w.several) {
    c::Stmt move = set(w.at, "=", c::token(out_.names.variable(w.cursor->name + (w.backward ? "_before" : "_end"))));
    out_.add(here ? c::stmt(c::If{here, c::stmt(c::Block{{move}}), {}}) : move);
  } else {
    out_.add(set(w.at, w.backward ? "-=" : "+=", here ? here : c::number(1)));
  }
  if (w.settles) move_while(w, left_out(w));
}

// `here(cursor)`: the position, or -1.
c::Expr Statements::position_here(const flow::Here& here) {
  const Walk& w = walks_.at(here.cursor);
  return c::expr(c::Conditional{w.here, position_of(w), c::number(-1)});
}

}  // namespace trellis::emit
