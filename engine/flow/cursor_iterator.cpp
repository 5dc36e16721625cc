#include "engine/flow/cursor_iterator.hpp"

#include <algorithm>

namespace trellis::flow {

CursorIterator::CursorIterator(const Cursor& cursor, const Coiterate& loop, Store& store, const Spot& parent,
                               Range entries, std::int64_t offset, const std::optional<Bounds>& bounds)
    : cursor_(cursor),
      store_(store),
      parent_(parent),
      offset_(offset),
      keys_(cursor.is_product() ? std::optional(Keys(cursor, store, entries)) : std::nullopt),
      regions_(loop.by_regions() || !store.facts(cursor.level).points()),
      live_(store.tensor().live && !loop.by_regions()),
      begin_(entries.first) {
  const format::Facts& facts = store.facts(cursor.level);
  if (keys_) entries = keys_->entries();
  clipped_ = cursor.leaves_digits_out();
  down_ = loop.direction == Loop::Direction::down;
  falls_ = facts.decreasing && store.tensor().storage != Tensor::Storage::temporary;
  backward_ = (down_ != cursor.reversed) != facts.decreasing;
  several_ = (!facts.unique && !keys_) || cursor.takes_segments();
  if (live_) {
    open_live(bounds);
    return;
  }
  const std::int64_t stretch = regions_ ? 1 : cursor.stretch;
  Range counted{entries.first * stretch, entries.last * stretch};
  if (regions_) {
    if ((cursor.below || cursor.above) && facts.ordered && bounds) clip_regions(*bounds, counted);
  } else if ((cursor.below || cursor.above) && facts.ordered && bounds) clip(*bounds, counted);
  at_ = backward_ ? counted.last - 1 : counted.first;
  end_ = backward_ ? counted.first : counted.last;
  if (alive() && clipped_ && keys_->left_out(at_)) pass_left_out();
  next_ = at_;
  counted_ = counted;
}

void CursorIterator::pass_left_out() {
  while (alive() && keys_->left_out(at_)) at_ += backward_ ? -1 : 1;
}

void CursorIterator::open_live(const std::optional<Bounds>& bounds) {
  counted_ = {0, store_.size(cursor_.level)};
  if (bounds && cursor_.below) counted_.first = std::max(counted_.first, bounds->low);
  if (bounds && cursor_.above) counted_.last = std::min(counted_.last, bounds->high);
  end_ = backward_ ? counted_.first : counted_.last;
  seek_live(backward_ ? counted_.last - 1 : counted_.first);
}

/// The nearest one that is not before the coordinate.
void CursorIterator::seek_live(std::int64_t coordinate) {
  const std::set<std::int64_t>& all = store_.ordered();
  auto found = backward_ ? all.upper_bound(coordinate) : all.lower_bound(coordinate);
  const bool none = found == (backward_ ? all.begin() : all.end());
  if (backward_ && !none) --found;
  at_ = none ? end_ - backward_ : *found;
}

std::int64_t CursorIterator::moved(std::int64_t counted) const {
  if (live_) return counted;
  std::int64_t stored = this->stored(counted / cursor_.stretch);
  if (cursor_.stretch > 1) {
    const std::int64_t which = counted % cursor_.stretch;
    stored = cursor_.stretch * stored + (falls_ ? cursor_.stretch - 1 - which : which);
  }
  return cursor_.reversed ? offset_ - stored : offset_ + stored;
}

Range CursorIterator::ends(std::int64_t entry) const {
  const std::int64_t stretch = cursor_.stretch, stride = cursor_.stride;
  const std::int64_t first = store_.first_coordinate(cursor_.level, entry, begin_) * stretch;
  const std::int64_t last = store_.coordinate(cursor_.level, entry) * stretch + stretch - 1;
  const std::int64_t low = cursor_.reversed ? offset_ - last : offset_ + first;
  const std::int64_t high = cursor_.reversed ? offset_ - first : offset_ + last;
  const auto floor_div = [&](std::int64_t a) { return a / stride - (a % stride < 0); };
  return {floor_div(low + stride - 1), floor_div(high)};
}

void CursorIterator::clip_regions(const Bounds& bounds, Range& entries) const {
  const bool rises = cursor_.reversed == falls_;
  const auto below = [&](std::int64_t k) { return ends(k).last < bounds.low; };
  const auto above = [&](std::int64_t k) { return ends(k).first >= bounds.high; };
  entries.first = first_that(entries, [&](std::int64_t k) { return rises ? !below(k) : !above(k); });
  entries.last = first_that(entries, [&](std::int64_t k) { return rises ? above(k) : below(k); });
}

// Only what lies within the loop's bounds: found by bisection.
void CursorIterator::clip(const Bounds& bounds, Range& counted) const {
  const bool rises = cursor_.reversed == falls_;
  const std::int64_t least = bounds.low * cursor_.stride, most = (bounds.high - 1) * cursor_.stride + cursor_.width - 1;
  const auto below = [&](std::int64_t k) { return moved(k) < least; };
  const auto above = [&](std::int64_t k) { return moved(k) > most; };
  if (clipped_) {  // keys that mean nothing lie in between
    const auto outside = [&](std::int64_t k) { return keys_->left_out(k) || below(k) || above(k); };
    while (counted.first < counted.last && outside(counted.first)) ++counted.first;
    while (counted.first < counted.last && outside(counted.last - 1)) --counted.last;
    return;
  }
  if (rises ? cursor_.below : cursor_.above)
    counted.first = first_that(counted, [&](std::int64_t k) { return rises ? !below(k) : !above(k); });
  if (rises ? cursor_.above : cursor_.below)
    counted.last = first_that(counted, [&](std::int64_t k) { return rises ? above(k) : below(k); });
}

bool CursorIterator::before(std::int64_t i) const {
  if (regions_) return down_ ? low() > i : high() < i;
  return is_before(moved(), i);
}

bool CursorIterator::is_before(std::int64_t moved, std::int64_t i) const {
  const std::int64_t wanted = cursor_.stride * i;
  return down_ ? moved >= wanted + cursor_.width : moved < wanted;
}

void CursorIterator::tell(Machine& m) const {
  m.spend(1);
  if (!m.observer) return;
  if (!alive()) m.observer->runs_out(m.moment(), cursor_);
  else m.observer->stands(m.moment(), cursor_, entry(), coordinate());
}

void CursorIterator::skip_to(std::int64_t i, Machine& m) {
  while (alive() && before(i))
    if (!keys_ || !leave_fiber(i, m)) move(m);
}

/// All of its entries are before the coordinate.
bool CursorIterator::leave_fiber(std::int64_t i, Machine& m) {
  const Range fiber = keys_->fiber_of(at_);
  if (!is_before(moved(backward_ ? fiber.first : fiber.last - 1), i)) return false;
  const std::int64_t from = at_;
  at_ = backward_ ? fiber.first - 1 : fiber.last;
  if (clipped_) pass_left_out();
  if (alive()) m.spend(keys_->fibers_between(from, at_));
  tell(m);
  return true;
}

void CursorIterator::skip_left_out(Machine& m) {
  if (live_ && passed_) {
    const std::int64_t before = at_;
    seek_live(*passed_ + (backward_ ? -1 : 1));
    if (at_ != before) tell(m);
    return;
  }
  while (alive() && (regions_ ? low() > high() : left_out())) move(m);
}

// Where coordinates may repeat: all entries that have the one of the next entry, if that is `i`.
void CursorIterator::stand_at(std::int64_t i) {
  passed_ = i;
  const auto is_there = [&](std::int64_t k) {
    if (backward_ ? k < end_ : k >= end_) return false;
    const std::int64_t first = cursor_.stride * i;
    if (!regions_) return first <= moved(k) && moved(k) < first + cursor_.width;
    const Range reach = ends(k);
    return reach.first <= i && i <= reach.last;
  };
  here_ = is_there(at_);
  next_ = at_;
  if (!here_) return;
  do next_ += backward_ ? -1 : 1;
  while (several_ && is_there(next_));
}

Entry CursorIterator::entry() const {
  if (live_) return {at_, at_};
  const std::int64_t entry = entry_of(at_);
  if (keys_) return {entry, keys_->of(entry)};
  return {store_.child(cursor_.level, parent_.position, entry), store_.coordinate(cursor_.level, entry)};
}

Standing CursorIterator::standing() const {
  if (live_) {
    const std::set<std::int64_t>& all = store_.ordered();
    const std::vector<std::int64_t> stored(all.begin(), all.end());
    const auto count = static_cast<std::int64_t>(stored.size());
    const auto at = std::ranges::lower_bound(stored, at_ + (backward_ && !alive())) - stored.begin();
    return {cursor_, alive(), here_, backward_ && !alive() ? -1 : at, 0, count, 0, stored, {}, at, at + here_};
  }
  const std::int64_t begin = entry_of(counted_.first);
  const std::int64_t end = std::max(begin, regions_ ? counted_.last : entry_of(counted_.last + cursor_.stretch - 1));
  const std::int64_t at = alive() ? entry_of(at_) : backward_ ? begin - 1 : end;
  Standing standing{cursor_, alive(), here_, at, begin, end, std::max(begin, at - near_entries), {}};
  for (std::int64_t k = standing.first; k < std::min(end, at + near_entries + 1); ++k) {
    standing.stored.push_back(clipped_ && keys_->left_out(k) ? no_key : stored(k));
    if (regions_) standing.starts.push_back(store_.first_coordinate(cursor_.level, k, begin_));
  }
  if (here_) {
    standing.from = several_ && backward_ ? next_ + 1 : at;
    standing.to = several_ && !backward_ ? next_ : at + 1;
  }
  if (keys_ && alive()) standing.levels = keys_->levels(at);
  return standing;
}

Spot CursorIterator::spot() const {
  if (live_) {
    Spot spot{at_, {}, parent_.trail};
    spot.trail.push_back(entry());
    return spot;
  }
  const std::int64_t first = several_ && backward_ ? next_ + 1 : entry_of(at_);
  if (cursor_.takes_segments()) return {first, backward_ ? at_ + 1 : next_, parent_.trail};
  if (keys_) {
    Spot spot{first, {}, parent_.trail};
    for (const Entry& one : keys_->trail(first)) spot.trail.push_back(one);
    return spot;
  }
  const Entry found{store_.child(cursor_.level, parent_.position, first), store_.coordinate(cursor_.level, first)};
  Spot spot{found.position, {}, parent_.trail};
  if (several_) spot.end = backward_ ? at_ + 1 : next_;
  if (store_.facts(cursor_.level).child == format::Child::parent && !spot.trail.empty())
    spot.trail.back().position = first;
  spot.trail.push_back(found);
  return spot;
}

void CursorIterator::advance(Machine& m) {
  if (!several_) return move(m);
  at_ = next_;
  tell(m);
}

void CursorIterator::move(Machine& m) {
  const std::int64_t from = at_;
  at_ += backward_ ? -1 : 1;
  if (clipped_) pass_left_out();
  if (keys_ && alive()) m.spend(keys_->fibers_between(from, at_));
  if (live_) seek_live(at_);
  tell(m);
}

}  // namespace trellis::flow
