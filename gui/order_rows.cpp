#include "gui/order_rows.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "engine/explore/ranks.hpp"
#include "gui/asked.hpp"

namespace trellis::gui {
namespace {

struct OrderRowsKept {
  std::shared_ptr<const session::ExplainedView> explained;
  std::shared_ptr<const session::DrawnView> drawn;
  const session::OrdersListed* listed = nullptr;
  std::shared_ptr<const session::OrdersListed> measured;
  bool stale = false;
  OrderRows rows;
};

std::shared_ptr<const session::OrdersListed> measured_of(const Scene& scene) {
  const auto found = scene.snapshot->measured_orders.find(scene.kernel->name);
  return found == scene.snapshot->measured_orders.end() ? nullptr : found->second;
}

/// Of kernels with many orders the estimates are asked for when they are looked at.
const session::OrdersListed* listed_of(const Scene& scene, Ui& ui) {
  const session::DrawnView* drawn = scene.drawn();
  if (!drawn || !drawn->estimated_orders.empty() || scene.explained()->orders.orders.size() > 120) return nullptr;
  const session::Reply* reply = asked(scene, ui, "orders " + scene.kernel->name);
  return reply ? std::get_if<session::OrdersListed>(&reply->result) : nullptr;
}

bool before(const explore::Verdict& a, const explore::Verdict& b) {
  if (a.legal != b.legal) return a.legal;
  if (!a.legal) return a.distance < b.distance;
  const double unknown = 1e300;
  if (a.median_ms.value_or(unknown) != b.median_ms.value_or(unknown))
    return a.median_ms.value_or(unknown) < b.median_ms.value_or(unknown);
  return a.cost.value_or(unknown) < b.cost.value_or(unknown);
}

/// Estimates from wherever there are some: of few orders they come with the snapshot, else the session was asked.
std::map<lang::Order, double> estimates(const session::DrawnView* drawn, const session::OrdersListed* listed) {
  std::map<lang::Order, double> costs;
  const auto take = [&](const std::vector<explore::Verdict>& from) {
    for (const explore::Verdict& one : from)
      if (one.cost) costs.emplace(one.order, *one.cost);
  };
  if (drawn && !drawn->estimated_orders.empty()) take(drawn->estimated_orders);
  else if (listed) take(listed->table.orders);
  return costs;
}

/// How many times as slow the clock says the order is, against the fastest, as the estimate says; 1: nobody knows.
double off_by(const explore::Verdict& order, const explore::Verdict& fastest) {
  const bool known = order.cost && order.median_ms && fastest.cost && fastest.median_ms;
  if (!known || *order.cost <= 0 || *fastest.median_ms <= 0) return 1;
  return *order.median_ms / *fastest.median_ms / (*order.cost / *fastest.cost);
}

OrderRows made_rows(const session::ExplainedView& explained, const std::map<lang::Order, double>& costs,
                    const session::OrdersListed* measured) {
  OrderRows made{.rows = {}, .total = explained.orders.total};
  std::vector<explore::Verdict> verdicts = explained.orders.orders;
  std::map<lang::Order, double> medians;
  if (measured) made.timed = measured->timed;
  if (measured)
    for (const explore::Verdict& one : measured->table.orders)
      if (one.median_ms) medians[one.order] = *one.median_ms;
  for (explore::Verdict& one : verdicts)
    if (one.legal) {
      if (const auto found = medians.find(one.order); found != medians.end()) one.median_ms = found->second;
      if (const auto found = costs.find(one.order); found != costs.end()) one.cost = found->second;
    }
  std::ranges::stable_sort(verdicts, before);
  const std::vector<bool> refuted = explore::refuted_estimates(verdicts);
  const auto fastest = std::ranges::min_element(
      verdicts, {}, [](const explore::Verdict& one) { return one.cost ? one.median_ms.value_or(1e300) : 1e300; });
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    made.slowest_cost = std::max(made.slowest_cost, verdicts[i].cost.value_or(0));
    made.slowest_ms = std::max(made.slowest_ms, verdicts[i].median_ms.value_or(0));
    const bool mine = verdicts[i].order == explained.in_force;
    const double off = off_by(verdicts[i], *fastest);
    made.rows.push_back({verdicts[i], mine, refuted[i], off});
  }
  return made;
}

}  // namespace

const OrderRow* OrderRows::mine() const {
  const auto found = std::ranges::find_if(rows, &OrderRow::mine);
  return found == rows.end() ? nullptr : &*found;
}

int OrderRows::legal() const {
  return static_cast<int>(std::ranges::count_if(rows, [](const OrderRow& row) { return row.verdict.legal; }));
}

std::vector<std::size_t> OrderRows::way_to_legal() const {
  const auto start = static_cast<std::size_t>(std::ranges::find_if(rows, &OrderRow::mine) - rows.begin());
  if (start == rows.size() || rows[start].verdict.legal) return {};
  std::vector<std::size_t> from(rows.size(), rows.size());
  std::deque<std::size_t> queue{start};
  from[start] = start;
  while (!queue.empty()) {
    const std::size_t at = queue.front();
    queue.pop_front();
    if (rows[at].verdict.legal) {
      std::vector<std::size_t> way{at};
      while (way.back() != start) way.push_back(from[way.back()]);
      std::ranges::reverse(way);
      return way;
    }
    for (std::size_t next = 0; next < rows.size(); ++next)
      if (from[next] == rows.size() && are_neighbours(rows[at].verdict.order, rows[next].verdict.order))
        from[next] = at, queue.push_back(next);
  }
  return {};
}

const OrderRows& order_rows(const Scene& scene, Ui& ui) {
  auto& kept = ui.memory<OrderRowsKept>("order rows");
  const auto measured = measured_of(scene);
  const session::OrdersListed* listed = listed_of(scene, ui);
  if (kept.explained != scene.kernel->explained || kept.drawn != scene.kernel->drawn || kept.measured != measured ||
      kept.listed != listed) {
    kept.explained = scene.kernel->explained, kept.drawn = scene.kernel->drawn, kept.measured = measured,
    kept.listed = listed;
    kept.rows = made_rows(*kept.explained, estimates(scene.drawn(), listed), measured.get());
  }
  kept.rows.stale = scene.snapshot->stale_orders.contains(scene.kernel->name);
  return kept.rows;
}

bool are_neighbours(const lang::Order& a, const lang::Order& b) {
  std::vector<std::size_t> differ;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) differ.push_back(i);
  if (differ.size() == 1) return a[differ[0]].name == b[differ[0]].name;
  return differ.size() == 2 && differ[1] == differ[0] + 1 && a[differ[0]] == b[differ[1]] &&
         a[differ[1]] == b[differ[0]];
}

}  // namespace trellis::gui
