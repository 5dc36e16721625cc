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

/// Medians that are further apart are of orders of which one is faster.
constexpr double differ = 1.1;

/// The table that `orders KERNEL time native` shows; empty when there is none.
std::optional<explore::OrderTable> measured(const ScaledExample& c) {
  session::Options options;
  if (!only_once()) options.machine = session::kept_machine();
  options.limits.seconds = 120;
  set_sizes(options, c);
  std::optional<explore::OrderTable> table;
  session::Session session(options);
  session.feed(c.example,
               program_of(c) + "run\norders " + c.kernel + " time " + (only_small() ? "jit" : "native") + "\n",
               [&](const session::Reply& reply) {
                 if (const auto* listed = std::get_if<session::OrdersListed>(&reply.result)) table = listed->table;
               });
  return table;
}

/// Orders two at a time, of which one is faster by more than what measures differ by.
struct Pairs {
  int all = 0, right = 0;

  void count(const std::vector<double>& estimated, const std::vector<double>& timed) {
    for (std::size_t a = 0; a < timed.size(); ++a)
      for (std::size_t b = a + 1; b < timed.size(); ++b) {
        const auto [least, most] = std::minmax(timed[a], timed[b]);
        if (most <= differ * least) continue;
        ++all;
        right += (estimated[a] < estimated[b]) == (timed[a] < timed[b]);
      }
  }
};

/// Ours: the order with the least estimate. The peer: the fastest one.
std::optional<Row> row_of(const ScaledExample& c, Pairs& pairs) {
  const auto table = measured(c);
  if (!table) return std::nullopt;
  std::vector<double> estimated, timed;
  for (const explore::Verdict& v : table->orders)
    if (v.cost && v.median_ms) estimated.push_back(*v.cost), timed.push_back(*v.median_ms);
  if (timed.size() < 2) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(timed);
  Row row{name_of(c), timed.front(), 0, "the fastest of " + std::to_string(timed.size()), least, 0};
  pairs.count(estimated, timed);
  if (most > differ * least) row.agreement = rank_correlation(estimated, timed);
  return row;
}

}  // namespace

Table bench_cost(const Options&) {
  Table table{"cost", "", {}};
  double sum = 0, least = 1;
  int ranked = 0;
  Pairs pairs;
  std::string worst;
  for (const ScaledExample& c : scaled_examples()) {
    const auto row = row_of(c, pairs);
    if (!row && only_once()) table.broken.push_back(c.example);
    if (!row) continue;
    if (row->agreement) sum += *row->agreement, ++ranked;
    if (row->agreement && *row->agreement < least) least = *row->agreement, worst = c.example;
    table.rows.push_back(*row);
  }
  char mean[400];
  std::snprintf(mean, sizeof mean,
                "the order that is estimated to be fastest beside the fastest one; mean rank correlation of estimates "
                "and medians over %d kernels: %.2f (aim: 0.85), the least %.2f (%s; aim: 0.5); of %d pairs of orders "
                "that differ by more than a tenth, the faster one is estimated to be in %.0f %% (aim: 90)",
                ranked, ranked ? sum / ranked : 0.0, least, worst.c_str(), pairs.all,
                pairs.all ? 100.0 * pairs.right / pairs.all : 0.0);
  table.remark = mean;
  return table;
}

}  // namespace trellis::bench
