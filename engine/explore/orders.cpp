#include "engine/explore/orders.hpp"

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "engine/text/cancel.hpp"

namespace trellis::explore {
namespace {

constexpr int always_judged = 24;

/// Those in which each variable stands inside of its tiles, and finer tiles inside of coarser ones.
std::int64_t count_orders(const lang::Order& names, Directions directions) {
  std::int64_t total = 1;
  std::map<std::string, std::int64_t> digits;
  for (std::size_t i = 1; i <= names.size(); ++i)
    total = total * static_cast<std::int64_t>(i) * (directions == Directions::both ? 2 : 1) /
            ++digits[lang::variable_of(names[i - 1].name)];
  return total;
}

bool stands_inside_its_tiles(const lang::Order& order) {
  constexpr std::int64_t coordinate = 0;
  std::map<std::string, std::int64_t> last;  // the size of the finest tile so far
  return std::ranges::all_of(order, [&](const lang::LoopName& loop) {
    const auto tile = lang::tile_of(loop.name);
    const std::int64_t size = tile ? tile->size : coordinate;
    const auto [before, fresh] = last.try_emplace(lang::variable_of(loop.name), size);
    return fresh || size < std::exchange(before->second, size);
  });
}

Verdict verdict_of(const place::Analysis& analysis, const lang::Order& order) {
  Verdict verdict{order, 0, place::is_legal(analysis, order), {}, {}, {}};
  if (verdict.legal) return verdict;
  const place::Placement placement = place::place(analysis, order);
  if (const auto* rejected = std::get_if<place::Rejected>(&placement)) verdict.reason = rejected->failure.reason;
  return verdict;
}

}  // namespace

Judge judge(const place::Analysis& analysis) {
  return {[&analysis](const lang::Order& order) { return place::is_legal(analysis, order); },
          [&analysis](const lang::Order& order) { return verdict_of(analysis, order); }};
}

void walk_orders(const lang::Order& given, Directions directions,
                 const std::function<bool(const lang::Order&, int)>& visit) {
  std::set<lang::Order> seen{given};
  std::deque<std::pair<lang::Order, int>> queue{{given, 0}};
  auto push = [&](lang::Order order, int distance) {
    if (stands_inside_its_tiles(order) && seen.insert(order).second) queue.emplace_back(std::move(order), distance);
  };
  while (!queue.empty()) {
    const auto [order, distance] = std::move(queue.front());
    queue.pop_front();
    if (!visit(order, distance)) return;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      lang::Order next = order;
      std::swap(next[i], next[i + 1]);
      push(std::move(next), distance + 1);
    }
    if (directions == Directions::ascending) continue;
    for (std::size_t i = 0; i < order.size(); ++i) {
      lang::Order next = order;
      next[i].descending = !next[i].descending;
      push(std::move(next), distance + 1);
    }
  }
}

OrderTable orders(const Judge& judge, const lang::Order& given, Directions directions, const Most& most) {
  const auto begun = std::chrono::steady_clock::now();
  OrderTable table;
  lang::Order start = given;
  if (directions == Directions::ascending)
    for (lang::LoopName& name : start) name.descending = false;
  table.total = count_orders(start, directions);
  walk_orders(start, directions, [&](const lang::Order& order, int distance) {
    const auto known = static_cast<int>(table.orders.size());
    if (known >= most.orders) return false;
    if (most.budget && known >= always_judged && std::chrono::steady_clock::now() - begun > *most.budget) return false;
    text::stop_if_cancelled();
    table.orders.push_back(judge.verdict(order));
    table.orders.back().distance = distance;
    return true;
  });
  return table;
}

Nearest nearest_legal(const Judge& judge, const lang::Order& given, int count, std::chrono::milliseconds budget) {
  const auto deadline = std::chrono::steady_clock::now() + budget;
  Nearest nearest;
  nearest.complete = true;
  walk_orders(given, Directions::both, [&](const lang::Order& order, int distance) {
    if (distance == 0) return true;
    if (static_cast<int>(nearest.orders.size()) >= count || std::chrono::steady_clock::now() > deadline) {
      nearest.complete = static_cast<int>(nearest.orders.size()) >= count;
      return false;
    }
    if (judge.is_legal(order)) nearest.orders.push_back({order, distance, true, {}, {}, {}});
    return true;
  });
  return nearest;
}

}  // namespace trellis::explore
