// Loops over sequences. Where one cursor leads alone the loop is a plain `for` over its entries; where several do, each turn
// stands at the smallest coordinate that any of them is at (the largest, downwards), and those that were there move on.

#include <algorithm>
#include <utility>

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

/// Are the entries counted, whatever their order?
bool only_counts(const Coiterate& loop) {
  const auto* append = loop.points[0].body.as<flow::Append>();
  const bool whole = loop.cursors.size() == 1 && !loop.cursors[0].below && !loop.cursors[0].above;
  return whole && append && append->counted;
}

}  // namespace

Statements::Walk Statements::open_walk(const Cursor& cursor, const Coiterate& loop) {
  Walk w;
  w.cursor = &cursor;
  w.tensor = flow_.tensor(cursor.tensor);
  w.facts = w.tensor->levels[static_cast<std::size_t>(cursor.level)].facts;
  w.several = !w.facts.unique;
  w.regions = loop.by_regions() || (!workspace(*w.tensor) && w.facts.region != format::Region::point);
  w.backward = ((loop.direction == Loop::Direction::down) != cursor.reversed) != w.facts.decreasing;
  w.computed = w.facts.child == format::Child::product ||
               (workspace(*w.tensor) && w.facts.locate == format::Locate::hash) || (w.several && w.backward) ||
               (cursor.stretch > 1 && !w.regions);
  if (workspace(*w.tensor) && w.facts.locate == format::Locate::direct && !only_counts(loop)) {
    // Coordinates come in the order in which they were inserted.
    c::Expr p = expressions_.offset(cursor.parent);
    c::Expr size = expressions_.expr(w.tensor->levels[static_cast<std::size_t>(cursor.level)].size);
    c::Expr list = c::token(part(*w.tensor, cursor.level, "list"));
    c::Expr count = c::token(part(*w.tensor, cursor.level, "count"));
    if (cursor.level > 0) {
      list = plus(list, times(p, size));
      count = index(count, p);
    }
    c::Stmt sort = c::stmt(c::Evaluate{c::call(prelude_.use_sort(w.facts.wide), {list, count})});
    add(cursor.exists ? c::stmt(c::If{expressions_.expr(*cursor.exists), c::stmt(c::Block{{sort}}), {}}) : sort);
  }
  std::tie(w.first, w.last) = fiber(*w.tensor, cursor.level, cursor.parent);
  if (cursor.exists) {
    c::Expr exists = expressions_.expr(*cursor.exists);
    w.first = c::expr(c::Conditional{exists, w.first, c::number(0)});
    w.last = c::expr(c::Conditional{exists, w.last, c::number(0)});
  }
  if (w.regions) {
    open_regions(w, loop);
  } else if ((cursor.below || cursor.above) && w.facts.ordered) {
    clip(w, loop);
  } else if (cursor.stretch > 1) {
    w.first = times(in_64_bits(w.first), c::number(cursor.stretch));
    w.last = times(in_64_bits(w.last), c::number(cursor.stretch));
  }
  return w;
}

void Statements::declare_walk(const Walk& w) {
  add(variable(w.at, w.backward ? minus(w.last, c::number(1)) : w.first));
  add(constant(w.end, w.backward ? w.first : w.last));
}

c::Expr Statements::alive(const Walk& w) const { return c::binary(w.backward ? ">=" : "<", c::token(w.at), c::token(w.end)); }

void Statements::coiterate(const Coiterate& loop, const text::Origin& origin, bool last) {
  if (!last) open();
  std::vector<Walk> walks;
  for (const Cursor& cursor : loop.cursors) walks.push_back(open_walk(cursor, loop));
  const auto& points = loop.points;
  const bool alone = points.size() == 1 && points[0].leads.size() == 1 && loop.cursors.size() == 1;
  const bool regions = loop.by_regions();
  for (Walk& w : walks) {
    w.at = bind(w.cursor->name + (w.computed ? "_at" : ""));
    if (!(alone && !w.several) || regions) w.end = bind(w.cursor->name + (w.several ? "_stop" : "_end"));
  }
  if (regions) {
    walk_regions(loop, walks, origin);
  } else if (alone && !walks[0].several) {
    single(loop, points[0], walks[0], enter(points[0], origin));
  } else {
    for (const Walk& w : walks) declare_walk(w);
    for (const Coiterate::Point& point : points) {
      const text::Origin at_point = enter(point, origin);
      if (point.leads.empty()) visit_all(loop, point, walks, at_point);
      else merge(loop, point, walks, at_point);
    }
  }
  for (const Cursor& cursor : loop.cursors) walks_.erase(cursor.name);
  if (!last) close_plain();
}

/// What is written now belongs to the point, until the statement ends or the next point is entered.
text::Origin Statements::enter(const Coiterate::Point& point, const text::Origin& loop) {
  return from_ = text::merge(loop, point.origin);
}

// A block of one statement needs no braces of its own.
void Statements::close_plain() {
  c::Stmt block = close();
  const auto& inside = block.as<c::Block>()->statements;
  add(inside.size() == 1 && !inside.front().as<c::Declaration>() ? inside.front() : block);
}

// for (int64_t pA = A_pos[i]; pA < A_pos[i + 1]; pA++) { const int64_t j = A_crd[pA]; … }
void Statements::single(const Coiterate& loop, const Coiterate::Point& point, Walk& w, const text::Origin& origin) {
  const bool simple = w.last.as<c::Token>() || w.last.as<c::Index>();
  c::Expr last = w.last, first = w.first;
  if (!simple && !w.backward) {
    const std::string end = bind(w.cursor->name + "_end");
    add(constant(end, last));
    last = c::token(end);
  } else if (w.backward && !w.first.as<c::Token>() && !w.first.as<c::Index>()) {
    const std::string begin = bind(w.cursor->name + "_begin");
    add(constant(begin, first));
    first = c::token(begin);
  }
  const bool parallel = loop.execution == Loop::Execution::parallel;
  const auto iterations = [&] {
    open();
    parallel_depth_ += parallel;
    skip_without_memory();
    if (c::Expr skipped = left_out(w)) add(c::stmt(c::If{skipped, c::stmt(c::Block{{c::stmt(c::Continue{})}}), {}}));
    const std::string i = bind(loop.variable);
    add(constant(i, entry_coordinate(w, c::token(w.at))));
    if (c::Expr outside = beyond(w, loop, i)) add(c::stmt(c::If{outside, c::stmt(c::Block{{c::stmt(c::Continue{})}}), {}}));
    w.here = c::number(1);
    walks_[w.cursor->name] = w;
    const std::size_t here = scopes_.back().statements.size();
    stmt(point.body, true);
    fetch_ahead(w, i, here);
    parallel_depth_ -= parallel;
    if (parallel_depth_ == 0) land();
    c::Stmt body = close();
    if (w.backward) {
      c::Expr condition = going_on(c::binary(">=", c::token(w.at), first), loop.unless);
      add(c::stmt(c::For{w.at, minus(w.last, c::number(1)), condition, w.at + "--", body}, origin));
    } else {
      c::Expr condition = going_on(c::binary("<", c::token(w.at), last), loop.unless);
      add(c::stmt(c::For{w.at, w.first, condition, w.at + "++", body}, origin));
    }
  };
  if (parallel && parallel_depth_ == 0) on_threads(loop.variable, point.body, clauses(loop.reduces, point.body), iterations);
  else iterations();
}

// On to the loop's coordinate, or past it.
void Statements::follow(Walk& w, const std::string& i, bool down) {
  if (!w.regions) {
    move_while(w, compared(w, c::token(w.at), down ? ">" : "<", i));
    w.here = c::binary("&&", alive(w), compared(w, c::token(w.at), "==", i));
    return;
  }
  const auto [low, high] = region_of(w);
  move_while(w, down ? c::binary(">", low, c::token(i)) : c::binary("<", high, c::token(i)));
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
    if (walks[k].settles) move_while(walks[k], left_out(walks[k]));
  }
  for (const int lead : point.leads) {
    c::Expr one = alive(walks[static_cast<std::size_t>(lead)]);
    condition = condition ? c::binary(point.any ? "||" : "&&", condition, one) : one;
  }
  condition = going_on(condition, loop.unless);
  open();
  const bool one = point.leads.size() == 1;
  c::Expr nearest;
  for (const int lead : point.leads) {
    Walk& w = walks[static_cast<std::size_t>(lead)];
    c::Expr coordinate = entry_coordinate(w, c::token(w.at));
    if (one) {
      w.coordinate.clear();
      nearest = coordinate;
      break;
    }
    w.coordinate = bind(loop.variable + w.cursor->tensor);
    if (point.any) coordinate = c::expr(c::Conditional{alive(w), coordinate, c::token(down ? "INT64_MIN" : "INT64_MAX")});
    if (point.any) prelude_.use_limits();
    add(constant(w.coordinate, coordinate));
    c::Expr candidate = c::token(w.coordinate);
    nearest = nearest ? c::expr(c::Conditional{c::binary(down ? ">" : "<", nearest, candidate), nearest, candidate}) : candidate;
    if (!nearest.as<c::Token>() && point.leads.size() > 2 && lead != point.leads.back()) {
      const std::string so_far = bind(loop.variable + "_next");
      add(constant(so_far, nearest));
      nearest = c::token(so_far);
    }
  }
  std::set<std::string> tested;
  for (const int lead : point.leads) tested.insert(walks[static_cast<std::size_t>(lead)].cursor->name);
  const bool in_arms = !one && decides(point.body, tested);
  const bool duel = in_arms && point.leads.size() == 2 && !point.any && point.follows.empty() && std::ranges::none_of(walks, &Walk::several);
  const std::string i = bind(loop.variable);
  if (!duel) add(constant(i, nearest));
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
    segment(w, i);
    if (c::Expr outside = one && leads(k) ? beyond(w, loop, i) : c::Expr{}) {
      open();
      step(w, {});
      add(c::stmt(c::Continue{}));
      add(c::stmt(c::If{outside, close(), {}}));
    }
    if (w.several && !leads(k)) w.here = c::binary(w.backward ? "<" : ">", c::token(names_.variable(w.cursor->name + (w.backward ? "_before" : "_end"))), c::token(w.at));
    walks_[w.cursor->name] = w;
  }
  if (in_arms) decided_.insert(tested.begin(), tested.end());
  stmt(point.body, false);
  for (std::size_t k = 0; k < walks.size() && !in_arms; ++k) {
    if (!leads(k)) continue;
    const Walk& w = walks[k];
    step(w, one ? c::Expr{} : w.here);
  }
  if (in_arms) std::erase_if(decided_, [&](const std::string& name) { return tested.count(name) > 0; });
  c::Stmt body = close();
  add(c::stmt(c::While{condition, body}, origin));
}

// Every coordinate within the bounds; the cursors only say what is there.
void Statements::visit_all(const Coiterate& loop, const Coiterate::Point& point, std::vector<Walk>& walks, const text::Origin& origin) {
  const bool down = loop.direction == Loop::Direction::down;
  c::Expr low = bound(loop.low, loop.variable + "_low"), high = bound(loop.high, loop.variable + "_end");
  open();
  const std::string i = bind(loop.variable);
  std::vector<c::Expr> here;
  for (Walk& w : walks) {
    w.settles = false;
    if (w.cursor->stride > 1) move_while(w, compared(w, c::token(w.at), down ? ">" : "<", i));  // past what is left out
    w.here = c::binary("&&", alive(w), compared(w, c::token(w.at), "==", i));
    segment(w, i);
    if (w.several) {
      w.here = c::binary(w.backward ? "<" : ">", c::token(names_.variable(w.cursor->name + (w.backward ? "_before" : "_end"))), c::token(w.at));
    } else {
      const std::string flag = bind(loop.variable + "_in_" + w.cursor->tensor);
      add(c::stmt(c::Declaration{"const int", flag, {}, w.here}));
      w.here = c::token(flag);
    }
    walks_[w.cursor->name] = w;
  }
  stmt(point.body, false);
  for (const Walk& w : walks) step(w, w.several ? c::Expr{} : w.here);
  c::Stmt body = close();
  c::Expr first = down ? minus(high, c::number(1)) : low;
  c::Expr condition = going_on(down ? c::binary(">=", c::token(i), low) : c::binary("<", c::token(i), high), loop.unless);
  add(c::stmt(c::For{i, first, condition, i + (down ? "--" : "++"), body}, origin));
}

}  // namespace trellis::emit
