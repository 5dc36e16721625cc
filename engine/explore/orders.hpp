#pragma once
// Every loop order of a kernel: legal or not, and why not in one line. Orders come nearest first, counting
// adjacent swaps and reversals from the order that was asked about.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/place/place.hpp"

namespace trellis::explore {

struct Verdict {
  lang::Order order;
  int distance = 0;  ///< adjacent swaps and reversals from the given order
  bool legal = false;
  std::string reason;          ///< empty when legal
  std::optional<double> cost;  ///< of a legal order: its estimated time over that of the fastest one
  std::optional<double> median_ms;
};

enum class Directions { ascending, both };

struct OrderTable {
  std::int64_t total = 0;  ///< how many orders there are
  std::vector<Verdict> orders;
};

/// What decides about the orders of a kernel: placement about equations, the schedule's proof about a loop program.
struct Judge {
  std::function<bool(const lang::Order&)> is_legal;
  std::function<Verdict(const lang::Order&)> verdict;  ///< its distance is left at 0
};
/// The analysis outlives it.
Judge judge(const place::Analysis& analysis);

/// How many orders a table has. Those of four loops are always judged; of more, as many as there is time for.
struct Most {
  int orders = 1000;
  std::optional<std::chrono::milliseconds> budget = {};
};

/// The first ones around `given`. Can be cancelled before each.
OrderTable orders(const Judge& judge, const lang::Order& given, Directions directions, const Most& most = {});

/// Calls `visit(order, distance)` for the permutations of `given` (and, with `both`, every choice of directions)
/// breadth first by adjacent swaps and reversals, `given` first, until it returns false or none is left.
void walk_orders(const lang::Order& given, Directions directions,
                 const std::function<bool(const lang::Order&, int)>& visit);

struct Nearest {
  std::vector<Verdict> orders;  ///< legal ones
  bool complete = false;        ///< all orders were tried before time ran out
};

/// Up to `count` legal orders nearest to `given`, itself excluded; stops after `budget`
/// (docs/design/placement.md#failure).
Nearest nearest_legal(const Judge& judge, const lang::Order& given, int count = 3,
                      std::chrono::milliseconds budget = std::chrono::milliseconds(200));

}  // namespace trellis::explore
