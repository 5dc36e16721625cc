#include "engine/emit/coiterate.hpp"

#include "engine/emit/ahead.hpp"
#include "engine/emit/assign.hpp"
#include "engine/emit/count_then_fill.hpp"
#include "engine/emit/deal_out.hpp"
#include "engine/emit/loop.hpp"
#include "engine/emit/merge.hpp"
#include "engine/emit/product.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/flow/marks.hpp"

namespace trellis::emit {

using flow::Coiterate;
using flow::Cursor;
using flow::Loop;

namespace {

/// The bound that every iteration asks, as a variable of the name, where it is not simple.
c::Expr asked_bound(Context& out, const c::Expr& bound, const std::string& name) {
  if (bound.as<c::Token>() || bound.as<c::Index>()) return bound;
  const std::string local = out.bind(name);
  out.add(constant(local, bound));
  return c::token(local);
}

/// Of a walk of what grows: some may have come ahead meanwhile.
std::string next_step(Context& out, const CCursor& w) {
  const std::string behind = w.at + (w.backward ? " - 1" : " + 1");
  return w.at + " = " + out.prelude.use_set_nearest(w.backward) + "(" + w.set + ", " + w.size + ", " + behind + ")";
}

/// The head of a walk that is carried and unrolled. What it declares is the end; the position is declared outside.
c::For unrolled_for(Context& out, const CCursor& w, const c::Expr& last, const c::Stmt& body) {
  const std::string end = out.bind(w.cursor->name + "'end"), unsure = out.prelude.use(Helper::unsure);
  out.add(c::stmt(c::Pragma{"GCC unroll at_once"}));
  return {end, last, c::binary("<", c::token(w.at), c::token(end)), w.at + "++, " + unsure + "(" + end + ")", body};
}

/// A walk that is left early, and asks before each block of entries. Whole blocks come first: a compiler writes loops
/// out that it knows the length of, and rows that are shorter have none of them.
void walk_in_blocks(Context& out, const Coiterate& loop, const CCursor& w, const c::Expr& end, const c::Stmt& body,
                    const text::Origin& origin) {
  const std::string block = out.bind(w.cursor->name + "'block");
  const c::Expr at = c::token(block), size = c::number(loop.asks_every);
  const auto entries_until = [&](const c::Expr& stop) {
    out.open();
    out.add(c::stmt(c::For{w.at, at, c::binary("<", c::token(w.at), stop), w.at + "++", body}, origin));
    return out.close();
  };
  const c::Expr whole = going_on(out, c::binary(">=", minus(end, at), size), loop.unless);
  const c::Expr some = going_on(out, c::binary("<", at, end), loop.unless);
  out.add(variable(block, w.first));
  const std::string on = block + " += " + std::to_string(loop.asks_every);
  out.add(c::stmt(c::For{block, {}, whole, on, entries_until(sum(at, size))}, origin));
  out.add(c::stmt(c::If{some, entries_until(end), {}}));
}

/// Of a row that several threads share, this part's.
void cut_to_share(Context& out, CCursor& w) {
  const c::Expr first = w.first, last = w.last;
  const auto bounded = [&](const char* what, const c::Expr& own, const char* beyond, const c::Expr& share) {
    const std::string name = out.bind(w.cursor->name + what);
    out.add(constant(name, choose(c::binary(beyond, own, share), share, own)));
    return c::token(name);
  };
  w.first = bounded("'first", first, "<", out.share->from);
  w.last = bounded("'stop", last, ">", out.share->to);
}

}  // namespace

void Coiterations::coiterate(const Coiterate& loop, const text::Origin& origin, bool last) {
  if (!last) out_.open();
  const auto* segment = loop.carried ? loop.cursors[0].parent.as<flow::At>() : nullptr;
  if (segment && segment->several) {
    along_segment(loop, arms_.walk(segment->name), origin);
  } else {
    std::vector<CCursor> walks;
    for (const Cursor& cursor : loop.cursors) walks.push_back(open_cursor(out_, cursor, loop));
    go_through(loop, walks, origin);
  }
  for (const Cursor& cursor : loop.cursors) arms_.forget(cursor);
  if (!last) out_.close_plain();
}

void Coiterations::go_through(const Coiterate& loop, std::vector<CCursor>& walks, const text::Origin& origin) {
  const auto& points = loop.points;
  const bool regions = loop.by_regions();
  const bool alone = points.size() == 1 && points[0].leads.size() == 1 && walks.size() == 1 && !walks[0].several;
  for (CCursor& w : walks) {
    const std::string& name = w.cursor->name;
    w.at = loop.carried ? out_.names.variable(name) : out_.bind(name + (w.computed ? "'at" : ""));
    if (!alone || regions) w.end = out_.bind(name + (w.several ? "'stop" : "'end"));
  }
  if (regions) return regions_.walk(loop, walks, origin);
  if (alone) return single(loop, points[0], walks[0], enter(out_, points[0], origin));
  for (const CCursor& w : walks) declare_cursor(out_, w);
  for (const Point& point : points) {
    const text::Origin at_point = enter(out_, point, origin);
    if (point.leads.empty())
      carrying(out_, loop.carries, c::number(0), [&] { visit_all(loop, point, walks, at_point); });
    else Merge(out_, arms_, body_, loop, point, walks).emit(at_point);
  }
}

// Around the body { const int64_t j = A_crd[pA]; … } stands one of these heads, as the fields say that passes have set:
//
//   for (int64_t pA = A_pos[i]; pA < A_pos[i + 1]; pA++)                      a walk by itself
//   for (; pA < A_pos[i + 1]; pA++)                                           loop.carried (flow/carry_positions)
//   for (int64_t pA_end = A_pos[i + 1]; pA < pA_end; pA++, unsure(pA_end))    loop.unroll (flow/unroll_walks)
//   for (int64_t pA = pA_block; pA < pA_block + 8; pA++)                      loop.asks_every (flow/ask_in_blocks)
void Coiterations::single(const Coiterate& loop, const Point& point, CCursor& w, const text::Origin& origin) {
  if (out_.share && out_.share->tensor == w.cursor->tensor && out_.share->level == w.cursor->level)
    cut_to_share(out_, w);
  if (loop.execution == Loop::Execution::parallel && !threads_.inside()) return on_threads(loop, w, origin);
  const c::Expr end =
      asked_bound(out_, w.backward ? w.first : w.last, w.cursor->name + (w.backward ? "'begin" : "'end"));
  if (loop.in_pairs) return in_pairs(loop, point, w, end, origin);
  stream(out_, loop, w);
  carrying(out_, loop.carries, w.first, [&] {
    out_.open();
    at_entry(loop, w);
    if (loop.ahead) fetch_ahead(out_, *loop.ahead, w);
    body_(point.body, true);
    const c::Stmt body = out_.close();
    if (loop.unroll > 1) return out_.add(c::stmt(unrolled_for(out_, w, end, body), origin));
    if (loop.asks_every > 1) return walk_in_blocks(out_, loop, w, end, body, origin);
    std::optional<c::Expr> first;
    if (!loop.carried) first = w.backward ? minus(w.last, c::number(1)) : w.first;
    if (w.live) first = nearest(out_, w, *first);
    const std::string step = w.live ? next_step(out_, w) : w.at + (w.backward ? "--" : "++");
    const c::Expr more = going_on(out_, c::binary(w.backward ? ">=" : "<", c::token(w.at), end), loop.unless);
    out_.add(c::stmt(c::For{w.at, first, more, step, body}, origin));
  });
}

std::string Coiterations::at_entry(const Coiterate& loop, CCursor& w) {
  catch_up(out_, w);
  if (w.cursor->leaves_digits_out()) out_.add(continue_if(has_no_key(out_, w)));
  if (c::Expr skipped = left_out(out_, w)) out_.add(continue_if(skipped));
  const std::string i = out_.bind(loop.variable);
  out_.add(constant(i, entry_coordinate(out_, w, c::token(w.at))));
  if (c::Expr outside = beyond(out_, w, loop, i)) out_.add(continue_if(outside));
  w.here = c::number(1);
  arms_.place(w);
  return i;
}

void Coiterations::on_threads(const Coiterate& loop, CCursor& w, const text::Origin& origin) {
  if (loop.counting) return count_then_fill(loop, w, origin);
  const flow::Stmt& body = loop.points[0].body;
  const c::Expr end =
      asked_bound(out_, w.backward ? w.first : w.last, w.cursor->name + (w.backward ? "'begin" : "'end"));
  const Threads::Work work{loop.variable, loop.partials, body, false, minus(w.last, w.first), loop};
  const auto entries = [&](const c::Expr& first, const c::Expr& more, const std::function<void()>& begin) {
    out_.open();
    begin();
    at_entry(loop, w);
    if (loop.ahead) fetch_ahead(out_, *loop.ahead, w);
    body_(body, true);
    if (!loop.merge_path) threads_.end_iteration(true);
    out_.add(c::stmt(c::For{w.at, first, more, w.at + (w.backward ? "--" : "++"), out_.close()}, origin));
  };
  if (loop.merge_path)
    return deal_out(out_, threads_, *loop.merge_path, work, w.last,
                    [&](const PartOfRows& rows) { entries(rows.first, rows.more(w.at), [&] { rows.begin(w.at); }); });
  stream(out_, loop, w);
  threads_.run(work, [&] {
    entries(w.backward ? minus(w.last, c::number(1)) : w.first, c::binary(w.backward ? ">=" : "<", c::token(w.at), end),
            [&] { threads_.begin_iteration(true); });
  });
}

// As of a loop over all coordinates (Loops::count_then_fill): those without an entry count nothing.
void Coiterations::count_then_fill(const Coiterate& loop, CCursor& w, const text::Origin& origin) {
  const flow::Stmt& body = loop.points[0].body;
  const c::Expr high = bound(out_, loop.high, loop.variable + "'end");
  const c::Expr end = asked_bound(out_, w.last, w.cursor->name + "'end");
  out_.open();
  const std::string empty = out_.bind(loop.variable);
  for (const flow::Tensor* tensor : appended_in(out_.flow, body)) counts_.count_nothing(*tensor, c::token(empty));
  const c::Stmt none = out_.close();
  out_.add(c::stmt(c::For{empty, c::number(0), c::binary("<", c::token(empty), high), empty + "++", none}, origin));
  const CountedLoop counted{
      {loop.variable, loop.partials, body, false, minus(w.last, w.first), loop}, *loop.counting, c::number(0), high};
  emit::count_then_fill(out_, threads_, counts_, body_, counted, [&](const AtCoordinate& inside) {
    out_.open();
    threads_.begin_iteration(true);
    inside(at_entry(loop, w));
    threads_.end_iteration(true);
    const c::Stmt each = out_.close();
    out_.add(c::stmt(c::For{w.at, w.first, c::binary("<", c::token(w.at), end), w.at + "++", each}, origin));
  });
}

// for (; pF + 1 < pF_end; pF += 2) { … both entries are read, and updated … }   loop.in_pairs (flow/update_in_pairs)
// for (; pF < pF_end; pF++) …
void Coiterations::in_pairs(const Coiterate& loop, const Point& point, CCursor& w, const c::Expr& end,
                            const text::Origin& origin) {
  out_.add(variable(w.at, w.first));
  out_.open();
  std::vector<c::Stmt> updates;
  for (const int behind : {0, 1}) {
    std::string at = w.at;
    if (behind > 0) {
      at = out_.bind(w.cursor->name);
      out_.add(constant(at, plus(c::token(w.at), c::number(1))));
    }
    const std::string i = out_.bind(loop.variable);
    out_.add(constant(i, entry_coordinate(out_, w, c::token(at))));
    for (const flow::Assign& a : flow::updates_apart(out_.flow, loop)) {
      const std::string after = out_.bind(a.tensor + "'after");
      const std::string type = "const " + std::string(format::c_name(a.value->type));
      out_.add(c::stmt(c::Declaration{type, after, {}, without_cast(updated(out_, a), a.value->type)}));
      updates.push_back(assign_to(out_.expressions.element(a.tensor, a.position), "=", c::token(after)));
    }
  }
  for (const c::Stmt& update : updates) out_.add(update);
  const c::Stmt both = out_.close();
  const c::Expr two = c::binary("<", plus(c::token(w.at), c::number(1)), end);
  out_.add(c::stmt(c::For{w.at, {}, two, w.at + " += 2", both}, origin));
  out_.open();
  const std::string i = out_.bind(loop.variable);
  out_.add(constant(i, entry_coordinate(out_, w, c::token(w.at))));
  w.here = c::number(1);
  arms_.place(w);
  body_(point.body, true);
  const c::Stmt one = out_.close();
  out_.add(c::stmt(c::For{w.at, {}, c::binary("<", c::token(w.at), end), w.at + "++", one}, origin));
}

// int64_t pE = pE1; for (; pE < pE1_end && E1_crd[pE] == i; pE++) …; pE1 = pE;        (flow/carry_segments)
void Coiterations::along_segment(const Coiterate& loop, const CCursor& outer, const text::Origin& origin) {
  CCursor w = c_cursor_of(out_, loop.cursors[0], loop);
  w.at = out_.bind(w.cursor->name);
  out_.add(variable(w.at, c::token(outer.at)));
  const text::Origin at_point = enter(out_, loop.points[0], origin);
  out_.open();
  const std::string i = out_.bind(loop.variable);
  out_.add(constant(i, entry_coordinate(out_, w, c::token(w.at))));
  w.here = c::number(1);
  arms_.place(w);
  if (loop.ahead) fetch_ahead(out_, *loop.ahead, w);
  body_(loop.points[0].body, true);
  const c::Stmt body = out_.close();
  const c::Expr left = c::binary("<", c::token(w.at), c::token(outer.end));
  const c::Expr more = c::binary("&&", left, stands_at(out_, outer, c::token(w.at), outer.variable));
  out_.add(c::stmt(c::For{w.at, {}, more, w.at + "++", body}, at_point));
  out_.add(set(outer.at, "=", c::token(w.at)));
}

// Every coordinate within the bounds; the cursors only say what is there.
void Coiterations::visit_all(const Coiterate& loop, const Point& point, std::vector<CCursor>& walks,
                             const text::Origin& origin) {
  const bool down = loop.direction == Loop::Direction::down;
  const c::Expr low = bound(out_, loop.low, loop.variable + "'low");
  const c::Expr high = bound(out_, loop.high, loop.variable + "'end");
  out_.open();
  const std::string i = out_.bind(loop.variable);
  for (CCursor& w : walks) {
    w.skips_left_out = false;
    // Past what is left out.
    if (w.cursor->stride > 1) move_while(out_, w, compared(out_, w, c::token(w.at), down ? ">" : "<", i));
    w.here = c::binary("&&", alive(w), stands_at(out_, w, c::token(w.at), i));
    bind_segment(out_, w, i);
    if (w.several) {
      w.here = in_segment(out_, w);
    } else {
      const std::string flag = out_.bind(loop.variable + "'in'" + w.cursor->tensor);
      out_.add(c::stmt(c::Declaration{"const int", flag, {}, w.here}));
      w.here = c::token(flag);
    }
    arms_.place(w);
  }
  body_(point.body, false);
  for (const CCursor& w : walks) step(out_, w, w.several ? c::Expr{} : w.here, i);
  const c::Stmt body = out_.close();
  const c::Expr first = down ? minus(high, c::number(1)) : low;
  const c::Expr within = down ? c::binary(">=", c::token(i), low) : c::binary("<", c::token(i), high);
  const c::Expr more = going_on(out_, within, loop.unless);
  out_.add(c::stmt(c::For{i, first, more, i + (down ? "--" : "++"), body}, origin));
}

}  // namespace trellis::emit
