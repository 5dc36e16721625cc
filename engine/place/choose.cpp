#include <algorithm>
#include <limits>
#include <set>

#include "engine/place/no_order.hpp"
#include "engine/place/place.hpp"
#include "engine/place/placer.hpp"
#include "engine/place/preference.hpp"
#include "engine/place/repair_order.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

// Above this many orders the best one seen so far is good enough.
constexpr int most_orders = 1000;
// The same of what is tried for many loops: to find a legal order, and to make it better.
constexpr int most_repairs = 400, most_improvements = 100;

std::set<std::string> masked_results(const lang::Kernel& kernel) {
  std::set<std::string> names;
  for (const lang::Schedule::Mask& mask : kernel.schedule.masks) names.insert(mask.tensor);
  return names;
}

double weight_of(const Fragment& f, const Site& site, const lang::Program& program,
                 const std::set<std::string>& masked) {
  double instances = 1;
  for (std::size_t k = 0; k < site.loops.size(); ++k) instances *= typical_extent;
  if (site.loops.empty()) return instances;
  std::vector<std::string> loops;
  for (const int pick : site.picks) loops.push_back(f.domain.variables[static_cast<std::size_t>(pick)]);
  std::vector<lang::Access> reads;
  for (const Read& r : f.reads) reads.push_back(r.access);
  return instances * statement_weight(f.write, reads, program, loops, masked);
}

bool carries_flow(Dependences& dependences, const Tree& tree, int loop) {
  const std::vector<int> inside = tree.below({loop});
  for (int f : inside) {
    for (int g : dependences.readers_of(f)) {
      if (!std::ranges::binary_search(inside, g) || !dependences.depends(f, g)) continue;
      const auto all = dependences.pairs(Dependences::Kind::flow, f, g, {});
      const auto here = std::pair{tree.site(f).picks[0], tree.site(g).picks[0]};
      if (dependences.any(dependences.where(all, f, here, math::Relation::not_equal))) return true;
    }
  }
  return false;
}

/// Infinite for an illegal order.
double weight_of(const Analysis& analysis, const lang::Order& order) {
  Dependences& dependences = *analysis.dependences;
  const std::set<std::string> masked = masked_results(analysis.kernel);
  const Search found = search(dependences, order, nullptr);
  if (!found.success) return std::numeric_limits<double>::infinity();
  double total = 0;
  for (const Fragment& f : dependences.fragments().fragments)
    if (f.kind == Fragment::Kind::equation) total += weight_of(f, found.tree.site(f.id), analysis.program, masked);
  const auto& root = found.tree.root;
  const bool parallel = std::all_of(root.begin(), root.end(), [&](const Child& c) {
    return c.kind == Child::Kind::statement || !carries_flow(dependences, found.tree, c.id);
  });
  return parallel ? total * shared_work : total;
}

/// The permutation with the least weight among those with these directions; the first among equals.
std::optional<lang::Order> preferred(const Analysis& analysis, const std::vector<std::string>& names,
                                     const std::vector<std::string>& down, int& left) {
  std::vector<std::size_t> permutation(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) permutation[k] = k;
  std::optional<lang::Order> best;
  double least = std::numeric_limits<double>::infinity();
  do {
    lang::Order order;
    for (std::size_t k : permutation) order.push_back({names[k], contains(down, names[k])});
    const double weight = weight_of(analysis, order);
    if (weight < least) {
      least = weight;
      best = order;
    }
    if (--left <= 0 && best) break;
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return best;
}

/// A legal order that no move of a single loop makes better, as far as they are tried.
std::optional<lang::Order> preferred_of_many(const Analysis& analysis, const std::vector<std::string>& names) {
  lang::Order start;
  for (const std::string& name : names) start.push_back({name, false});
  int left = most_repairs;
  std::optional<lang::Order> best = repair_order(*analysis.dependences, start, left);
  if (!best) return std::nullopt;
  double least = weight_of(analysis, *best);
  left = most_improvements;
  for (std::size_t from = 0; from < names.size(); ++from)
    for (std::size_t to = 0; to < names.size() && left > 0; ++to) {
      if (from == to || from == to + 1) continue;  // the neighbours change places once
      const lang::Order order = moved(*best, from, to);
      const double weight = weight_of(analysis, order);
      --left;
      if (weight >= least) continue;
      least = weight;
      best = order;
    }
  return best;
}

std::optional<lang::Order> chosen_anew(const Analysis& analysis) {
  const std::vector<std::string> names = analysis.kernel.variables();
  if (names.size() > few_loops) return preferred_of_many(analysis, names);
  int left = most_orders;
  // Fewest descending loops first: ascending ones alone nearly always do.
  for (std::size_t count = 0; count <= names.size(); ++count) {
    std::vector<bool> chosen(names.size(), false);
    std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(count), true);
    do {
      std::vector<std::string> down;
      for (std::size_t k = 0; k < names.size(); ++k)
        if (chosen[k]) down.push_back(names[k]);
      if (auto order = preferred(analysis, names, down, left)) return order;
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
  }
  return std::nullopt;
}

}  // namespace

std::optional<lang::Order> choose_order(const Analysis& analysis) {
  auto& chosen = analysis.dependences->chosen;
  const std::set<std::string> masked = masked_results(analysis.kernel);
  if (const auto known = chosen.find(masked); known != chosen.end()) return known->second;
  // Remembered when it is complete: the question can be cancelled.
  return chosen[masked] = chosen_anew(analysis);
}

namespace {

/// What the user's order leaves out goes innermost, which is announced.
lang::Order with_rest(const Analysis& analysis, const lang::Schedule& schedule, text::Diagnostics& diagnostics) {
  const lang::Order all = completed(analysis, *schedule.order);
  if (all.size() == schedule.order->size()) return all;
  const lang::Order added(all.begin() + static_cast<std::ptrdiff_t>(schedule.order->size()), all.end());
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.code = "N0204";
  note.span = schedule.order_span;
  note.message = "order " + lang::to_string(all) + ": what is not listed goes innermost";
  note.label = lang::to_string(added) + (added.size() == 1 ? " is left out" : " are left out");
  diagnostics.add(std::move(note));
  return all;
}

}  // namespace

std::optional<lang::Order> order_for(const Analysis& analysis, const lang::Schedule& schedule,
                                     text::Diagnostics& diagnostics) {
  if (schedule.order) return with_rest(analysis, schedule, diagnostics);
  auto chosen = choose_order(analysis);
  if (!chosen) report_no_order(analysis, diagnostics);
  return chosen;
}

}  // namespace trellis::place
