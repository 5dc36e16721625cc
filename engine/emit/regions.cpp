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
#include "engine/emit/region.hpp"
#include "engine/emit/statement.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::emit {

using flow::Coiterate;
using flow::Loop;

namespace {

/// Is the only operand there in any case?
bool is_full(const Coiterate::Point& point) {
  const auto* test = point.body.as<flow::Test>();
  return test && test->certain;
}

}  // namespace

void Statements::walk_regions(const Coiterate& loop, std::vector<Walk>& walks, const text::Origin& origin) {
  const auto& points = loop.points;
  const bool one = points.size() == 1 && walks.size() == 1 && !walks[0].several;
  // What is full reaches over the whole loop, so that nothing is left out by going from region to region of it.
  if (one && (points[0].leads.size() == 1 || is_full(points[0])))
    return region_by_region(loop, points[0], walks[0], origin);
  const bool down = loop.direction == Loop::Direction::down;
  const std::string outer = region_next_;
  region_next_ = out_.bind(loop.variable + "_next");
  const c::Expr low = out_.expressions.expr(loop.low), high = out_.expressions.expr(loop.high);
  out_.add(variable(region_next_, down ? minus(high, c::number(1)) : low));
  for (const Walk& w : walks) declare_walk(out_, w);
  for (const Coiterate::Point& point : points) {
    for (const int lead : point.leads) {
      const Walk& w = walks[static_cast<std::size_t>(lead)];
      const bool may_lag = &point != &points.front() || w.cursor->below || w.cursor->above || w.cursor->stride > 1;
      if (may_lag) skip_to(out_, w, loop, c::token(region_next_));
    }
    by_regions(loop, point, walks, origin);
  }
  region_next_ = outer;
}

void Statements::by_regions(const Coiterate& loop, const Coiterate::Point& point, std::vector<Walk>& walks,
                            const text::Origin& origin) {
  const bool down = loop.direction == Loop::Direction::down;
  const c::Expr next = c::token(region_next_);
  const c::Expr low = out_.expressions.expr(loop.low), high = out_.expressions.expr(loop.high);
  const auto holds = [](const std::vector<int>& cursors, std::size_t k) {
    return contains(cursors, static_cast<int>(k));
  };
  c::Expr condition = down ? c::binary(">=", next, low) : c::binary("<", next, high), some;
  for (const int lead : point.leads) {
    c::Expr one = alive(walks[static_cast<std::size_t>(lead)]);
    some = some ? c::binary(point.any ? "||" : "&&", some, one) : one;
  }
  if (some) condition = c::binary("&&", some, condition);
  out_.open();
  std::vector<Walk*> leads, followers, walked;
  for (std::size_t k = 0; k < walks.size(); ++k)
    if (holds(point.leads, k))
      leads.push_back(&walks[k]);
    else if (holds(point.follows, k))
      followers.push_back(&walks[k]);
  for (Walk* w : leads) bind_region(out_, *w, loop, point.any);
  const std::string first = out_.bind(point.regions->first), last = out_.bind(point.regions->last);
  const std::string &near = down ? last : first, &far = down ? first : last;
  out_.add(constant(near, near_end(leads, down, next)));
  if (std::ranges::any_of(leads, [](const Walk* w) { return w->cursor->below || w->cursor->above; })) {
    const c::Expr outside = down ? c::binary("<", c::token(near), low) : c::binary(">=", c::token(near), high);
    out_.add(c::stmt(c::If{outside, c::stmt(c::Block{{c::stmt(c::Break{})}}), {}}));
  }
  for (Walk* w : followers) {
    skip_to(out_, *w, loop, c::token(near));
    bind_region(out_, *w, loop, true);
  }
  walked = leads;
  walked.insert(walked.end(), followers.begin(), followers.end());
  bind_far(walked, near, far, down, down ? low : minus(high, c::number(1)));
  for (Walk* w : walked) {
    w->here = reaches(*w, near, down);
    w->both = w->only = {};
    bind_segment(out_, *w, near);
    walks_[w->cursor->name] = *w;
  }
  stmt(point.body, false);
  out_.add(set(region_next_, "=", down ? minus(c::token(far), c::number(1)) : plus(c::token(far), c::number(1))));
  for (Walk* w : walked) {
    const c::Expr through =
        down ? c::binary(">=", c::token(w->low), c::token(far)) : c::binary("<=", c::token(w->high), c::token(far));
    if (w->several)
      step(out_, *w, {});
    else
      out_.add(set(w->at, w->backward ? "-=" : "+=", through));
    if (w->cursor->stride > 1 && holds(point.leads, static_cast<std::size_t>(w - walks.data())))
      skip_to(out_, *w, loop, next);
  }
  const c::Stmt body = out_.close();
  out_.add(c::stmt(c::While{going_on(out_, condition, loop.unless), body}, origin));
}

// Where the turn begins: where the loop stands, or where the nearest of the leads is.
c::Expr Statements::near_end(const std::vector<Walk*>& leads, bool down, const c::Expr& next) {
  c::Expr nearest;
  for (const Walk* w : leads) {
    c::Expr candidate = c::token(down ? w->high : w->low);
    if (nearest && !nearest.as<c::Token>()) {
      const std::string so_far = out_.bind(w->cursor->name + "_near");
      out_.add(constant(so_far, nearest));
      nearest = c::token(so_far);
    }
    nearest = nearest ? choose(c::binary(down ? ">" : "<", nearest, candidate), nearest, candidate) : candidate;
  }
  if (!nearest) return next;
  if (!nearest.as<c::Token>()) {
    const std::string so_far = out_.bind("nearest");
    out_.add(constant(so_far, nearest));
    nearest = c::token(so_far);
  }
  return choose(c::binary(down ? "<" : ">", next, nearest), next, nearest);
}

// Where the turn ends: what is there ends, or what is not there begins, or the loop's range is over.
void Statements::bind_far(const std::vector<Walk*>& walked, const std::string& near, const std::string& far, bool down,
                          const c::Expr& end) {
  out_.add(variable(far, end));
  for (const Walk* w : walked) {
    const c::Expr ends = c::token(down ? w->low : w->high);
    const std::string name = w->cursor->full ? ends.as<c::Token>()->text : out_.bind(w->cursor->name + "_until");
    const c::Expr begins = w->cursor->full ? ends
                           : down          ? plus(c::token(w->high), c::number(1))
                                           : minus(c::token(w->low), c::number(1));
    if (!w->cursor->full) out_.add(constant(name, choose(reaches(*w, near, down), ends, begins)));
    const c::Expr sooner = c::binary(down ? ">" : "<", c::token(name), c::token(far));
    out_.add(c::stmt(c::If{sooner, c::stmt(c::Block{{set(far, "=", c::token(name))}}), {}}));
  }
}

// for (int64_t pA = A_pos[i]; pA < A_pos[i + 1]; pA++) { const int64_t j_first = …, j_last = A_crd[pA]; … }
void Statements::region_by_region(const Coiterate& loop, const Coiterate::Point& point, Walk& w,
                                  const text::Origin& origin) {
  const c::Expr low = out_.expressions.expr(loop.low), high = minus(out_.expressions.expr(loop.high), c::number(1));
  const bool parallel = loop.execution == Loop::Execution::parallel;
  const auto iterations = [&] {
    out_.open();
    threads_.begin_iteration(parallel);
    auto [from, to] = region_of(out_, w);
    const flow::Cursor& cursor = *w.cursor;
    const std::string first = out_.bind(point.regions->first), last = out_.bind(point.regions->last);
    if (cursor.below) {
      const std::string start = out_.bind(cursor.name + "_first");
      out_.add(constant(start, from));
      from = choose(c::binary("<", c::token(start), low), low, c::token(start));
    }
    if (cursor.above) {
      const std::string end = out_.bind(cursor.name + "_last");
      out_.add(constant(end, to));
      to = choose(c::binary(">", c::token(end), high), high, c::token(end));
    }
    out_.add(constant(first, from));
    out_.add(constant(last, to));
    if (cursor.below || cursor.above || cursor.stride > 1) {
      const c::Expr empty = c::binary(">", c::token(first), c::token(last));
      out_.add(c::stmt(c::If{empty, c::stmt(c::Block{{c::stmt(c::Continue{})}}), {}}));
    }
    w.here = c::number(1);
    walks_[cursor.name] = w;
    stmt(point.body, true);
    threads_.end_iteration(parallel);
    const c::Stmt body = out_.close();
    const c::Expr begin = w.backward ? minus(w.last, c::number(1)) : w.first;
    const c::Expr condition =
        w.backward ? c::binary(">=", c::token(w.at), w.first) : c::binary("<", c::token(w.at), w.last);
    out_.add(c::stmt(c::For{w.at, begin, going_on(out_, condition, loop.unless), w.at + (w.backward ? "--" : "++"), body},
                origin));
  };
  threads_.run_if(parallel, {loop.variable, loop.reduces, point.body}, iterations);
}

}  // namespace trellis::emit
