#include "engine/emit/cursor.hpp"

#include "engine/emit/product.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/emit/workspace.hpp"

namespace trellis::emit {

using format::Array;

namespace {

bool hashed_workspace(const CCursor& w) { return workspace(*w.tensor) && w.facts.locate == format::Locate::hash; }

// Of what a cursor counts.
c::Expr entry_of(const CCursor& w, c::Expr counted) {
  if (w.cursor->stretch == 1 || w.regions) return counted;
  return c::binary("/", std::move(counted), c::number(w.cursor->stretch));
}

// The loop's coordinate times the stride.
c::Expr moved_coordinate(Context& out, const CCursor& w, c::Expr counted) {
  const flow::Cursor& cursor = *w.cursor;
  c::Expr stored = stored_coordinate(out, w, entry_of(w, counted));
  if (cursor.stretch > 1) {
    c::Expr which = c::binary("%", counted, c::number(cursor.stretch));
    if (falls(w)) which = minus(c::number(cursor.stretch - 1), which);
    stored = plus(times(c::number(cursor.stretch), in_64_bits(stored)), which);
  }
  return moved_stored(out, w, stored);
}

/// The last number of the segment that begins there, times the stride as coordinates are.
c::Expr in_segments_last(const CCursor& w, c::Expr first) {
  return w.cursor->takes_segments() ? plus(std::move(first), c::number(w.cursor->width - 1)) : first;
}

/// The variable that says where the entries end that have one coordinate.
std::string end_of_segment(Context& out, const CCursor& w) {
  return out.names.variable(w.cursor->name + (w.backward ? "'before" : "'end"));
}

}  // namespace

c::Expr moved_stored(Context& out, const CCursor& w, c::Expr stored) {
  const flow::Cursor& cursor = *w.cursor;
  c::Expr offset = out.expressions.expr(cursor.offset);
  if (cursor.reversed) return minus(offset, stored);
  if (is_zero(offset)) return stored;
  const bool narrow = cursor.stretch == 1 && !w.facts.wide && !cursor.is_product();
  const bool rises = narrow && c::is_plain_literal(offset) && !negated_literal(offset);
  return plus(rises ? in_64_bits(stored) : stored, offset);
}

c::Expr strided(const CCursor& w, const std::string& i) {
  return w.cursor->stride == 1 ? c::token(i) : times(c::number(w.cursor->stride), c::token(i));
}

bool falls(const CCursor& w) { return w.facts.decreasing && !workspace(*w.tensor); }

c::Expr stored_coordinate(Context& out, const CCursor& w, c::Expr entry) {
  if (w.live) return entry;
  if (w.cursor->is_product()) return key(out, w, entry);
  const int level = w.cursor->level;
  const auto part = [&](const char* suffix) { return c::token(workspace_part(out, *w.tensor, level, suffix)); };
  if (w.tensor->listed) return index(part("crd"), entry);
  if (hashed_workspace(w)) return index(part("crd"), index(part("order"), entry));
  if (workspace(*w.tensor)) return index(part("list"), entry);
  return index(out.expressions.array(*w.tensor, level, Array::coordinates), entry);
}

c::Expr entry_coordinate(Context& out, const CCursor& w, c::Expr counted) {
  c::Expr moved = moved_coordinate(out, w, std::move(counted));
  const c::Expr stride = c::number(w.cursor->stride);
  if (w.signs) return c::call(out.prelude.use(Helper::floor_div), {moved, stride});
  return w.cursor->stride == 1 ? moved : c::binary("/", moved, stride);
}

c::Expr compared(Context& out, const CCursor& w, c::Expr counted, const char* op, const std::string& i) {
  c::Expr with = strided(w, i);
  if (std::string_view(op) == ">") with = in_segments_last(w, with);
  return c::binary(op, moved_coordinate(out, w, std::move(counted)), with);
}

c::Expr left_out(Context& out, const CCursor& w) {
  const flow::Cursor& cursor = *w.cursor;
  if (cursor.stride == cursor.width) return {};
  const c::Expr moved = moved_coordinate(out, w, c::token(w.at)), stride = c::number(cursor.stride);
  if (w.signs)
    return c::binary(">=", c::call(out.prelude.use(Helper::floor_mod), {moved, stride}), c::number(cursor.width));
  const c::Expr rest = c::binary("%", moved, stride);
  return cursor.takes_segments() ? c::binary(">=", rest, c::number(cursor.width)) : c::binary("!=", rest, c::number(0));
}

c::Expr stands_at(Context& out, const CCursor& w, c::Expr counted, const std::string& i) {
  if (!w.cursor->takes_segments()) return compared(out, w, std::move(counted), "==", i);
  const bool down = (w.backward != w.facts.decreasing) != w.cursor->reversed;  // the loop
  if (down) return compared(out, w, std::move(counted), ">=", i);
  const c::Expr end = times(c::number(w.cursor->stride), c::token(i));
  return c::binary("<", moved_coordinate(out, w, std::move(counted)), plus(end, c::number(w.cursor->width)));
}

c::Expr position_of(Context& out, const CCursor& w) {
  if (!w.computed) return c::token(w.at);
  if (w.several) return plus(c::token(out.names.variable(w.cursor->name + "'before")), c::number(1));
  const c::Expr entry = entry_of(w, c::token(w.at));
  if (w.facts.child == format::Child::product) {
    c::Expr parent = out.expressions.offset(w.cursor->parent);
    c::Expr stored = stored_coordinate(out, w, entry);
    c::Expr size = out.expressions.size(*w.tensor, w.cursor->level);
    return is_zero(parent) ? stored : plus(times(parent, size), stored);
  }
  if (!hashed_workspace(w) || w.tensor->listed) return entry;
  return index(c::token(workspace_part(out, *w.tensor, w.cursor->level, "order")), entry);
}

bool binds(const CCursor& w) {
  return w.computed || (w.facts.region == format::Region::block && !workspace(*w.tensor));
}

void bind_position(Context& out, const CCursor& w) {
  if (w.computed) {
    const c::Expr position = position_of(out, w);
    return out.add(constant(out.bind(w.cursor->name), position));
  }
  if (!binds(w)) return;
  const std::string base = out.bind(w.cursor->name + "'base");
  out.add(constant(base, out.expressions.block_base(*w.tensor, w.cursor->level, c::token(w.at))));
  out.expressions.know_base(w.cursor->name, base);
}

c::Expr alive(const CCursor& w) { return c::binary(w.backward ? ">=" : "<", c::token(w.at), c::token(w.end)); }

void move_while(Context& out, const CCursor& w, c::Expr condition) {
  out.open();
  out.add(set(w.at, w.backward ? "-=" : "+=", c::number(1)));
  catch_up(out, w);
  const c::Stmt body = out.close();
  out.add(c::stmt(c::While{c::binary("&&", alive(w), std::move(condition)), body}));
}

c::Expr nearest(Context& out, const CCursor& w, c::Expr coordinate) {
  return c::call(out.prelude.use_set_nearest(w.backward), {c::token(w.set), c::token(w.size), std::move(coordinate)});
}

c::Expr next(Context& out, const CCursor& w, c::Expr coordinate) {
  return nearest(out, w,
                 w.backward ? minus(std::move(coordinate), c::number(1)) : plus(std::move(coordinate), c::number(1)));
}

void step(Context& out, const CCursor& w, c::Expr here, const std::string& i) {
  if (w.live) {
    out.add(set(w.at, "=", next(out, w, c::token(i.empty() ? w.at : i))));  // wherever it is: some may have come
  } else if (w.several && !w.along) {
    const c::Stmt move = set(w.at, "=", c::token(end_of_segment(out, w)));
    out.add(here ? c::stmt(c::If{here, c::stmt(c::Block{{move}}), {}}) : move);
  } else if (!w.along) {
    out.add(set(w.at, w.backward ? "-=" : "+=", here ? here : c::number(1)));
    catch_up(out, w);
  }
  if (w.skips_left_out) move_while(out, w, left_out(out, w));
}

void bind_segment(Context& out, const CCursor& w, const std::string& i) {
  if (!w.several) return;
  const std::string end = out.bind(w.cursor->name + (w.backward ? "'before" : "'end"));
  out.add(variable(end, c::token(w.at)));
  if (w.backward) out.add(constant(out.bind(w.cursor->name + "'end"), plus(c::token(w.at), c::number(1))));
  const c::Expr left = c::binary(w.backward ? ">=" : "<", c::token(end), c::token(w.end));
  const c::Expr more = c::binary("&&", left, stands_at(out, w, c::token(end), i));
  const c::Stmt move = set(end, w.backward ? "-=" : "+=", c::number(1));
  out.add(c::stmt(c::While{more, c::stmt(c::Block{{move}})}));
}

c::Expr in_segment(Context& out, const CCursor& w) {
  return c::binary(w.backward ? "<" : ">", c::token(end_of_segment(out, w)), c::token(w.at));
}

}  // namespace trellis::emit
