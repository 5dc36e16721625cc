#include "engine/place/partial.hpp"

#include <algorithm>
#include <map>

#include "engine/place/naming.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using Kind = Dependences::Kind;
using math::Relation;

}  // namespace

Partial::Partial(Dependences& dependences) : dependences_(dependences), fragments_(dependences.fragments().fragments) {
  tree.sites.resize(fragments_.size());
  any_exits_ = std::ranges::any_of(fragments_, [](const Fragment& f) { return f.kind == Fragment::Kind::until; });
}

Dependences::Id Partial::live(int f, int g) {
  return dependences_.pairs(Kind::flow, f, g, tree.equalities(f, g, tree.site(f).loops.size()));
}

bool Partial::is_cyclic(const Component& c) {
  for (int f : c)
    for (int g : c)
      if (dependences_.any(live(f, g))) return true;
  return false;
}

std::vector<Outside> Partial::outside_of(const Component& c, const Path& path) {
  std::vector<std::pair<int, int>> candidates;
  for (int g : c)
    for (int f : dependences_.writers_of(g))
      if (f != g && tree.is_under(f, path)) candidates.emplace_back(f, g);
  std::ranges::stable_sort(candidates, {}, &std::pair<int, int>::first);
  std::vector<Outside> result;
  for (const auto& [f, g] : candidates) {
    if (!dependences_.depends(f, g)) continue;
    const Dependences::Id pairs = dependences_.pairs(Kind::flow, f, g, tree.equalities(f, g, path.size()));
    if (dependences_.any(pairs)) result.push_back({tree.child(f, path.size()), f, g, pairs});
  }
  return result;
}

std::set<std::pair<Child, Child>> Partial::precedence(const Path& path) {
  std::set<std::pair<Child, Child>> result;
  for (int f : tree.below(path)) {
    for (int g : dependences_.readers_of(f)) {
      if (!tree.is_under(g, path) || !dependences_.depends(f, g)) continue;
      Child a = tree.child(f, path.size()), b = tree.child(g, path.size());
      if (a == b || result.count({a, b})) continue;
      // Outside of all loops every pair is equal on the loops around.
      if (path.empty() || dependences_.any(Kind::flow, f, g, tree.equalities(f, g, path.size()))) result.insert({a, b});
    }
  }
  return result;
}

std::set<Child> Partial::before(const std::set<Child>& some, const Path& path) {
  std::map<Child, std::vector<Child>> ahead;
  for (const auto& [a, b] : precedence(path)) ahead[b].push_back(a);
  std::set<Child> seen = some;
  std::vector<Child> todo(some.begin(), some.end());
  while (!todo.empty()) {
    const Child c = todo.back();
    todo.pop_back();
    for (const Child& a : ahead[c])
      if (seen.insert(a).second) todo.push_back(a);
  }
  return seen;
}

/// Is it the last in source order, and does its child stand behind all that it may depend on, and before what may
/// depend on it? Then the order of the others stays what it is.
bool Partial::is_placed_last(int f, const Path& path) const {
  for (int g = f + 1; g <= tree.last_placed; ++g)
    if (tree.is_under(g, path)) return false;
  const std::vector<Child>& body = tree.body(path);
  const auto place = [&](int g) { return std::ranges::find(body, tree.child(g, path.size())); };
  const auto own = place(f);
  const auto stands = [&](int g, bool behind) {
    if (!tree.is_under(g, path)) return true;
    const auto other = place(g);
    return other == own || (behind ? own < other : other < own);
  };
  return std::ranges::all_of(dependences_.writers_of(f), [&](int g) { return stands(g, false); }) &&
         std::ranges::all_of(dependences_.readers_of(f), [&](int g) { return stands(g, true); });
}

bool Partial::linearise(const Path& path, int fresh) {
  if (is_placed_last(fresh, path)) return false;
  std::map<Child, int> first;
  for (int f : tree.below(path)) first.try_emplace(tree.child(f, path.size()), f);
  std::vector<Child> sorted = tree.body(path);
  std::ranges::stable_sort(sorted, {}, [&](const Child& c) {
    const auto known = first.find(c);  // unless it is a loop that is being entered, still without a statement
    return known == first.end() ? static_cast<int>(fragments_.size()) : known->second;
  });
  std::map<Child, int> rank;
  for (const Child& c : sorted) rank.emplace(c, static_cast<int>(rank.size()));
  std::vector<std::vector<int>> behind(sorted.size());
  std::vector<int> waits(sorted.size(), 0);
  for (const auto& [a, b] : precedence(path)) {
    behind[static_cast<std::size_t>(rank.at(a))].push_back(rank.at(b));
    ++waits[static_cast<std::size_t>(rank.at(b))];
  }
  std::set<int> left, ready;
  for (int k = 0; k < std::ssize(sorted); ++k) (waits[static_cast<std::size_t>(k)] > 0 ? left : ready).insert(k);
  std::vector<Child> result;
  while (!left.empty() || !ready.empty()) {
    std::set<int>& from = ready.empty() ? left : ready;
    const int next = *from.begin();
    from.erase(from.begin());
    result.push_back(sorted[static_cast<std::size_t>(next)]);
    for (const int k : behind[static_cast<std::size_t>(next)])
      if (--waits[static_cast<std::size_t>(k)] == 0 && left.erase(k) > 0) ready.insert(k);
  }
  if (result == tree.body(path)) return false;
  tree.edit_body(path) = std::move(result);
  return true;
}

bool Partial::any_in_loop(int loop, const std::function<bool(int)>& test) const {
  return std::ranges::any_of(tree.loop(loop).body, [&](const Child& child) {
    return child.kind == Child::Kind::statement ? test(child.id) : any_in_loop(child.id, test);
  });
}

bool Partial::shares_tensor(int f, int loop) const {
  const auto touches = [](const Fragment& g, const std::set<std::string>& names) {
    return names.contains(g.write.tensor) ||
           std::ranges::any_of(g.reads, [&](const Read& r) { return names.contains(r.access.tensor); });
  };
  std::set<std::string> mine = {fragment(f).write.tensor};
  for (const Read& r : fragment(f).reads) mine.insert(r.access.tensor);
  return any_in_loop(loop, [&](int g) { return touches(fragment(g), mine); });
}

bool Partial::shares_extent(int f, int variable, int loop) const {
  const std::string mine = extent_of(fragment(f), variable);
  return any_in_loop(loop, [&](int g) {
    const Site& s = tree.site(g);
    const auto depth = std::find(s.loops.begin(), s.loops.end(), loop) - s.loops.begin();
    return extent_of(fragment(g), s.picks[static_cast<std::size_t>(depth)]) == mine;
  });
}

bool Partial::meets(const Component& c, const Picks& picks, int loop, const Path& path) {
  return any_in_loop(loop, [&](int g) {
    for (std::size_t k = 0; k < c.size(); ++k) {
      auto equal = tree.equalities(g, c[k], path.size());
      equal.emplace_back(tree.site(g).picks[path.size()], picks[k]);
      if (dependences_.any(Kind::any, g, c[k], equal)) return true;
    }
    return false;
  });
}

bool Partial::ends_early(const Component& c, const Picks& picks, int loop, const Path& path) const {
  if (!any_exits_) return false;
  bool until = false, stranger = false;
  const auto look = [&](const Fragment& f, int pick) {
    const bool steps = f.step && f.domain.variables[static_cast<std::size_t>(pick)] == *f.step;
    until |= f.kind == Fragment::Kind::until && steps;
    stranger |= !steps;
    return until && stranger;
  };
  for (std::size_t k = 0; k < c.size(); ++k) look(fragment(c[k]), picks[k]);
  return any_in_loop(loop, [&](int g) { return look(fragment(g), tree.site(g).picks[path.size()]); }) ||
         (until && stranger);
}

bool Partial::carries(int loop, const Path& path) {
  if (!tree.loop(loop).assumed.empty()) return true;
  return any_in_loop(loop, [&](int f) {
    return std::ranges::any_of(dependences_.readers_of(f), [&](int g) {
      const Site& reader = tree.site(g);
      if (!reader.placed || !contains(reader.loops, loop) || !dependences_.depends(f, g)) return false;
      auto pairs = dependences_.pairs(Kind::flow, f, g, tree.equalities(f, g, path.size()));
      std::pair<int, int> here{tree.site(f).picks[path.size()], tree.site(g).picks[path.size()]};
      return dependences_.any(dependences_.where(pairs, f, here, Relation::not_equal));
    });
  });
}

bool Partial::would_carry(const Component& c, const std::vector<Outside>& inside, const Picks& picks) {
  return std::any_of(inside.begin(), inside.end(), [&](const Outside& o) {
    const std::size_t b = static_cast<std::size_t>(std::find(c.begin(), c.end(), o.reader) - c.begin());
    const int a = tree.site(o.writer).picks[tree.site(c[0]).loops.size()];
    return dependences_.any(dependences_.where(o.pairs, o.writer, {a, picks[b]}, Relation::not_equal));
  });
}

bool Partial::carries_inside(const Component& c, const Picks& picks) {
  for (std::size_t a = 0; a < c.size(); ++a)
    for (std::size_t b = 0; b < c.size(); ++b)
      if (dependences_.any(dependences_.where(live(c[a], c[b]), c[a], {picks[a], picks[b]}, Relation::not_equal)))
        return true;
  return false;
}

Component Partial::clashing(const Component& c, const Picks& picks, std::size_t k, Relation later) {
  const auto is_late = [&](std::size_t a, std::size_t b) {
    const Dependences::Id pairs = live(c[a], c[b]);
    return dependences_.any(pairs) && dependences_.any(dependences_.where(pairs, c[a], {picks[a], picks[b]}, later));
  };
  for (std::size_t a = 0; a <= k; ++a)
    if (is_late(a, k) || is_late(k, a)) return {c[a], c[k]};
  return {};
}

}  // namespace trellis::place
