#include "engine/emit/regions.hpp"

#include <algorithm>

#include "engine/emit/loop.hpp"
#include "engine/emit/region.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::emit {

using flow::Coiterate;
using flow::Loop;

namespace {

/// Is the operand there in each iteration of the point, because the iterations begin no sooner?
bool is_here(const Coiterate::Point& point, const Coiterate& loop, const CCursor& w) {
  const bool leads = std::ranges::any_of(
      point.leads, [&](int lead) { return &loop.cursors[static_cast<std::size_t>(lead)] == w.cursor; });
  return w.cursor->full || (leads && (point.together || (point.leads.size() == 1 && !w.several)));
}

/// Does the only point end as a lead runs out, of which none reaches beyond the loop's range?
bool ends_with_leads(const Coiterate& loop) {
  if (loop.points.size() != 1 || !loop.points[0].together) return false;
  return std::ranges::all_of(loop.points[0].leads, [&](int lead) {
    const flow::Cursor& cursor = loop.cursors[static_cast<std::size_t>(lead)];
    return !cursor.below && !cursor.above && cursor.stride == 1;
  });
}

c::Expr some_left(const std::vector<CCursor*>& leads, bool any) {
  c::Expr some;
  for (const CCursor* w : leads) some = some ? c::binary(any ? "||" : "&&", some, alive(*w)) : alive(*w);
  return some;
}

}  // namespace

std::vector<CCursor*> Regions::Walked::all() const {
  std::vector<CCursor*> walked = leads;
  walked.insert(walked.end(), followers.begin(), followers.end());
  return walked;
}

void Regions::walk(const Coiterate& loop, std::vector<CCursor>& walks, const text::Origin& origin) {
  const auto& points = loop.points;
  const bool one = points.size() == 1 && walks.size() == 1 && !walks[0].several;
  // What is full reaches over the whole loop, so that nothing is left out by going from region to region of it.
  if (one && (points[0].leads.size() == 1 || walks[0].cursor->full))
    return region_by_region(loop, points[0], walks[0], enter(out_, points[0], origin));
  const bool down = loop.direction == Loop::Direction::down;
  const c::Expr low = out_.expressions.expr(loop.low), high = out_.expressions.expr(loop.high);
  std::string next;
  if (!ends_with_leads(loop)) {
    next = out_.bind(loop.variable + "'next");
    out_.add(variable(next, down ? minus(high, c::number(1)) : low));
  }
  for (const CCursor& w : walks) declare_cursor(out_, w);
  for (const Point& point : points) {
    const text::Origin at_point = enter(out_, point, origin);
    for (std::size_t k = 0; k < walks.size(); ++k) {
      const CCursor& w = walks[k];
      const bool follows = point.leads.empty() && contains(point.follows, static_cast<int>(k));
      const bool may_lag = &point != &points.front() || w.cursor->below || w.cursor->above || w.cursor->stride > 1;
      if (!next.empty() && may_lag && (follows || contains(point.leads, static_cast<int>(k))))
        skip_to(out_, w, loop, c::token(next));
    }
    iterations({loop, walks, down, low, high, next}, point, at_point);
  }
}

Regions::Walked Regions::walked_in(const Point& point, std::vector<CCursor>& walks) {
  Walked walked;
  for (std::size_t k = 0; k < walks.size(); ++k)
    if (contains(point.leads, static_cast<int>(k))) walked.leads.push_back(&walks[k]);
    else if (contains(point.follows, static_cast<int>(k))) walked.followers.push_back(&walks[k]);
  return walked;
}

void Regions::iterations(const Iterations& t, const Point& point, const text::Origin& origin) {
  const Walked walked = walked_in(point, t.walks);
  c::Expr condition = some_left(walked.leads, point.any);
  if (!t.next.empty()) {
    const c::Expr next = c::token(t.next);
    const c::Expr within = t.down ? c::binary(">=", next, t.low) : c::binary("<", next, t.high);
    condition = condition ? c::binary("&&", condition, within) : within;
  }
  out_.open();
  for (CCursor* w : walked.leads) bind_region(out_, *w, t.loop, point.any);
  const std::string first = out_.bind(point.regions->first), last = out_.bind(point.regions->last);
  const std::string &near = t.down ? last : first, &far = t.down ? first : last;
  bind_iteration(t, point, walked, near, far);
  for (CCursor* w : walked.all()) {
    w->here = is_here(point, t.loop, *w) ? c::number(1) : reaches(*w, near, t.down);
    w->both = w->only = {};
    bind_segment(out_, *w, near);
    arms_.place(*w);
  }
  if (point.together) {
    move_on(t, walked, where_together(t, point, near, far), true);
  } else {
    body_(point.body, false);
    move_on(t, walked, far, false);
  }
  const c::Stmt body = out_.close();
  out_.add(c::stmt(c::While{going_on(out_, condition, t.loop.unless), body}, origin));
}

// The body, if the leads meet; then how far the iteration has got: where they do not, to before the last of them to
// begin.
std::string Regions::where_together(const Iterations& t, const Point& point, const std::string& near,
                                    const std::string& far) {
  const c::Expr begin = c::token(near), end = c::token(far);
  const c::Expr meet = t.down ? c::binary("<=", end, begin) : c::binary("<=", begin, end);
  out_.open();
  body_(point.body, true);
  const c::Stmt body = out_.close();
  out_.add(c::stmt(c::If{meet, body, {}}));
  const std::string through = out_.bind(t.loop.variable + "'through");
  out_.add(constant(through, choose(meet, end, t.down ? plus(begin, c::number(1)) : minus(begin, c::number(1)))));
  return through;
}

// Declares from where to where the iteration goes.
void Regions::bind_iteration(const Iterations& t, const Point& point, const Walked& walked, const std::string& near,
                             const std::string& far) {
  out_.add(constant(near, near_end(t, point, walked.leads)));
  if (std::ranges::any_of(walked.leads, [](const CCursor* w) { return w->cursor->below || w->cursor->above; })) {
    const c::Expr outside = t.down ? c::binary("<", c::token(near), t.low) : c::binary(">=", c::token(near), t.high);
    out_.add(c::stmt(c::If{outside, c::stmt(c::Block{{c::stmt(c::Break{})}}), {}}));
  }
  for (CCursor* w : walked.followers) {
    // Where none leads, no iteration leaves anything out, so none that goes on is behind.
    if (!walked.leads.empty() || w->cursor->stride > 1) skip_to(out_, *w, t.loop, c::token(near));
    bind_region(out_, *w, t.loop, true);
  }
  bind_far(t, point, walked.all(), near, far);
}

// Behind the iteration, and past the regions that end with it.
void Regions::move_on(const Iterations& t, const Walked& walked, const std::string& far, bool missed) {
  const c::Expr end = c::token(far);
  if (!t.next.empty()) out_.add(set(t.next, "=", t.down ? minus(end, c::number(1)) : plus(end, c::number(1))));
  for (CCursor* w : walked.all()) {
    const c::Expr through = t.down ? c::binary(">=", c::token(w->low), end) : c::binary("<=", c::token(w->high), end);
    if (w->several) step(out_, *w, missed ? through : c::Expr{}, "");
    else out_.add(set(w->at, w->backward ? "-=" : "+=", through));
    if (w->cursor->stride > 1 && contains(walked.leads, w)) skip_to(out_, *w, t.loop, c::token(t.next));
  }
}

// Where the iteration begins: where the loop stands, or where the nearest of the leads is; together, the furthest.
c::Expr Regions::near_end(const Iterations& t, const Point& point, const std::vector<CCursor*>& leads) {
  c::Expr begin;
  const auto name_it = [&](const std::string& name) {
    const std::string so_far = out_.bind(name);
    out_.add(constant(so_far, begin));
    begin = c::token(so_far);
  };
  for (const CCursor* w : leads) {
    const c::Expr candidate = c::token(t.down ? w->high : w->low);
    if (begin && !begin.as<c::Token>()) name_it(w->cursor->name + "'near");
    begin =
        begin ? choose(c::binary(t.down == point.together ? "<" : ">", begin, candidate), begin, candidate) : candidate;
  }
  if (t.next.empty()) return begin;
  const c::Expr next = c::token(t.next);
  if (!begin) return next;
  if (!begin.as<c::Token>()) name_it("'nearest");
  return choose(c::binary(t.down ? "<" : ">", next, begin), next, begin);
}

// Where the iteration ends: what is there ends, or what is not there begins, or the loop's range is over.
void Regions::bind_far(const Iterations& t, const Point& point, const std::vector<CCursor*>& walked,
                       const std::string& near, const std::string& far) {
  const auto until = [&](const CCursor* w) {
    const c::Expr ends = c::token(t.down ? w->low : w->high);
    if (is_here(point, t.loop, *w)) return ends;
    const c::Expr begins = t.down ? plus(c::token(w->high), c::number(1)) : minus(c::token(w->low), c::number(1));
    const std::string one = out_.bind(w->cursor->name + "'until");
    out_.add(constant(one, choose(reaches(*w, near, t.down), ends, begins)));
    return c::token(one);
  };
  // What is there and ends within the loop's range ends the iteration by itself.
  const auto bounds = std::ranges::find_if(walked, [&](const CCursor* w) {
    return is_here(point, t.loop, *w) && !(t.down ? w->cursor->below : w->cursor->above);
  });
  const c::Expr end = t.down ? t.low : minus(t.high, c::number(1));
  out_.add(variable(far, bounds == walked.end() ? end : until(*bounds)));
  for (const CCursor* w : walked) {
    if (bounds != walked.end() && w == *bounds) continue;
    const c::Expr one = until(w);
    const c::Expr sooner = c::binary(t.down ? ">" : "<", one, c::token(far));
    out_.add(c::stmt(c::If{sooner, c::stmt(c::Block{{set(far, "=", one)}}), {}}));
  }
}

// for (int64_t pA = A_pos[i]; pA < A_pos[i + 1]; pA++) { const int64_t j_first = …, j_last = A_crd[pA]; … }
void Regions::region_by_region(const Coiterate& loop, const Point& point, CCursor& w, const text::Origin& origin) {
  const bool parallel = loop.execution == Loop::Execution::parallel;
  const auto iterations = [&] {
    out_.open();
    threads_.begin_iteration(parallel);
    bind_ends(loop, point, w);
    w.here = c::number(1);
    arms_.place(w);
    body_(point.body, true);
    threads_.end_iteration(parallel);
    const c::Stmt body = out_.close();
    const c::Expr begin = w.backward ? minus(w.last, c::number(1)) : w.first;
    const c::Expr more = w.backward ? c::binary(">=", c::token(w.at), w.first) : c::binary("<", c::token(w.at), w.last);
    const std::string step_of = w.at + (w.backward ? "--" : "++");
    out_.add(c::stmt(c::For{w.at, begin, going_on(out_, more, loop.unless), step_of, body}, origin));
  };
  threads_.run_if(parallel, {loop.variable, loop.partials, point.body}, iterations);
}

// The first and the last coordinate of the region, within the loop's range; a region that has none there is left out.
void Regions::bind_ends(const Coiterate& loop, const Point& point, const CCursor& w) {
  const flow::Cursor& cursor = *w.cursor;
  const c::Expr low = out_.expressions.expr(loop.low), high = minus(out_.expressions.expr(loop.high), c::number(1));
  auto [from, to] = region_of(out_, w);
  const std::string first = out_.bind(point.regions->first), last = out_.bind(point.regions->last);
  if (cursor.below) {
    const std::string start = out_.bind(cursor.name + "'first");
    out_.add(constant(start, from));
    from = choose(c::binary("<", c::token(start), low), low, c::token(start));
  }
  if (cursor.above) {
    const std::string end = out_.bind(cursor.name + "'last");
    out_.add(constant(end, to));
    to = choose(c::binary(">", c::token(end), high), high, c::token(end));
  }
  out_.add(constant(first, from));
  out_.add(constant(last, to));
  if (!cursor.below && !cursor.above && cursor.stride == 1) return;
  out_.add(continue_if(c::binary(">", c::token(first), c::token(last))));
}

}  // namespace trellis::emit
