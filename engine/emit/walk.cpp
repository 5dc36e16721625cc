// Loops over sequences. Where one cursor leads alone the loop is a plain `for` over its entries; where several do, each turn
// stands at the smallest coordinate that any of them is at (the largest, downwards), and those that were there move on.

#include <algorithm>
#include <utility>

#include "engine/emit/region.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/emit/statement.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::emit {

namespace {

using flow::Coiterate;
using flow::Cursor;
using flow::Loop;
using flow::Tensor;
using format::Array;
using format::ScalarType;

/// Does every path through tests of these cursors test all of them?
bool decides(const flow::Stmt& body, std::set<std::string> cursors) {
  const auto* test = body.as<flow::Test>();
  if (!test || !cursors.erase(test->cursor)) return cursors.empty();
  return decides(test->then, cursors) && (test->certain || (test->otherwise && decides(*test->otherwise, cursors)));
}

}  // namespace

void Statements::coiterate(const Coiterate& loop, const text::Origin& origin, bool last) {
  if (!last) out_.open();
  std::vector<Walk> walks;
  for (const Cursor& cursor : loop.cursors) walks.push_back(open_walk(out_, cursor, loop));
  const auto& points = loop.points;
  const bool alone = points.size() == 1 && points[0].leads.size() == 1 && loop.cursors.size() == 1;
  const bool regions = loop.by_regions();
  for (Walk& w : walks) {
    w.at = out_.bind(w.cursor->name + (w.computed ? "_at" : ""));
    if (!(alone && !w.several) || regions) w.end = out_.bind(w.cursor->name + (w.several ? "_stop" : "_end"));
  }
  if (regions) {
    walk_regions(loop, walks, origin);
  } else if (alone && !walks[0].several) {
    single(loop, points[0], walks[0], origin);
  } else {
    for (const Walk& w : walks) declare_walk(out_, w);
    for (const Coiterate::Point& point : points) {
      if (point.leads.empty()) visit_all(loop, point, walks, origin);
      else merge(loop, point, walks, origin);
    }
  }
  for (const Cursor& cursor : loop.cursors) walks_.erase(cursor.name);
  if (!last) out_.close_plain();
}

// for (int64_t pA = A_pos[i]; pA < A_pos[i + 1]; pA++) { const int64_t j = A_crd[pA]; … }
void Statements::single(const Coiterate& loop, const Coiterate::Point& point, Walk& w, const text::Origin& origin) {
  const bool simple = w.last.as<c::Token>() || w.last.as<c::Index>();
  c::Expr last = w.last, first = w.first;
  if (!simple && !w.backward) {
    const std::string end = out_.bind(w.cursor->name + "_end");
    out_.add(constant(end, last));
    last = c::token(end);
  } else if (w.backward && !w.first.as<c::Token>() && !w.first.as<c::Index>()) {
    const std::string begin = out_.bind(w.cursor->name + "_begin");
    out_.add(constant(begin, first));
    first = c::token(begin);
  }
  const bool parallel = loop.execution == Loop::Execution::parallel;
  const auto iterations = [&] {
    out_.open();
    threads_.begin_iteration(parallel);
    if (c::Expr skipped = left_out(out_, w)) out_.add(c::stmt(c::If{skipped, c::stmt(c::Block{{c::stmt(c::Continue{})}}), {}}));
    const std::string i = out_.bind(loop.variable);
    out_.add(constant(i, entry_coordinate(out_, w, c::token(w.at))));
    if (c::Expr outside = beyond(out_, w, loop, i)) out_.add(c::stmt(c::If{outside, c::stmt(c::Block{{c::stmt(c::Continue{})}}), {}}));
    w.here = c::number(1);
    walks_[w.cursor->name] = w;
    const std::size_t here = out_.statements().size();
    stmt(point.body, true);
    fetch_ahead(w, i, here);
    threads_.end_iteration(parallel);
    c::Stmt body = out_.close();
    if (w.backward) {
      c::Expr condition = going_on(out_, c::binary(">=", c::token(w.at), first), loop.unless);
      out_.add(c::stmt(c::For{w.at, minus(w.last, c::number(1)), condition, w.at + "--", body}, origin));
    } else {
      c::Expr condition = going_on(out_, c::binary("<", c::token(w.at), last), loop.unless);
      out_.add(c::stmt(c::For{w.at, w.first, condition, w.at + "++", body}, origin));
    }
  };
  threads_.run_if(parallel, {loop.variable, loop.reduces, point.body}, iterations);
}

// On to the loop's coordinate, or past it.
void Statements::follow(Walk& w, const std::string& i, bool down) {
  if (!w.regions) {
    move_while(out_, w, compared(out_, w, c::token(w.at), down ? ">" : "<", i));
    w.here = c::binary("&&", alive(w), compared(out_, w, c::token(w.at), "==", i));
    return;
  }
  const auto [low, high] = region_of(out_, w);
  move_while(out_, w, down ? c::binary(">", low, c::token(i)) : c::binary("<", high, c::token(i)));
  const c::Expr begun = down ? c::binary(">=", high, c::token(i)) : c::binary("<=", low, c::token(i));
  w.here = w.cursor->full ? c::number(1) : c::binary("&&", alive(w), begun);
}

void Statements::merge(const Coiterate& loop, const Coiterate::Point& point, std::vector<Walk>& walks, const text::Origin& origin) {
  const bool down = loop.direction == Loop::Direction::down;
  const auto holds = [](const std::vector<int>& cursors, std::size_t k) { return contains(cursors, static_cast<int>(k)); };
  const auto leads = [&](std::size_t k) { return holds(point.leads, k); };
  c::Expr condition;
  for (std::size_t k = 0; k < walks.size(); ++k) {
    walks[k].settles = leads(k) && walks[k].cursor->stride > 1;
    if (walks[k].settles) move_while(out_, walks[k], left_out(out_, walks[k]));
  }
  for (const int lead : point.leads) {
    c::Expr one = alive(walks[static_cast<std::size_t>(lead)]);
    condition = condition ? c::binary(point.any ? "||" : "&&", condition, one) : one;
  }
  condition = going_on(out_, condition, loop.unless);
  out_.open();
  const bool one = point.leads.size() == 1;
  c::Expr nearest;
  for (const int lead : point.leads) {
    Walk& w = walks[static_cast<std::size_t>(lead)];
    c::Expr coordinate = entry_coordinate(out_, w, c::token(w.at));
    if (one) {
      w.coordinate.clear();
      nearest = coordinate;
      break;
    }
    w.coordinate = out_.bind(loop.variable + w.cursor->tensor);
    if (point.any) coordinate = c::expr(c::Conditional{alive(w), coordinate, c::token(down ? "INT64_MIN" : "INT64_MAX")});
    if (point.any) out_.prelude.use_limits();
    out_.add(constant(w.coordinate, coordinate));
    c::Expr candidate = c::token(w.coordinate);
    nearest = nearest ? c::expr(c::Conditional{c::binary(down ? ">" : "<", nearest, candidate), nearest, candidate}) : candidate;
    if (!nearest.as<c::Token>() && point.leads.size() > 2 && lead != point.leads.back()) {
      const std::string so_far = out_.bind(loop.variable + "_next");
      out_.add(constant(so_far, nearest));
      nearest = c::token(so_far);
    }
  }
  std::set<std::string> tested;
  for (const int lead : point.leads) tested.insert(walks[static_cast<std::size_t>(lead)].cursor->name);
  const bool in_arms = !one && decides(point.body, tested);
  const bool duel = in_arms && point.leads.size() == 2 && !point.any && point.follows.empty() && std::ranges::none_of(walks, &Walk::several);
  const std::string i = out_.bind(loop.variable);
  if (!duel) out_.add(constant(i, nearest));
  for (std::size_t k = 0; k < walks.size(); ++k) {
    Walk& w = walks[k];
    if (!leads(k) && !holds(point.follows, k)) continue;
    w.both = w.only = {};  // of the point before
    if (duel) {
      const std::string& rival = walks[static_cast<std::size_t>(point.leads[point.leads[0] == static_cast<int>(k)])].coordinate;
      const auto decided = [&](const char* op) { return c::binary(op, c::token(w.coordinate), c::token(rival)); };
      w.here = decided(down ? ">=" : "<=");
      w.both = decided("==");
      w.only = decided(down ? ">" : "<");
      w.variable = i;
    } else if (leads(k)) {
      w.here = w.coordinate.empty() ? c::number(1) : c::binary("==", c::token(w.coordinate), c::token(i));
    } else {
      follow(w, i, down);
    }
    bind_segment(out_, w, i);
    if (c::Expr outside = one && leads(k) ? beyond(out_, w, loop, i) : c::Expr{}) {
      out_.open();
      step(out_, w, {});
      out_.add(c::stmt(c::Continue{}));
      out_.add(c::stmt(c::If{outside, out_.close(), {}}));
    }
    if (w.several && !leads(k)) w.here = in_segment(out_, w);
    walks_[w.cursor->name] = w;
  }
  if (in_arms) decided_.insert(tested.begin(), tested.end());
  stmt(point.body, false);
  for (std::size_t k = 0; k < walks.size() && !in_arms; ++k) {
    if (!leads(k)) continue;
    const Walk& w = walks[k];
    step(out_, w, one ? c::Expr{} : w.here);
  }
  if (in_arms) std::erase_if(decided_, [&](const std::string& name) { return tested.count(name) > 0; });
  c::Stmt body = out_.close();
  out_.add(c::stmt(c::While{condition, body}, origin));
}

// Every coordinate within the bounds; the cursors only say what is there.
void Statements::visit_all(const Coiterate& loop, const Coiterate::Point& point, std::vector<Walk>& walks, const text::Origin& origin) {
  const bool down = loop.direction == Loop::Direction::down;
  c::Expr low = bound(out_, loop.low, loop.variable + "_low"), high = bound(out_, loop.high, loop.variable + "_end");
  out_.open();
  const std::string i = out_.bind(loop.variable);
  std::vector<c::Expr> here;
  for (Walk& w : walks) {
    w.settles = false;
    if (w.cursor->stride > 1) move_while(out_, w, compared(out_, w, c::token(w.at), down ? ">" : "<", i));  // past what is left out
    w.here = c::binary("&&", alive(w), compared(out_, w, c::token(w.at), "==", i));
    bind_segment(out_, w, i);
    if (w.several) {
      w.here = in_segment(out_, w);
    } else {
      const std::string flag = out_.bind(loop.variable + "_in_" + w.cursor->tensor);
      out_.add(c::stmt(c::Declaration{"const int", flag, {}, w.here}));
      w.here = c::token(flag);
    }
    walks_[w.cursor->name] = w;
  }
  stmt(point.body, false);
  for (const Walk& w : walks) step(out_, w, w.several ? c::Expr{} : w.here);
  c::Stmt body = out_.close();
  c::Expr first = down ? minus(high, c::number(1)) : low;
  c::Expr condition = going_on(out_, down ? c::binary(">=", c::token(i), low) : c::binary("<", c::token(i), high), loop.unless);
  out_.add(c::stmt(c::For{i, first, condition, i + (down ? "--" : "++"), body}, origin));
}

}  // namespace trellis::emit
