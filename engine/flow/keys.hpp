#pragma once
// What a product goes through, for the interpreter: the entries of its last level, in all fibers of those above, and
// their keys. Where an entry's fibers are is found by bisection, each time it is asked for.

#include <vector>

#include "engine/flow/machine.hpp"

namespace trellis::flow {

class Keys {
 public:
  /// `first`: the entries of its first level, below the parent.
  Keys(const Cursor& cursor, Store& store, Range first);
  /// Of the last level.
  Range entries() const { return ranges_.back(); }
  /// The sum of the digits that lead to an entry, each in its unit.
  std::int64_t of(std::int64_t entry) const;
  /// A coordinate that leads there is no digit: the key means nothing.
  bool left_out(std::int64_t entry) const;
  /// The positions of the levels above, outermost first, and its own.
  Trail trail(std::int64_t entry) const;
  /// The entries that the one shares all levels above with.
  Range fiber_of(std::int64_t entry) const;
  /// Level by level, the fiber that leads to an entry.
  std::vector<Standing::Level> levels(std::int64_t entry) const;
  /// How many fibers lie between two entries, those that are empty as well.
  std::int64_t fibers_between(std::int64_t from, std::int64_t to) const;

 private:
  int level(std::size_t k) const;
  const math::DigitMap& map(std::size_t k) const;
  std::int64_t coordinate(std::size_t k, std::int64_t position) const;
  std::int64_t above(std::size_t k, std::int64_t position) const;

  const Cursor& cursor_;
  Store& store_;
  std::vector<Range> ranges_;  ///< of positions, by level
};

}  // namespace trellis::flow
