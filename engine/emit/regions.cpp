// Loops that go by regions: each turn deals with all coordinates up to where some operand begins or ends.
//
//   while (pA < pA_end && i_next < n) {
//     const int64_t A_first = A_start[pA], A_last = A_crd[pA];
//     const int64_t i_first = i_next > A_first ? i_next : A_first;       where something is there
//     const int64_t i_last = A_first <= i_first ? A_last : A_first - 1;  and stays as it is
//     if (A_first <= i_first) { … }
//     i_next = i_last + 1;
//     pA += A_last <= i_last;
//   }
//
// One operand alone, or one that is full, is a plain `for` over its regions. Downwards everything is the other way
// round: "near" is where the loop comes from, "far" where it goes to. (COITERATION, `emit`.)

#include <algorithm>

#include "engine/emit/shorthand.hpp"
#include "engine/emit/statement.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::emit {

using flow::Coiterate;
using flow::Loop;
using format::Array;

namespace {

/// Is the only operand there in any case?
bool is_full(const Coiterate::Point& point) {
  const auto* test = point.body.as<flow::Test>();
  return test && test->certain;
}

c::Expr choose(c::Expr condition, c::Expr then, c::Expr otherwise) {
  return c::expr(c::Conditional{std::move(condition), std::move(then), std::move(otherwise)});
}

}  // namespace

/// What the level stores of a region: its first coordinate.
c::Expr Statements::stored_first(const flow::Tensor& tensor, int level, const c::Expr& entry, const c::Expr& begin) {
  const format::Facts& facts = facts_of(tensor, level);
  const auto of = [&](Array which, c::Expr at) {
    return index(expressions_.array(tensor, level, which), std::move(at));
  };
  if (facts.starts) return of(Array::starts, entry);
  if (facts.region == format::Region::block) {
    const c::Expr length = minus(of(Array::offsets, plus(entry, c::number(1))), of(Array::offsets, entry));
    return minus(plus(of(Array::coordinates, entry), c::number(1)), length);
  }
  const c::Expr behind = plus(of(Array::coordinates, minus(entry, c::number(1))), c::number(1));
  return choose(c::binary(">", entry, begin), behind, c::number(0));
}

// The loop's coordinates of the region at `w.at`, lower one first.
std::pair<c::Expr, c::Expr> Statements::region_of(const Walk& w) {
  const flow::Cursor& cursor = *w.cursor;
  const c::Expr entry = c::token(w.at);
  const bool point = w.facts.region == format::Region::point || workspace(*w.tensor);
  c::Expr last = stored_coordinate(w, entry);
  c::Expr first = point ? last : stored_first(*w.tensor, cursor.level, entry, c::token(w.begin));
  if (cursor.stretch > 1) {
    first = times(c::number(cursor.stretch), in_64_bits(first));
    last = plus(times(c::number(cursor.stretch), in_64_bits(last)), c::number(cursor.stretch - 1));
  }
  const c::Expr offset = expressions_.expr(cursor.offset);
  const auto moved = [&](const c::Expr& stored) {
    if (cursor.reversed) return minus(offset, stored);
    return is_zero(offset) ? stored : plus(w.facts.wide ? stored : in_64_bits(stored), offset);
  };
  c::Expr low = moved(cursor.reversed ? last : first), high = moved(cursor.reversed ? first : last);
  if (cursor.stride == 1) return {low, high};
  const c::Expr stride = c::number(cursor.stride);
  const std::string divide = prelude_.use(Helper::floor_div);
  return {c::call(divide, {plus(low, c::number(cursor.stride - 1)), stride}), c::call(divide, {high, stride})};
}

// Declares the two coordinates of the region that the cursor is at; behind the last one there is nothing near. What is
// full is there anyway, and only matters by where it ends.
void Statements::bind_region(Walk& w, const Coiterate& loop, bool may_be_over) {
  const bool down = loop.direction == Loop::Direction::down, full = w.cursor->full;
  auto [low, high] = region_of(w);
  if (may_be_over && !full) {
    prelude_.use_limits();
    const c::Expr nowhere = c::token(down ? "INT64_MIN" : "INT64_MAX");
    low = choose(alive(w), low, nowhere);
    high = choose(alive(w), high, nowhere);
  }
  const bool point = w.facts.region == format::Region::point && w.cursor->stretch == 1 && w.cursor->stride == 1;
  const std::string name = loop.variable + w.cursor->tensor;
  w.low = w.high = "";
  if (!full || down) add(constant(w.low = bind(point ? name : name + "_first"), low));
  if (point)
    w.high = w.low;
  else if (!full || !down)
    add(constant(w.high = bind(name + "_last"), high));
}

// Entries that may have something to do with the loop's range, and where the first of them is.
void Statements::open_regions(Walk& w, const Coiterate& loop) {
  const flow::Cursor& cursor = *w.cursor;
  w.begin = bind(cursor.name + "_begin");
  add(constant(w.begin, w.first));
  w.first = c::token(w.begin);
  if (!w.facts.ordered || !(cursor.below || cursor.above)) return;
  const auto [from, to] = stored_bounds(w, loop);
  const std::string stop = bind(cursor.name + "_stop");
  add(constant(stop, w.last));
  w.last = c::token(stop);
  const bool below = cursor.reversed ? cursor.above : cursor.below,
             above = cursor.reversed ? cursor.below : cursor.above;
  const c::Expr first = w.first, last = w.last;
  if (w.facts.region == format::Region::point) {  // of several entries at one coordinate, behind all
    const bool before = falls(w) ? above : below, behind = falls(w) ? below : above;
    if (before) w.first = seek(w, first, last, falls(w) ? to : from);
    if (behind) w.last = seek(w, first, last, falls(w) ? from : to);
    return;
  }
  if (below) w.first = seek(w, first, last, from);
  if (above) {
    const std::string end = bind(cursor.name + "_far");
    add(constant(end, seek(w, first, last, minus(to, c::number(1)))));
    w.last = choose(c::binary("<", c::token(end), last), plus(c::token(end), c::number(1)), last);
  }
}

void Statements::walk_regions(const Coiterate& loop, std::vector<Walk>& walks, const text::Origin& origin) {
  const auto& points = loop.points;
  const bool one = points.size() == 1 && walks.size() == 1 && !walks[0].several;
  // What is full reaches over the whole loop, so that nothing is left out by going from region to region of it.
  if (one && (points[0].leads.size() == 1 || is_full(points[0])))
    return region_by_region(loop, points[0], walks[0], enter(points[0], origin));
  const bool down = loop.direction == Loop::Direction::down;
  const std::string outer = region_next_;
  region_next_ = bind(loop.variable + "_next");
  const c::Expr low = expressions_.expr(loop.low), high = expressions_.expr(loop.high);
  add(variable(region_next_, down ? minus(high, c::number(1)) : low));
  for (const Walk& w : walks) declare_walk(w);
  for (const Coiterate::Point& point : points) {
    const text::Origin at_point = enter(point, origin);
    for (const int lead : point.leads) {
      const Walk& w = walks[static_cast<std::size_t>(lead)];
      const bool may_lag = &point != &points.front() || w.cursor->below || w.cursor->above || w.cursor->stride > 1;
      if (may_lag) skip_to(w, loop, c::token(region_next_));
    }
    by_regions(loop, point, walks, at_point);
  }
  region_next_ = outer;
}

void Statements::by_regions(const Coiterate& loop, const Coiterate::Point& point, std::vector<Walk>& walks,
                            const text::Origin& origin) {
  const bool down = loop.direction == Loop::Direction::down;
  const c::Expr next = c::token(region_next_);
  const c::Expr low = expressions_.expr(loop.low), high = expressions_.expr(loop.high);
  const auto holds = [](const std::vector<int>& cursors, std::size_t k) {
    return contains(cursors, static_cast<int>(k));
  };
  c::Expr condition = down ? c::binary(">=", next, low) : c::binary("<", next, high), some;
  for (const int lead : point.leads) {
    c::Expr one = alive(walks[static_cast<std::size_t>(lead)]);
    some = some ? c::binary(point.any ? "||" : "&&", some, one) : one;
  }
  if (some) condition = c::binary("&&", some, condition);
  open();
  std::vector<Walk*> leads, followers, walked;
  for (std::size_t k = 0; k < walks.size(); ++k)
    if (holds(point.leads, k))
      leads.push_back(&walks[k]);
    else if (holds(point.follows, k))
      followers.push_back(&walks[k]);
  for (Walk* w : leads) bind_region(*w, loop, point.any);
  const std::string first = bind(point.regions->first), last = bind(point.regions->last);
  const std::string &near = down ? last : first, &far = down ? first : last;
  add(constant(near, near_end(leads, down, next)));
  if (std::ranges::any_of(leads, [](const Walk* w) { return w->cursor->below || w->cursor->above; })) {
    const c::Expr outside = down ? c::binary("<", c::token(near), low) : c::binary(">=", c::token(near), high);
    add(c::stmt(c::If{outside, c::stmt(c::Block{{c::stmt(c::Break{})}}), {}}));
  }
  for (Walk* w : followers) {
    skip_to(*w, loop, c::token(near));
    bind_region(*w, loop, true);
  }
  walked = leads;
  walked.insert(walked.end(), followers.begin(), followers.end());
  bind_far(walked, near, far, down, down ? low : minus(high, c::number(1)));
  for (Walk* w : walked) {
    w->here = reaches(*w, near, down);
    w->both = w->only = {};
    segment(*w, near);
    walks_[w->cursor->name] = *w;
  }
  stmt(point.body, false);
  add(set(region_next_, "=", down ? minus(c::token(far), c::number(1)) : plus(c::token(far), c::number(1))));
  for (Walk* w : walked) {
    const c::Expr through =
        down ? c::binary(">=", c::token(w->low), c::token(far)) : c::binary("<=", c::token(w->high), c::token(far));
    if (w->several)
      step(*w, {});
    else
      add(set(w->at, w->backward ? "-=" : "+=", through));
    if (w->cursor->stride > 1 && holds(point.leads, static_cast<std::size_t>(w - walks.data())))
      skip_to(*w, loop, next);
  }
  const c::Stmt body = close();
  add(c::stmt(c::While{going_on(condition, loop.unless), body}, origin));
}

// Where the turn begins: where the loop stands, or where the nearest of the leads is.
c::Expr Statements::near_end(const std::vector<Walk*>& leads, bool down, const c::Expr& next) {
  c::Expr nearest;
  for (const Walk* w : leads) {
    c::Expr candidate = c::token(down ? w->high : w->low);
    if (nearest && !nearest.as<c::Token>()) {
      const std::string so_far = bind(w->cursor->name + "_near");
      add(constant(so_far, nearest));
      nearest = c::token(so_far);
    }
    nearest = nearest ? choose(c::binary(down ? ">" : "<", nearest, candidate), nearest, candidate) : candidate;
  }
  if (!nearest) return next;
  if (!nearest.as<c::Token>()) {
    const std::string so_far = bind("nearest");
    add(constant(so_far, nearest));
    nearest = c::token(so_far);
  }
  return choose(c::binary(down ? "<" : ">", next, nearest), next, nearest);
}

// Where the turn ends: what is there ends, or what is not there begins, or the loop's range is over.
void Statements::bind_far(const std::vector<Walk*>& walked, const std::string& near, const std::string& far, bool down,
                          const c::Expr& end) {
  add(variable(far, end));
  for (const Walk* w : walked) {
    const c::Expr ends = c::token(down ? w->low : w->high);
    const std::string name = w->cursor->full ? ends.as<c::Token>()->text : bind(w->cursor->name + "_until");
    const c::Expr begins = w->cursor->full ? ends
                           : down          ? plus(c::token(w->high), c::number(1))
                                           : minus(c::token(w->low), c::number(1));
    if (!w->cursor->full) add(constant(name, choose(reaches(*w, near, down), ends, begins)));
    const c::Expr sooner = c::binary(down ? ">" : "<", c::token(name), c::token(far));
    add(c::stmt(c::If{sooner, c::stmt(c::Block{{set(far, "=", c::token(name))}}), {}}));
  }
}

// Does the region that the cursor is at hold the coordinate, which it does not end before?
c::Expr Statements::reaches(const Walk& w, const std::string& coordinate, bool down) {
  if (w.cursor->full) return c::number(1);
  return down ? c::binary(">=", c::token(w.high), c::token(coordinate))
              : c::binary("<=", c::token(w.low), c::token(coordinate));
}

// Past regions that end before the loop stands, and those in which a slice has no coordinate.
void Statements::skip_to(const Walk& w, const Coiterate& loop, const c::Expr& next) {
  const bool down = loop.direction == Loop::Direction::down;
  auto [low, high] = region_of(w);
  c::Expr passed = down ? c::binary(">", low, next) : c::binary("<", high, next);
  if (w.cursor->stride > 1) passed = c::binary("||", passed, c::binary(">", low, high));
  move_while(w, passed);
}

// for (int64_t pA = A_pos[i]; pA < A_pos[i + 1]; pA++) { const int64_t j_first = …, j_last = A_crd[pA]; … }
void Statements::region_by_region(const Coiterate& loop, const Coiterate::Point& point, Walk& w,
                                  const text::Origin& origin) {
  const c::Expr low = expressions_.expr(loop.low), high = minus(expressions_.expr(loop.high), c::number(1));
  const bool parallel = loop.execution == Loop::Execution::parallel;
  const auto iterations = [&] {
    open();
    parallel_depth_ += parallel;
    skip_without_memory();
    auto [from, to] = region_of(w);
    const flow::Cursor& cursor = *w.cursor;
    const std::string first = bind(point.regions->first), last = bind(point.regions->last);
    if (cursor.below) {
      const std::string start = bind(cursor.name + "_first");
      add(constant(start, from));
      from = choose(c::binary("<", c::token(start), low), low, c::token(start));
    }
    if (cursor.above) {
      const std::string end = bind(cursor.name + "_last");
      add(constant(end, to));
      to = choose(c::binary(">", c::token(end), high), high, c::token(end));
    }
    add(constant(first, from));
    add(constant(last, to));
    if (cursor.below || cursor.above || cursor.stride > 1) {
      const c::Expr empty = c::binary(">", c::token(first), c::token(last));
      add(c::stmt(c::If{empty, c::stmt(c::Block{{c::stmt(c::Continue{})}}), {}}));
    }
    w.here = c::number(1);
    walks_[cursor.name] = w;
    stmt(point.body, true);
    parallel_depth_ -= parallel;
    if (parallel_depth_ == 0) land();
    const c::Stmt body = close();
    const c::Expr begin = w.backward ? minus(w.last, c::number(1)) : w.first;
    const c::Expr condition =
        w.backward ? c::binary(">=", c::token(w.at), w.first) : c::binary("<", c::token(w.at), w.last);
    add(c::stmt(c::For{w.at, begin, going_on(condition, loop.unless), w.at + (w.backward ? "--" : "++"), body},
                origin));
  };
  if (parallel && parallel_depth_ == 0)
    on_threads(loop.variable, point.body, clauses(loop.reduces, point.body), iterations);
  else
    iterations();
}

// The region of the level's that holds the coordinate, or -1: the first that does not end before it, if it has begun.
c::Expr Statements::region_found(const flow::Locate& l, c::Expr coordinate) {
  const flow::Tensor& tensor = *flow_.tensor(l.tensor);
  const format::Facts& facts = facts_of(tensor, l.level);
  c::Expr exists = l.exists ? expressions_.expr(*l.exists) : c::Expr{};
  if (!coordinate.as<c::Token>()) {  // which may be a fault where it is not asked for
    const std::string at = bind(l.name + "_at");
    add(constant(at, exists ? choose(exists, coordinate, c::number(0)) : coordinate));
    coordinate = c::token(at);
  }
  auto [first, last] = fiber(tensor, l.level, l.parent);
  const bool one = facts.locate == format::Locate::one;
  if (exists) {
    first = choose(exists, first, c::number(0));
    last = choose(exists, last, c::number(0));
  }
  const std::string begin = bind(l.name + "_begin");
  add(constant(begin, first));
  const c::Expr crd = expressions_.array(tensor, l.level, Array::coordinates);
  const std::string near = bind(l.name + "_near");
  add(constant(near, one ? c::token(begin)
                         : c::call(prelude_.use_seek(facts.wide, false), {crd, c::token(begin), last, coordinate})));
  c::Expr there = one ? c::binary("<=", coordinate, index(crd, c::token(near))) : c::binary("<", c::token(near), last);
  if (one && exists) there = c::binary("&&", exists, there);
  const bool point = facts.region == format::Region::point;
  if (point)
    there = one && exists ? c::binary("&&", exists, c::binary("==", coordinate, index(crd, c::token(near))))
                          : c::binary("==", coordinate, index(crd, c::token(near)));
  else if (!facts.full())
    there = c::binary("&&", there,
                      c::binary("<=", stored_first(tensor, l.level, c::token(near), c::token(begin)), coordinate));
  return choose(there, c::token(near), c::number(-1));
}

}  // namespace trellis::emit
