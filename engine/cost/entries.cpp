#include "engine/cost/entries.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::cost {
namespace {

/// Of a table: parent, coordinate, slots of which half are free, and the value.
constexpr double table_entry_bytes = 40;

/// Of a list: coordinate, parent, number, value and room to sort them in.
constexpr double listed_bytes = 56;

/// To sort so many coordinates with their numbers (emit/prelude/workspace.c: sort_listed).
double sort_listed_cycles(double entries, double span) {
  constexpr double short_list = 48, moved = 2, byte = 256, digit = 7, counted = 1.5;
  if (entries <= 1) return 0;
  if (entries <= short_list) return entries * (entries / 4 * moved + cycles::misprediction / 2);
  const double digits = std::max(1.0, std::ceil(std::log2(std::max(2.0, span)) / std::log2(byte)));
  return 2 * entries + digits * (digit * entries + counted * byte);
}

/// Lists are written one entry after the other, grouped by fiber, sorted, and added up.
double order_listed_cycles(const Collected& level, const Machine& machine) {
  constexpr double added_up = 5, grouped = 6, far = 25;
  const double fibers = std::max(1.0, level.fibers), each = level.inserted / fibers;
  const double repeated = level.inserted > 0 ? 1 - level.entries / level.inserted : 0;
  double entry = added_up + 2 * repeated * (1 - repeated) * cycles::misprediction;
  if (fibers > 1) entry += grouped;
  if (level.inserted * listed_bytes > machine.caches[1]) entry += far;
  return fibers * (sort_listed_cycles(each, level.size) + 3) + level.inserted * entry + level.entries;
}

/// Of a bytemap a value and a flag for each coordinate: what is new in a slice comes from where there is room for all
/// of them, and what comes again is near by then.
double spread_cycles(const Collected& level, const Machine& machine) {
  constexpr double place_bytes = 9, lines = 3;  // a value's, both ways, and a flag's
  const double bytes = level.fibers * level.size * place_bytes;
  const double fresh = level.inserted > 0 ? std::min(1.0, level.entries / level.inserted) : 1;
  double cycles = 0;
  for (std::size_t cache = 1; cache < machine.caches.size(); ++cache)
    cycles += std::max(0.0, 1 - machine.caches[cache] / bytes) * machine.scattered[cache];
  return lines * fresh * cycles;
}

bool is_far(const Collected& level, const Machine& machine) {
  return !level.outermost && level.entries * table_entry_bytes > machine.caches[1];
}

}  // namespace

double find_cycles(const format::Facts& facts, double fiber, bool marches) {
  if (marches) return cycles::march;
  switch (facts.locate) {
    case format::Locate::binary: return cycles::call + cycles::search_step * std::log2(std::max(1.0, fiber));
    case format::Locate::hash: return cycles::probe;
    case format::Locate::none: return cycles::advance * (fiber / 2 + 1);
    case format::Locate::direct: return cycles::load;
    case format::Locate::one: return 2 * cycles::operation;
  }
  return 0;
}

double sort_cycles(double entries, double span) {
  constexpr double short_list = 8, most_span = 262144, most_apart = 2048;  // as in sort.c
  constexpr double moved = 1.5, marked = 6, word = 0.25, partitioned = 9;
  if (entries <= 1) return 0;
  if (entries <= short_list) return entries * (entries / 4 * moved + cycles::misprediction / 4);
  const auto by_marks = [&](double count, double apart) { return marked * count + word * apart / 64; };
  if (span < most_span && span < most_apart * entries) return by_marks(entries, span);
  const double far = span / most_span, crowded = most_apart * entries / span;
  // What is spread thinly stays so however often it is parted; else until the parts lie near enough.
  if (crowded < 1) return partitioned * entries * std::max(1.0, std::log2(entries / short_list));
  return partitioned * entries * std::log2(std::max(2.0, far)) + by_marks(entries, span);
}

double insert_cycles(const Collected& level, const Machine& machine) {
  if (level.facts.listed) return cycles::append;
  if (level.facts.locate != format::Locate::hash) return cycles::append + spread_cycles(level, machine);
  if (!is_far(level, machine)) return level.outermost ? cycles::probe : 2 * cycles::probe;
  return cycles::whole_update + cycles::whole_entry * std::min(1.0, level.entries / std::max(1.0, level.inserted));
}

double order_cycles(const Collected& level, const Machine& machine) {
  if (level.facts.listed) return order_listed_cycles(level, machine);
  constexpr double taken_out = 3, counted = 12;
  const double fibers = std::max(1.0, level.fibers);
  const double sorted = fibers * sort_cycles(level.entries / fibers, level.size);
  if (level.facts.locate != format::Locate::hash) return sorted + taken_out * level.entries;
  if (is_far(level, machine)) return 0;  // whole_entry has it
  return sorted + 2 * fibers + level.entries * (counted + cycles::probe + taken_out);
}

}  // namespace trellis::cost
