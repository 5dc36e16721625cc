#include "engine/place/partial.hpp"

#include <algorithm>

#include "engine/place/naming.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using Kind = Dependences::Kind;
using math::Relation;

}  // namespace

Partial::Partial(Dependences& dependences) : dependences_(dependences), fragments_(dependences.fragments().fragments) {
  tree.sites.resize(fragments_.size());
}

Dependences::Id Partial::live(int f, int g) { return dependences_.pairs(Kind::flow, f, g, tree.equalities(f, g, tree.site(f).loops.size())); }

bool Partial::is_cyclic(const Component& c) {
  for (int f : c)
    for (int g : c)
      if (dependences_.any(live(f, g))) return true;
  return false;
}

std::vector<Outside> Partial::outside_of(const Component& c, const Path& path) {
  std::vector<Outside> result;
  for (int f : tree.below(path)) {
    for (int g : c) {
      if (f == g || !dependences_.depends(f, g)) continue;
      const Dependences::Id pairs = dependences_.pairs(Kind::flow, f, g, tree.equalities(f, g, path.size()));
      if (dependences_.any(pairs)) result.push_back({tree.child(f, path.size()), f, g, pairs});
    }
  }
  return result;
}

std::set<std::pair<Child, Child>> Partial::precedence(const Path& path) {
  std::set<std::pair<Child, Child>> result;
  const std::vector<int> below = tree.below(path);
  for (int f : below) {
    for (int g : below) {
      Child a = tree.child(f, path.size()), b = tree.child(g, path.size());
      if (a == b || result.count({a, b}) || !dependences_.depends(f, g)) continue;
      if (dependences_.any(Kind::flow, f, g, tree.equalities(f, g, path.size()))) result.insert({a, b});
    }
  }
  return result;
}

std::set<Child> Partial::after(const Child& child, const Path& path) {
  const auto before = precedence(path);
  std::set<Child> seen;
  std::vector<Child> todo = {child};
  while (!todo.empty()) {
    Child c = todo.back();
    todo.pop_back();
    for (const auto& [a, b] : before)
      if (a == c && seen.insert(b).second) todo.push_back(b);
  }
  return seen;
}

bool Partial::linearise(const Path& path) {
  std::vector<Child>& body = tree.body(path);
  auto first = [&](const Child& c) {
    for (int f : tree.below(path))
      if (tree.child(f, path.size()) == c) return f;
    return static_cast<int>(fragments_.size());  // a loop that is being entered, still without a statement
  };
  std::vector<Child> sorted = body;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Child& a, const Child& b) { return first(a) < first(b); });
  const std::set<std::pair<Child, Child>> before = precedence(path);
  std::vector<Child> result;
  while (!sorted.empty()) {
    auto next = std::find_if(sorted.begin(), sorted.end(), [&](const Child& c) {
      return std::none_of(sorted.begin(), sorted.end(), [&](const Child& d) { return d != c && before.count({d, c}) > 0; });
    });
    if (next == sorted.end()) next = sorted.begin();
    result.push_back(*next);
    sorted.erase(next);
  }
  if (result == body) return false;
  body = result;
  return true;
}

std::vector<int> Partial::in_loop(int loop) const {
  std::vector<int> result;
  for (const Fragment& f : fragments_) {
    const Site& s = tree.site(f.id);
    if (s.placed && contains(s.loops, loop)) result.push_back(f.id);
  }
  return result;
}

bool Partial::shares_tensor(int f, int loop) const {
  auto touched = [&](int g) {
    std::set<std::string> names = {fragment(g).write.tensor};
    for (const Read& r : fragment(g).reads) names.insert(r.access.tensor);
    return names;
  };
  const std::set<std::string> mine = touched(f);
  for (int g : in_loop(loop))
    for (const std::string& t : touched(g))
      if (mine.count(t)) return true;
  return false;
}

bool Partial::shares_extent(int f, int variable, int loop) const {
  const std::string mine = extent_of(fragment(f), variable);
  for (int g : in_loop(loop)) {
    const Site& s = tree.site(g);
    const auto depth = std::find(s.loops.begin(), s.loops.end(), loop) - s.loops.begin();
    if (extent_of(fragment(g), s.picks[static_cast<std::size_t>(depth)]) == mine) return true;
  }
  return false;
}

bool Partial::meets(const Component& c, const Picks& picks, int loop, const Path& path) {
  for (int g : in_loop(loop)) {
    for (std::size_t k = 0; k < c.size(); ++k) {
      auto equal = tree.equalities(g, c[k], path.size());
      equal.emplace_back(tree.site(g).picks[path.size()], picks[k]);
      if (dependences_.any(Kind::any, g, c[k], equal)) return true;
    }
  }
  return false;
}

bool Partial::ends_early(const Component& c, const Picks& picks, int loop, const Path& path) const {
  bool until = false, stranger = false;
  const auto look = [&](const Fragment& f, int pick) {
    const bool steps = f.step && f.domain.variables[static_cast<std::size_t>(pick)] == *f.step;
    until |= f.kind == Fragment::Kind::until && steps;
    stranger |= !steps;
  };
  for (int g : in_loop(loop)) look(fragment(g), tree.site(g).picks[path.size()]);
  for (std::size_t k = 0; k < c.size(); ++k) look(fragment(c[k]), picks[k]);
  return until && stranger;
}

bool Partial::carries(int loop, const Path& path) {
  if (!tree.loop(loop).assumed.empty()) return true;
  const std::vector<int> inside = in_loop(loop);
  for (int f : inside) {
    for (int g : inside) {
      if (!dependences_.depends(f, g)) continue;
      auto pairs = dependences_.pairs(Kind::flow, f, g, tree.equalities(f, g, path.size()));
      std::pair<int, int> here{tree.site(f).picks[path.size()], tree.site(g).picks[path.size()]};
      if (dependences_.any(dependences_.where(pairs, f, here, Relation::not_equal))) return true;
    }
  }
  return false;
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
      if (dependences_.any(dependences_.where(live(c[a], c[b]), c[a], {picks[a], picks[b]}, Relation::not_equal))) return true;
  return false;
}

}  // namespace trellis::place
