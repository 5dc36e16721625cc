#pragma once
// What entries take: to find one, to insert one into a workspace, to list in order those that a workspace collected
// (engine/emit/workspace.hpp).

#include "engine/cost/data.hpp"
#include "engine/cost/machine.hpp"

namespace trellis::cost {

constexpr double page_bytes = 4096;
/// Cycles of a page that is touched for the first time, and comes zeroed; fewer pages come from what is there.
constexpr double fresh_page = 3000, few_pages = 32;

/// Of one look-up in a fiber of so many entries.
double find_cycles(const format::Facts& facts, double fiber, bool marches);

/// To sort so many coordinates, all different, that lie that far apart (emit/prelude/sort.c): short lists by insertion,
/// those that are near each other by marks, others by quicksort, of which half the comparisons are mispredicted.
double sort_cycles(double entries, double span);

/// A level of a workspace that collects, between two resets, so many different entries in so many fibers.
struct Collected {
  format::Facts facts;
  double entries = 0, fibers = 1;
  double size = 1;      ///< coordinates of a fiber
  double inserted = 0;  ///< times, repeated ones too
  bool outermost = true;
};
/// Of one insertion. A fiber's table stays near; tables of a whole result are spread over memory, and grow.
double insert_cycles(const Collected& level, const Machine& machine);
/// To list all entries in order, once, and to take them out again.
double order_cycles(const Collected& level, const Machine& machine);

}  // namespace trellis::cost
