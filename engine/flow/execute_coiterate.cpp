// Loops over what cursors offer: point after point of the lattice, in each at one coordinate after another. Each
// iteration stands at the smallest coordinate that a lead is at (the largest, downwards); those that are there move on.

#include <algorithm>
#include <utility>

#include "engine/flow/cursor_iterator.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

using Bounds = CursorIterator::Bounds;

Range below(Store& store, int level, const Spot& parent) {
  if (!store.facts(level).dense()) return fiber(store, level, parent);
  return {parent.position * store.size(level), (parent.position + 1) * store.size(level)};
}

std::vector<CursorIterator> open(Machine& m, const Coiterate& c, const std::optional<Bounds>& bounds) {
  std::vector<CursorIterator> walks;
  walks.reserve(c.cursors.size());
  for (const Cursor& cursor : c.cursors) {
    Store& store = m.store(cursor.tensor);
    Spot parent;
    Range entries;
    if (!cursor.exists || evaluate(m, *cursor.exists).is_true()) {
      parent = evaluate(m, cursor.parent);
      store.arrange(cursor.first_level(), parent.position);
      entries = below(store, cursor.first_level(), parent);
    }
    const std::int64_t offset = evaluate_integer(m, cursor.offset);
    const CursorIterator& walk = walks.emplace_back(cursor, c, store, parent, entries, offset, bounds);
    m.spend(1);
    if (!m.observer) continue;
    m.observer->opens(m.moment(), cursor, parent.trail, entries.first, entries.last);
    if (walk.alive()) m.observer->stands(m.moment(), cursor, walk.entry(), walk.coordinate());
    else m.observer->runs_out(m.moment(), cursor);
  }
  return walks;
}

std::vector<Standing> standings(const std::vector<CursorIterator>& walks) {
  std::vector<Standing> all;
  for (const CursorIterator& walk : walks) all.push_back(walk.standing());
  return all;
}

/// An iteration: the body sees the loop's variable, and the positions of the cursors that are there.
class Iteration {
 public:
  Iteration(Machine& m, const Coiterate& c, const Stmt& s, std::vector<CursorIterator>& walks)
      : m_(m),
        c_(c),
        s_(s),
        walks_(walks),
        variable_(m.variables, c.variable, format::Value::of_integer(format::ScalarType::i64, 0)) {
    m.loops.emplace_back(c.variable, 0);
    for (const CursorIterator& walk : walks) m.walks[walk.cursor().name] = &walk;
  }
  ~Iteration() {
    m_.loops.pop_back();
    for (const CursorIterator& walk : walks_) m_.walks.erase(walk.cursor().name);
  }

  /// By regions: the body knows where the stretch begins and ends instead.
  void over(Range stretch, const Coiterate::Point& point) {
    const auto number = [](std::int64_t n) { return format::Value::of_integer(format::ScalarType::i64, n); };
    const Bound<format::Value> first(m_.variables, point.regions->first, number(stretch.first));
    const Bound<format::Value> last(m_.variables, point.regions->last, number(stretch.last));
    at(stretch.first, point);
  }

  void at(std::int64_t i, const Coiterate::Point& point) {
    if (m_.observer && !std::exchange(entered_, true))
      m_.observer->enters(m_.moment(), c_, static_cast<int>(&point - c_.points.data()), standings(walks_));
    m_.loops.back().second = i;
    variable_.set(format::Value::of_integer(format::ScalarType::i64, i));
    m_.begin(s_);
    if (m_.observer) m_.observer->at(m_.moment(), c_, i, standings(walks_));
    std::vector<std::unique_ptr<Bound<Spot>>> names;
    for (const CursorIterator& walk : walks_)
      if (walk.here()) names.push_back(std::make_unique<Bound<Spot>>(m_.spots, walk.cursor().name, walk.spot()));
    execute(m_, point.body);
    m_.current = s_;
  }

 private:
  Machine& m_;
  const Coiterate& c_;
  const Stmt& s_;
  std::vector<CursorIterator>& walks_;
  Bound<format::Value> variable_;
  bool entered_ = false;
};

bool over(Machine& m, const Coiterate& c) { return c.unless && evaluate(m, *c.unless).is_true(); }

/// Is the coordinate of an entry not within the loop's bounds, where the order does not say so?
bool beyond(const CursorIterator& walk, const Store& store, const std::optional<Bounds>& bounds, std::int64_t i) {
  const Cursor& cursor = walk.cursor();
  const bool may_be = bounds && !store.facts(cursor.level).ordered && (cursor.below || cursor.above);
  return may_be && (i < bounds->low || i >= bounds->high);
}

void merge(Machine& m, const Coiterate& c, const Coiterate::Point& point, std::vector<CursorIterator>& walks,
           Iteration& iteration, const std::optional<Bounds>& bounds) {
  const bool down = c.direction == Loop::Direction::down;
  const auto lead = [&](int k) -> CursorIterator& { return walks[static_cast<std::size_t>(k)]; };
  const auto alive = [&](int k) { return lead(k).alive(); };
  for (const int k : point.leads) lead(k).skip_left_out(m);
  const auto goes_on = [&] {
    return point.any ? std::ranges::any_of(point.leads, alive) : std::ranges::all_of(point.leads, alive);
  };
  while (goes_on() && !over(m, c)) {
    std::optional<std::int64_t> nearest;
    for (const int k : point.leads) {
      if (!alive(k)) continue;
      const std::int64_t there = lead(k).coordinate();
      if (!nearest || (down ? there > *nearest : there < *nearest)) nearest = there;
    }
    for (CursorIterator& walk : walks) walk.leave();
    for (const int k : point.leads) lead(k).stand_at(*nearest);
    for (const int k : point.follows) {
      if (contains(point.leads, k)) continue;
      lead(k).skip_to(*nearest, m);
      lead(k).stand_at(*nearest);
    }
    const bool alone = point.leads.size() == 1;
    const bool outside =
        alone && beyond(lead(point.leads[0]), m.store(lead(point.leads[0]).cursor().tensor), bounds, *nearest);
    if (!outside) iteration.at(*nearest, point);
    for (const int k : point.leads) {
      if (lead(k).here()) lead(k).advance(m);
      lead(k).skip_left_out(m);
    }
  }
}

// Every coordinate within the bounds; the cursors only say what is there.
void visit_all(Machine& m, const Coiterate& c, const Coiterate::Point& point, std::vector<CursorIterator>& walks,
               Iteration& iteration, const Bounds& bounds) {
  const bool down = c.direction == Loop::Direction::down;
  for (std::int64_t count = 0; count < bounds.high - bounds.low && !over(m, c); ++count) {
    const std::int64_t i = down ? bounds.high - 1 - count : bounds.low + count;
    for (CursorIterator& walk : walks) {
      if (walk.cursor().stride > 1) walk.skip_to(i, m);
      walk.stand_at(i);
    }
    iteration.at(i, point);
    for (CursorIterator& walk : walks)
      if (walk.here()) walk.advance(m);
  }
}

/// Up to where some operand begins or ends; `next` is where the loop has got to, and stays so for the next point.
void go_by_regions(Machine& m, const Coiterate& c, const Coiterate::Point& point, std::vector<CursorIterator>& walks,
                   Iteration& iteration, const Bounds& bounds, std::int64_t& next) {
  const bool down = c.direction == Loop::Direction::down;
  const auto walk = [&](int k) -> CursorIterator& { return walks[static_cast<std::size_t>(k)]; };
  const auto alive = [&](int k) { return walk(k).alive(); };
  const auto nearer = [&](std::int64_t a, std::int64_t b) { return down ? std::max(a, b) : std::min(a, b); };
  const auto further = [&](std::int64_t a, std::int64_t b) { return down ? std::min(a, b) : std::max(a, b); };
  std::vector<int> followers = point.follows, all = point.leads;
  std::erase_if(followers, [&](int k) { return contains(point.leads, k); });
  all.insert(all.end(), followers.begin(), followers.end());
  for (const int k : point.leads) walk(k).skip_to(next, m), walk(k).skip_left_out(m);
  const auto goes_on = [&] {
    const bool some = point.leads.empty() ||
                      (point.any ? std::ranges::any_of(point.leads, alive) : std::ranges::all_of(point.leads, alive));
    return some && (down ? next >= bounds.low : next < bounds.high);
  };
  while (goes_on() && !over(m, c)) {
    std::optional<std::int64_t> begins;  // that of the nearest, or where all are together, that of the furthest
    for (const int k : point.leads) {
      if (!alive(k)) continue;
      const std::int64_t begin = down ? walk(k).high() : walk(k).low();
      begins = !begins ? begin : point.together ? further(*begins, begin) : nearer(*begins, begin);
    }
    const std::int64_t near = begins ? further(next, *begins) : next;
    if (near < bounds.low || near >= bounds.high) break;
    for (CursorIterator& w : walks) w.leave();
    for (const int k : followers) walk(k).skip_to(near, m);
    std::int64_t far = down ? bounds.low : bounds.high - 1;
    for (const int k : all) {
      walk(k).stand_at(near);
      if (!walk(k).alive()) continue;
      const bool to_its_end = walk(k).here() || (point.together && contains(point.leads, k));
      const std::int64_t until = to_its_end ? (down ? walk(k).low() : walk(k).high())
                                 : down     ? walk(k).high() + 1
                                            : walk(k).low() - 1;
      far = nearer(far, until);
    }
    const bool some = down ? far <= near : near <= far;
    if (some) iteration.over(down ? Range{far, near} : Range{near, far}, point);
    const std::int64_t through = some ? far : down ? near + 1 : near - 1;  // where there is nothing to do, up to there
    next = down ? through - 1 : through + 1;
    for (const int k : all) {
      if (!walk(k).alive() || (down ? walk(k).low() < through : walk(k).high() > through)) continue;
      if (walk(k).here()) walk(k).advance(m);
      else if (!some) walk(k).move(m);
    }
    for (const int k : point.leads) walk(k).skip_left_out(m);
  }
}

bool needs_bounds(const Coiterate& c) {
  if (c.by_regions()) return true;
  return std::ranges::any_of(c.points, [](const Coiterate::Point& p) { return p.leads.empty(); }) ||
         std::ranges::any_of(c.cursors, [](const Cursor& k) { return k.below || k.above; });
}

// What all iterations count is what they append afterwards.
void count_then_fill(Machine& m, const Coiterate& c, const Stmt& s) {
  Coiterate once = c;
  once.counting.reset();
  Coiterate counts = once;
  counts.points[0].body = *c.counting;
  m.counted = 0;
  m.counting = true;
  execute(m, counts, s);
  m.counting = false;
  const std::int64_t counted = m.counted, before = appended_entries(m);
  execute(m, once, s);
  if (appended_entries(m) - before != counted)
    throw Unsound{"a walk of " + c.variable + " appends another number of entries than it counts"};
}

}  // namespace

void execute(Machine& m, const Coiterate& c, const Stmt& s) {
  if (c.counting) return count_then_fill(m, c, s);
  std::optional<Bounds> bounds;
  if (needs_bounds(c)) {
    const std::int64_t low = evaluate_integer(m, c.low);
    bounds = Bounds{low, evaluate_integer(m, c.high)};
  }
  std::vector<CursorIterator> walks = open(m, c, bounds);
  const bool down = c.direction == Loop::Direction::down;
  std::int64_t next = !bounds ? 0 : down ? bounds->high - 1 : bounds->low;
  for (const Coiterate::Point& point : c.points) {
    Iteration iteration(m, c, s, walks);
    if (point.regions) go_by_regions(m, c, point, walks, iteration, *bounds, next);
    else if (point.leads.empty()) visit_all(m, c, point, walks, iteration, *bounds);
    else merge(m, c, point, walks, iteration, bounds);
  }
  if (m.observer) m.observer->enters(m.moment(), c, -1, standings(walks));
}

}  // namespace trellis::flow
