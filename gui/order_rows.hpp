#pragma once
// What is known about the orders of a kernel, in the order of a table: verdicts and estimates of the snapshot, medians
// of the last `orders time`.

#include <memory>
#include <vector>

#include "gui/order_words.hpp"

namespace trellis::gui {

struct OrderRow {
  explore::Verdict verdict;
  bool mine = false;     ///< in force, or asked for
  bool refuted = false;  ///< its estimate and its median disagree about its rank
  double off = 1;        ///< times as slow as the estimate says, both against the fastest measured; below 1: as fast
  /// So far off that the estimate is not to be gone by.
  bool far_off() const { return off > 2 || off < 0.5; }
};

struct OrderRows {
  std::vector<OrderRow> rows =
      {};                  ///< legal ones first: the fastest measured, else estimated; then illegal ones, nearest first
  std::int64_t total = 0;  ///< orders that there are
  std::optional<run::Backend> timed = {};  ///< that the medians are of
  bool stale = false;                      ///< the kernel has changed since they were measured
  double slowest_cost = 0, slowest_ms = 0;

  const OrderRow* mine() const;
  int legal() const;
  /// From `mine` to the nearest legal order by adjacent swaps, both ends among them; empty when `mine` is legal, or
  /// none is.
  std::vector<std::size_t> way_to_legal() const;
};

/// Kept until what it is made of changes.
const OrderRows& order_rows(const Scene& scene, Ui& ui);

/// Whether an adjacent swap or the reversal of one loop leads from one to the other.
bool are_neighbours(const lang::Order& a, const lang::Order& b);

}  // namespace trellis::gui
