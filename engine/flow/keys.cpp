#include "engine/flow/keys.hpp"

#include <algorithm>
#include <cstdlib>

namespace trellis::flow {

Keys::Keys(const Cursor& cursor, Store& store, Range first) : cursor_(cursor), store_(store), ranges_{first} {
  for (std::size_t k = 1; k <= cursor.digits.size(); ++k) {
    const Range above = ranges_.back();
    const format::Facts& facts = store.facts(level(k));
    if (above.first >= above.last) ranges_.push_back({0, 0});
    else if (facts.dense()) ranges_.push_back({above.first * store.size(level(k)), above.last * store.size(level(k))});
    else ranges_.push_back({store.fiber(level(k), above.first).first, store.fiber(level(k), above.last - 1).last});
  }
}

int Keys::level(std::size_t k) const { return k < cursor_.digits.size() ? cursor_.digits[k].level : cursor_.level; }

const math::DigitMap& Keys::map(std::size_t k) const {
  return k < cursor_.digits.size() ? cursor_.digits[k].map : cursor_.own;
}

std::int64_t Keys::coordinate(std::size_t k, std::int64_t position) const {
  if (!store_.facts(level(k)).dense()) return store_.coordinate(level(k), position);
  return position % store_.size(level(k));
}

/// Whose fiber the position is in.
std::int64_t Keys::above(std::size_t k, std::int64_t position) const {
  if (store_.facts(level(k)).dense()) return position / store_.size(level(k));
  return first_that(ranges_[k - 1], [&](std::int64_t p) { return store_.fiber(level(k), p).last > position; });
}

Trail Keys::trail(std::int64_t entry) const {
  Trail all;
  for (std::size_t k = ranges_.size(); k-- > 0; entry = k > 0 ? above(k, entry) : entry)
    all.push_back({entry, coordinate(k, entry)});
  std::reverse(all.begin(), all.end());
  return all;
}

std::int64_t Keys::of(std::int64_t entry) const {
  std::int64_t key = 0;
  for (std::size_t k = ranges_.size(); k-- > 0; entry = k > 0 ? above(k, entry) : entry)
    key += map(k).digit(coordinate(k, entry)) * (k < cursor_.digits.size() ? cursor_.digits[k].unit : 1);
  return key;
}

bool Keys::left_out(std::int64_t entry) const {
  for (std::size_t k = ranges_.size(); k-- > 0; entry = k > 0 ? above(k, entry) : entry)
    if (!map(k).takes(coordinate(k, entry))) return true;
  return false;
}

std::vector<Standing::Level> Keys::levels(std::int64_t entry) const {
  std::vector<Standing::Level> all;
  const Trail trail = this->trail(entry);
  for (std::size_t k = 0; k < trail.size(); ++k) {
    const std::int64_t at = trail[k].position, size = store_.size(level(k));
    Range fiber = ranges_.front();
    if (k > 0 && store_.facts(level(k)).dense())
      fiber = {trail[k - 1].position * size, (trail[k - 1].position + 1) * size};
    else if (k > 0) fiber = store_.fiber(level(k), trail[k - 1].position);
    const bool last = k == cursor_.digits.size();
    Standing::Level one{level(k), last ? 1 : cursor_.digits[k].unit, map(k), at, fiber.first, fiber.last};
    one.first = std::max(fiber.first, at - near_entries);
    for (std::int64_t p = one.first; p < std::min(fiber.last, at + near_entries + 1); ++p)
      one.stored.push_back(coordinate(k, p));
    all.push_back(std::move(one));
  }
  return all;
}

Range Keys::fiber_of(std::int64_t entry) const {
  const std::size_t k = ranges_.size() - 1;
  return store_.fiber(level(k), above(k, entry));
}

std::int64_t Keys::fibers_between(std::int64_t from, std::int64_t to) const {
  std::int64_t all = 0;
  for (std::size_t k = ranges_.size() - 1; k > 0; --k) {
    from = above(k, from);
    to = above(k, to);
    if (store_.facts(level(k)).positions) all += std::abs(to - from);
  }
  return all;
}

}  // namespace trellis::flow
