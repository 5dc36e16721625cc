// Estimates beside the clock: the legal orders of kernels of examples/, at sizes that take a while, each estimated and
// measured. What counts is whether both rank them alike.
#include <algorithm>

#include "engine/session/running/kept_machine.hpp"
#include "engine/session/session.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/contest.hpp"
#include "tests/bench/rank_correlation.hpp"
#include "tests/bench/scaled_examples.hpp"

namespace trellis::bench {
namespace {

/// The table that `orders KERNEL time native` shows; empty when there is none.
std::optional<explore::OrderTable> measured(const ScaledExample& c) {
  session::Options options;
  if (!only_once()) options.machine = session::kept_machine();
  options.limits.seconds = 120;
  set_sizes(options, c);
  std::optional<explore::OrderTable> table;
  session::Session session(options);
  session.feed(c.example, program_of(c) + "orders " + c.kernel + " time " + (only_small() ? "jit" : "native") + "\n",
               [&](const session::Reply& reply) {
                 if (const auto* listed = std::get_if<session::OrdersListed>(&reply.result)) table = listed->table;
               });
  return table;
}

/// Ours: the order with the least estimate. The peer: the fastest one.
std::optional<Row> row_of(const ScaledExample& c) {
  const auto table = measured(c);
  if (!table) return std::nullopt;
  std::vector<double> estimated, timed;
  for (const explore::Verdict& v : table->orders)
    if (v.cost && v.median_ms) estimated.push_back(*v.cost), timed.push_back(*v.median_ms);
  if (timed.size() < 2) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(timed);
  Row row{name_of(c), timed.front(), 0, "the fastest of " + std::to_string(timed.size()), least, 0};
  constexpr double differs = 1.1;
  if (most > differs * least) row.agreement = rank_correlation(estimated, timed);
  return row;
}

}  // namespace

Table bench_cost(const Options&) {
  Table table{"cost", "", {}};
  double sum = 0;
  int ranked = 0;
  for (const ScaledExample& c : scaled_examples()) {
    const auto row = row_of(c);
    if (!row && only_once()) table.broken.push_back(c.example);
    if (!row) continue;
    if (row->agreement) sum += *row->agreement, ++ranked;
    table.rows.push_back(*row);
  }
  char mean[160];
  std::snprintf(mean, sizeof mean,
                "the order that is estimated to be fastest beside the fastest one; mean rank correlation of estimates "
                "and medians over %d "
                "kernels: %.2f (aim: 0.8)",
                ranked, ranked ? sum / ranked : 0.0);
  table.remark = mean;
  return table;
}

}  // namespace trellis::bench
