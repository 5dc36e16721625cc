// Which of a fiber's entries a cursor goes through: all of them, or those within the loop's bounds, found by bisection.

#include <tuple>

#include "engine/emit/cursor.hpp"
#include "engine/emit/locate.hpp"
#include "engine/emit/product.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/emit/workspace.hpp"

namespace trellis::emit {

using flow::Coiterate;
using format::Array;

namespace {

/// May there be entries in front of, and behind, those within the bounds, in the order in which they are stored?
struct Outside {
  bool before, behind;
};
Outside outside_of(const flow::Cursor& cursor, bool falling) {
  const bool turned = cursor.reversed != falling;
  return {turned ? cursor.above : cursor.below, turned ? cursor.below : cursor.above};
}

// Coordinates come in the order in which they were inserted.
void sort_list(Context& out, const CCursor& w) {
  const flow::Cursor& cursor = *w.cursor;
  c::Expr p = out.expressions.offset(cursor.parent);
  c::Expr size = out.expressions.size(*w.tensor, cursor.level);
  c::Expr list = c::token(workspace_part(out, *w.tensor, cursor.level, "list"));
  c::Expr count = c::token(workspace_part(out, *w.tensor, cursor.level, "count"));
  if (cursor.level > 0) {
    list = plus(list, times(p, size));
    count = index(count, p);
  }
  const c::Stmt sort = c::stmt(c::Evaluate{c::call(out.prelude.use_sort(w.facts.wide), {list, count})});
  if (!cursor.exists) return out.add(sort);
  out.add(c::stmt(c::If{out.expressions.expr(*cursor.exists), c::stmt(c::Block{{sort}}), {}}));
}

// Of what the first and the last entry are at, some may lie outside.
void trim(Context& out, CCursor& w, const Coiterate& loop, Outside outside) {
  const c::Expr stretch = c::number(w.cursor->stretch);
  const std::string first = out.bind(w.cursor->name + "'first"), last = out.bind(w.cursor->name + "'last");
  out.add(variable(first, times(w.first, stretch)));
  out.add(variable(last, times(w.last, stretch)));
  const bool rises = w.cursor->reversed == falls(w);
  const c::Expr some = c::binary("<", c::token(first), c::token(last));
  const auto move = [&](const std::string& end, const char* op, c::Expr counted, bool under) {
    const c::Expr coordinate = entry_coordinate(out, w, std::move(counted));
    const c::Expr is_outside = under ? c::binary("<", coordinate, out.expressions.expr(loop.low))
                                     : c::binary(">=", coordinate, out.expressions.expr(loop.high));
    const c::Stmt on = c::stmt(c::Block{{set(end, op, c::number(1))}});
    out.add(c::stmt(c::While{c::binary("&&", some, is_outside), on}));
  };
  if (outside.before) move(first, "+=", c::token(first), rises);
  if (outside.behind) move(last, "-=", minus(c::token(last), c::number(1)), !rises);
  w.first = c::token(first);
  w.last = c::token(last);
}

// From the first to the last entry at coordinates within the bounds, of entries that have one coordinate each.
void seek_both(Context& out, CCursor& w, const std::pair<c::Expr, c::Expr>& bounds, Outside outside) {
  const auto& [from, to] = bounds;
  const c::Expr first = w.first, last = w.last;
  const auto near = [&](const flow::Cursor::Bound& bound) {
    if (bound.there) {
      const c::Expr entry = c::token(out.names.variable(bound.look_up));
      return bound.past ? plus(entry, c::number(1)) : entry;
    }
    const c::Expr at = c::token(out.names.variable(bound.look_up + "'near"));
    if (!bound.past) return at;
    return plus(at, c::binary(">=", c::token(out.names.variable(bound.look_up)), c::number(0)));
  };
  using Likely = Prelude::Likely;
  if (w.cursor->from) w.first = near(*w.cursor->from);
  else if (outside.before) w.first = seek(out, w, first, last, falls(w) ? to : from, Likely::first);
  if (w.cursor->to) w.last = near(*w.cursor->to);
  else if (outside.behind) w.last = seek(out, w, first, last, falls(w) ? from : to, Likely::last);
}

void clip(Context& out, CCursor& w, const Coiterate& loop) {
  const flow::Cursor& cursor = *w.cursor;
  const auto bounds = stored_bounds(out, w, loop);
  const std::string begin = out.bind(cursor.name + "'begin");
  out.add(constant(begin, w.first));
  const std::string stop = out.bind(cursor.name + "'stop");
  out.add(constant(stop, w.last));
  w.first = c::token(begin);
  w.last = c::token(stop);
  const Outside outside = outside_of(cursor, falls(w));
  seek_both(out, w, bounds, outside);
  if (cursor.stretch > 1) trim(out, w, loop, outside);
}

// Entries that may have something to do with the loop's range, and where the first of them is.
void clip_regions(Context& out, CCursor& w, const Coiterate& loop) {
  const flow::Cursor& cursor = *w.cursor;
  w.begin = out.bind(cursor.name + "'begin");
  out.add(constant(w.begin, w.first));
  w.first = c::token(w.begin);
  if (!w.facts.ordered || !(cursor.below || cursor.above)) return;
  const auto bounds = stored_bounds(out, w, loop);
  const std::string stop = out.bind(cursor.name + "'stop");
  out.add(constant(stop, w.last));
  w.last = c::token(stop);
  // Of several entries at one coordinate, behind all.
  if (w.facts.points()) return seek_both(out, w, bounds, outside_of(cursor, falls(w)));
  const Outside outside = outside_of(cursor, false);
  const c::Expr first = w.first, last = w.last;
  if (outside.before) w.first = seek(out, w, first, last, bounds.first);
  if (!outside.behind) return;
  const std::string end = out.bind(cursor.name + "'far");
  out.add(constant(end, seek(out, w, first, last, minus(bounds.second, c::number(1)))));
  w.last = choose(c::binary("<", c::token(end), last), plus(c::token(end), c::number(1)), last);
}

// Its coordinates are those of the loop. Those that are asked for may lie outside of the tensor: there is nothing
// there.
CCursor open_live(Context& out, CCursor w, const Coiterate& loop) {
  const flow::Cursor& cursor = *w.cursor;
  w.live = true;
  w.computed = false;
  w.set = workspace_part(out, *w.tensor, cursor.level, "bits");
  const c::Expr size = out.expressions.size(*w.tensor, cursor.level);
  if (!size.as<c::Token>()) out.add(constant(w.size = out.bind(cursor.name + "'size"), size));
  else w.size = size.as<c::Token>()->text;
  w.first = cursor.below ? out.expressions.expr(loop.low) : c::number(0);
  w.last = cursor.above ? out.expressions.expr(loop.high) : c::token(w.size);
  if (cursor.exists) w.last = choose(out.expressions.expr(*cursor.exists), w.last, w.first);
  return w;
}

}  // namespace

CCursor c_cursor_of(Context& out, const flow::Cursor& cursor, const Coiterate& loop) {
  CCursor w;
  w.cursor = &cursor;
  w.tensor = out.flow.tensor(cursor.tensor);
  w.facts = facts_of(*w.tensor, cursor.level);
  w.several = (!w.facts.unique && !cursor.is_product()) || cursor.takes_segments();
  const auto* low = loop.low.as<flow::Constant>();
  w.signs = cursor.takes_segments() && !(low && low->value.integer >= 0);
  const bool temporary = workspace(*w.tensor);
  w.regions = loop.by_regions() || (!temporary && !w.facts.points());
  w.backward = ((loop.direction == flow::Loop::Direction::down) != cursor.reversed) != w.facts.decreasing;
  w.computed = w.facts.child == format::Child::product || (temporary && w.facts.locate == format::Locate::hash) ||
               (w.several && w.backward) || (cursor.stretch > 1 && !w.regions);
  return w;
}

CCursor open_cursor(Context& out, const flow::Cursor& cursor, const Coiterate& loop) {
  CCursor w = c_cursor_of(out, cursor, loop);
  const bool temporary = workspace(*w.tensor);
  if (w.tensor->live && !w.regions) return open_live(out, std::move(w), loop);
  if (temporary && w.facts.locate == format::Locate::direct && !cursor.unsorted) sort_list(out, w);
  if (cursor.is_product()) {
    open_product(out, w, loop);
    return w;
  }
  std::tie(w.first, w.last) = fiber(out, cursor);
  if (w.regions) {
    clip_regions(out, w, loop);
  } else if ((cursor.below || cursor.above) && w.facts.ordered) {
    clip(out, w, loop);
  } else if (cursor.stretch > 1) {
    w.first = times(in_64_bits(w.first), c::number(cursor.stretch));
    w.last = times(in_64_bits(w.last), c::number(cursor.stretch));
  }
  return w;
}

void declare_cursor(Context& out, const CCursor& w) {
  const c::Expr from = w.backward ? minus(w.last, c::number(1)) : w.first;
  out.add(variable(w.at, w.live ? nearest(out, w, from) : from));
  out.add(constant(w.end, w.backward ? w.first : w.last));
  catch_up(out, w);
}

std::pair<c::Expr, c::Expr> stored_bounds(Context& out, const CCursor& w, const Coiterate& loop) {
  const flow::Cursor& cursor = *w.cursor;
  const c::Expr low = out.expressions.expr(loop.low), high = out.expressions.expr(loop.high);
  const c::Expr offset = out.expressions.expr(cursor.offset);
  const auto shifted = [&](const c::Expr& bound) { return is_zero(offset) ? bound : minus(bound, offset); };
  const auto times_stride = [&](const c::Expr& coordinate) {
    return is_zero(coordinate) ? coordinate : times(c::number(cursor.stride), coordinate);
  };
  c::Expr from, to;
  if (cursor.stride == 1) {
    from = cursor.reversed ? plus(minus(offset, high), c::number(1)) : shifted(low);
    to = cursor.reversed ? plus(minus(offset, low), c::number(1)) : shifted(high);
  } else {
    const c::Expr least = times_stride(low), most = times_stride(minus(high, c::number(1)));
    const c::Expr last = cursor.takes_segments() ? plus(most, c::number(cursor.width - 1)) : most;
    from = cursor.reversed ? minus(offset, last) : shifted(least);
    to = plus(cursor.reversed ? minus(offset, least) : shifted(last), c::number(1));
  }
  if (cursor.stretch == 1) return {from, to};
  const auto entry = [&](const c::Expr& coordinate) {
    if (is_zero(coordinate)) return coordinate;
    return c::call(out.prelude.use(Helper::floor_div), {coordinate, c::number(cursor.stretch)});
  };
  return {entry(from), plus(entry(minus(to, c::number(1))), c::number(1))};
}

c::Expr seek(Context& out, const CCursor& w, c::Expr first, c::Expr last, c::Expr coordinate, Prelude::Likely likely) {
  const int level = w.cursor->level;
  const auto part = [&](const char* suffix) { return c::token(workspace_part(out, *w.tensor, level, suffix)); };
  const bool hashed = workspace(*w.tensor) && w.facts.locate == format::Locate::hash;
  std::vector<c::Expr> arguments;
  if (hashed && !w.tensor->listed) arguments = {part("crd"), part("order")};
  else if (hashed) arguments = {part("crd")};
  else if (workspace(*w.tensor)) arguments = {part("list")};
  else arguments = {out.expressions.array(*w.tensor, level, Array::coordinates)};
  arguments.insert(arguments.end(), {std::move(first), std::move(last), std::move(coordinate)});
  const std::string helper = w.tensor->listed ? out.prelude.use_seek(true, false)
                             : hashed         ? out.prelude.use_seek_entry()
                             : !workspace(*w.tensor) && w.facts.unique && !w.facts.decreasing
                                 ? out.prelude.use_seek(w.facts.wide, likely)
                                 : out.prelude.use_seek(w.facts.wide, w.facts.decreasing);
  return c::call(helper, arguments);
}

c::Expr beyond(Context& out, const CCursor& w, const Coiterate& loop, const std::string& i) {
  if (w.facts.ordered || !(w.cursor->below || w.cursor->above)) return {};
  const c::Expr before = c::binary("<", c::token(i), out.expressions.expr(loop.low));
  return c::binary("||", before, c::binary(">=", c::token(i), out.expressions.expr(loop.high)));
}

}  // namespace trellis::emit
