#include "engine/flow/walk.hpp"

#include <algorithm>

namespace trellis::flow {

Walk::Walk(const Cursor& cursor, const Coiterate& loop, Store& store, const Spot& parent, Range entries,
           std::int64_t offset, const std::optional<Bounds>& bounds)
    : cursor_(cursor), store_(store), parent_(parent), offset_(offset) {
  const format::Facts& facts = store.facts(cursor.level);
  down_ = loop.direction == Loop::Direction::down;
  falls_ = facts.decreasing && store.tensor().storage != Tensor::Storage::temporary;
  backward_ = (down_ != cursor.reversed) != facts.decreasing;
  several_ = !facts.unique;
  Range counted{entries.first * cursor.stretch, entries.last * cursor.stretch};
  if ((cursor.below || cursor.above) && facts.ordered && bounds) clip(*bounds, counted);
  at_ = backward_ ? counted.last - 1 : counted.first;
  end_ = backward_ ? counted.first : counted.last;
  next_ = at_;
  counted_ = counted;
}

std::int64_t Walk::moved(std::int64_t counted) const {
  std::int64_t stored = store_.coordinate(cursor_.level, counted / cursor_.stretch);
  if (cursor_.stretch > 1) {
    const std::int64_t which = counted % cursor_.stretch;
    stored = cursor_.stretch * stored + (falls_ ? cursor_.stretch - 1 - which : which);
  }
  return cursor_.reversed ? offset_ - stored : offset_ + stored;
}

// Only what lies within the loop's bounds: found by bisection.
void Walk::clip(const Bounds& bounds, Range& counted) const {
  const bool rises = cursor_.reversed == falls_;
  const std::int64_t least = bounds.low * cursor_.stride, most = (bounds.high - 1) * cursor_.stride;
  const auto first_that = [&](const auto& holds) {
    Range range = counted;
    while (range.first < range.last) {
      const std::int64_t middle = range.first + (range.last - range.first) / 2;
      if (holds(middle))
        range.last = middle;
      else
        range.first = middle + 1;
    }
    return range.first;
  };
  const auto below = [&](std::int64_t k) { return moved(k) < least; };
  const auto above = [&](std::int64_t k) { return moved(k) > most; };
  if (rises ? cursor_.below : cursor_.above)
    counted.first = first_that([&](std::int64_t k) { return rises ? !below(k) : !above(k); });
  if (rises ? cursor_.above : cursor_.below)
    counted.last = first_that([&](std::int64_t k) { return rises ? above(k) : below(k); });
}

bool Walk::before(std::int64_t i) const {
  const std::int64_t wanted = cursor_.stride * i;
  return down_ ? moved() > wanted : moved() < wanted;
}

void Walk::tell(Machine& m) const {
  m.spend(1);
  if (!m.observer) return;
  if (!alive())
    m.observer->runs_out(m.moment(), cursor_);
  else
    m.observer->stands(m.moment(), cursor_, entry(), coordinate());
}

void Walk::skip_to(std::int64_t i, Machine& m) {
  while (alive() && before(i)) move(m);
}

void Walk::settle(Machine& m) {
  while (alive() && left_out()) move(m);
}

// Where coordinates may repeat: all entries that have the one of the next entry, if that is `i`.
void Walk::stand_at(std::int64_t i) {
  const auto is_there = [&](std::int64_t k) {
    return (backward_ ? k >= end_ : k < end_) && moved(k) == cursor_.stride * i;
  };
  here_ = is_there(at_);
  next_ = at_;
  if (!here_) return;
  do next_ += backward_ ? -1 : 1;
  while (several_ && is_there(next_));
}

Entry Walk::entry() const {
  const std::int64_t entry = at_ / cursor_.stretch;
  return {store_.child(cursor_.level, parent_.position, entry), store_.coordinate(cursor_.level, entry)};
}

Standing Walk::standing() const {
  constexpr std::int64_t near = 8;
  const std::int64_t begin = counted_.first / cursor_.stretch;
  const std::int64_t end = std::max(begin, (counted_.last + cursor_.stretch - 1) / cursor_.stretch);
  const std::int64_t at = alive() ? at_ / cursor_.stretch : backward_ ? begin - 1 : end;
  Standing standing{cursor_, alive(), here_, at, begin, end, std::max(begin, at - near), {}};
  for (std::int64_t k = standing.first; k < std::min(end, at + near + 1); ++k)
    standing.stored.push_back(store_.coordinate(cursor_.level, k));
  return standing;
}

Spot Walk::spot() const {
  const std::int64_t first = several_ && backward_ ? next_ + 1 : at_ / cursor_.stretch;
  const Entry found{store_.child(cursor_.level, parent_.position, first), store_.coordinate(cursor_.level, first)};
  Spot spot{found.position, {}, parent_.trail};
  if (several_) spot.end = backward_ ? at_ + 1 : next_;
  if (store_.facts(cursor_.level).child == format::Child::parent && !spot.trail.empty())
    spot.trail.back().position = first;
  spot.trail.push_back(found);
  return spot;
}

void Walk::advance(Machine& m) {
  if (!several_) return move(m);
  at_ = next_;
  tell(m);
}

void Walk::move(Machine& m) {
  at_ += backward_ ? -1 : 1;
  tell(m);
}

}  // namespace trellis::flow
