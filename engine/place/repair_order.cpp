#include "engine/place/repair_order.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "engine/place/placer.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

/// An illegal order, how many statements found a place in the best attempt, and the loops at which that failed.
struct Tried {
  lang::Order order;
  int placed = 0;
  std::vector<std::string> loops = {};
};

Tried tried(const lang::Order& order, const Search& search) {
  Tried result{order};
  for (const Attempt& a : search.attempts) {
    if (a.violation < 0 || a.placed < result.placed) continue;
    if (a.placed > result.placed) result.loops.clear();
    result.placed = a.placed;
    add_once(result.loops, a.loop);
  }
  return result;
}

class Repair {
 public:
  Repair(Dependences& dependences, int& left) : dependences_(dependences), left_(left) {}

  std::optional<lang::Order> run(const lang::Order& start) {
    attempt(start);
    while (!legal_ && left_ > 0 && !open_.empty()) {
      const auto best = std::ranges::max_element(open_, {}, &Tried::placed);
      const Tried next = *best;
      open_.erase(best);
      for (const std::string& loop : next.loops) change(next.order, loop, next.placed);
    }
    return legal_;
  }

 private:
  /// True when nothing better is to be sought among the neighbours: it is legal, or places more.
  bool attempt(const lang::Order& order, int placed = 0) {
    if (legal_ || left_ <= 0 || !seen_.insert(lang::to_string(order)).second) return legal_.has_value();
    --left_;
    const Search found = search(dependences_, order, nullptr);
    if (found.success) legal_ = order;
    else open_.push_back(tried(order, found));
    return legal_ || open_.back().placed > placed;
  }

  /// The loop turned round, further inside, and behind others that go before it.
  void change(lang::Order order, const std::string& loop, int placed) {
    const auto at = std::ranges::find(order, loop, &lang::LoopName::name);
    if (at == order.end()) return;
    const auto here = static_cast<std::size_t>(at - order.begin());
    lang::Order turned = order;
    turned[here].descending = !turned[here].descending;
    if (attempt(turned, placed)) return;
    for (std::size_t to = here + 1; to < order.size(); ++to)
      if (attempt(moved(order, here, to), placed) || attempt(moved(order, to, here), placed)) return;
  }

  Dependences& dependences_;
  int& left_;
  std::vector<Tried> open_;
  std::set<std::string> seen_;
  std::optional<lang::Order> legal_;
};

}  // namespace

lang::Order moved(const lang::Order& order, std::size_t from, std::size_t to) {
  lang::Order result = order;
  const lang::LoopName loop = result[from];
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(from));
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(to), loop);
  return result;
}

std::optional<lang::Order> repair_order(Dependences& dependences, const lang::Order& start, int& left) {
  return Repair(dependences, left).run(start);
}

}  // namespace trellis::place
