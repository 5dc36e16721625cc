#include "engine/place/placer.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "engine/place/components.hpp"

namespace trellis::place {
namespace {

using Path = std::vector<int>;
using Component = std::vector<int>;
using Picks = std::vector<int>;  // a variable for each fragment of a component
using Kind = Dependences::Kind;
using math::Relation;

/// Dependences of a component on a statement that stands below the same body.
struct Outside {
  Child child;
  int writer, reader;
  Dependences::Id pairs;
};

class Placer {
 public:
  Placer(Dependences& dependences, const lang::Order& order, std::vector<Event>* events)
      : dependences_(dependences), fragments_(dependences.fragments().fragments), events_(events) {
    own_ = own_names(dependences.fragments(), order);
    names_ = coalesced(own_, dependences, events);
    tree_.sites.resize(fragments_.size());
  }

  Search run() {
    Component all;
    for (const Fragment& f : fragments_) all.push_back(f.id);
    Search result;
    result.success = true;
    for (const Component& c : components(all, [&](int a, int b) { return dependences_.depends(a, b); })) {
      record(Event::Kind::component, 0, c, "", list(c));
      attempts_.clear();
      if (place_at_root(c)) continue;
      result.success = false;
      result.failed = c;
      result.attempts = attempts_;
      break;
    }
    result.tree = tree_;
    result.naming = names_;
    return result;
  }

 private:
  bool place_at_root(const Component& c) {
    if (component(c, {})) return true;
    bool natural = std::all_of(c.begin(), c.end(), [&](int f) { return native(f) == own_.native[at(f)]; });
    if (natural) return false;
    for (int f : c) names_.native[at(f)] = own_.native[at(f)];  // coalescing was a preference only
    return component(c, {});
  }

  bool group(const Component& fragments, const Path& path) {
    auto order = components(fragments, [&](int f, int g) { return dependences_.any(live(f, g)); });
    return std::all_of(order.begin(), order.end(), [&](const Component& c) { return component(c, path); });
  }

  bool component(const Component& c, const Path& path) {
    const bool cyclic = is_cyclic(c);
    if (!cyclic && remaining(c[0]).empty()) return leaf(c[0], path);
    for (int f : c) {
      if (remaining(f).empty()) return reject(c, path, "", cyclic_pair(c), fragment(f).name + " has no loop left, and the cycle is not broken");
    }
    const std::size_t tried = attempts_.size();
    if (!fuse(c, cyclic, path) && !open_loop(c, cyclic, path)) return false;
    attempts_.resize(tried);  // what failed on the way to success explains nothing
    return true;
  }

  /// First into an existing loop, outermost first, in program order (rule 3).
  bool fuse(const Component& c, bool cyclic, const Path& path) {
    const std::vector<Child> body = tree_.body(path);
    const std::vector<Outside> outside = outside_of(c, path);
    for (const Child& child : body) {
      if (child.kind != Child::Kind::loop) continue;
      const lang::LoopName loop = tree_.loop(child.id).name;
      const int name = position(loop.name);
      if (name < first_name(path)) continue;
      const std::set<Child> later = after(child, path);
      auto late = std::find_if(outside.begin(), outside.end(), [&](const Outside& o) { return later.count(o.child) > 0; });
      if (late != outside.end()) {
        note_rejection(c, path, loop.name, "reads what " + fragment(late->writer).name + " writes after this loop");
        continue;
      }
      // A cycle is not renamed only to be fused.
      if (cyclic && std::none_of(c.begin(), c.end(), [&](int f) { return native(f)[at(remaining(f)[0])] == name; })) continue;
      std::vector<Outside> inside;
      std::copy_if(outside.begin(), outside.end(), std::back_inserter(inside), [&](const Outside& o) { return o.child == child; });
      auto try_one = [&](const Picks& picks) { return join(c, cyclic, inside, picks, child.id, path); };
      if (each_pick(c, name, cyclic, Target::existing, try_one)) return true;
    }
    return false;
  }

  bool join(const Component& c, bool cyclic, const std::vector<Outside>& inside, const Picks& picks, int loop, const Path& path) {
    const std::string& name = tree_.loop(loop).name.name;
    if (!cyclic && native(c[0])[at(picks[0])] != position(name) && !shares_tensor(c[0], loop)) return false;
    if (!meets(c, picks, loop, path)) {
      note_rejection(c, path, name, "no iteration in common");
      return false;
    }
    if (!carries(loop, path) && would_carry(c, inside, picks)) {
      note_rejection(c, path, name, "fusing would make this forall a for");
      return false;
    }
    const Tree before = tree_;
    if (enter(c, inside, picks, loop, path)) return true;
    tree_ = before;
    return false;
  }

  /// A new loop, behind everything that is there.
  bool open_loop(const Component& c, bool cyclic, const Path& path) {
    int first = names_.listed;
    for (int f : c) first = std::min(first, names_.position(native(f)[at(remaining(f)[0])]));
    std::vector<int> candidates;
    const int least = first_name(path);
    if (first == names_.listed) {
      for (int n = least; n < names_.listed; ++n) candidates.push_back(n);
    } else {
      if (first >= least) candidates.push_back(first);
      if (cyclic)
        for (int n = first - 1; n >= least; --n) candidates.push_back(n);
    }
    for (int name : candidates) {
      auto try_one = [&](const Picks& picks) {
        const Tree before = tree_;
        const int loop = static_cast<int>(tree_.loops.size());
        tree_.loops.push_back({names_.order[at(name)], {}, {}});
        tree_.body(path).push_back({Child::Kind::loop, loop});
        if (enter(c, {}, picks, loop, path)) return true;
        tree_ = before;
        return false;
      };
      if (each_pick(c, name, cyclic, Target::fresh, try_one)) return true;
    }
    note_rejection(c, path, "", "no loop fits");
    if (attempts_.empty()) attempts_.push_back({static_cast<int>(path.size()), "", c, -1, -1, -1, false, {}});
    return false;
  }

  bool enter(const Component& c, const std::vector<Outside>& inside, const Picks& picks, int loop, const Path& path) {
    const lang::LoopName name = tree_.loop(loop).name;
    const Relation after = name.descending ? Relation::less : Relation::greater;
    bool internal = false;
    for (std::size_t a = 0; a < c.size(); ++a) {
      for (std::size_t b = 0; b < c.size(); ++b) {
        const Dependences::Id pairs = live(c[a], c[b]);
        if (!dependences_.any(pairs)) continue;
        internal = true;
        const Dependences::Id late = dependences_.where(pairs, c[a], {picks[a], picks[b]}, after);
        if (dependences_.any(late)) return reject(c, path, name.name, {c[a], c[b], late}, wrong_way(c[a], c[b]), &picks);
      }
    }
    for (const Outside& o : inside) {
      const std::size_t b = static_cast<std::size_t>(std::find(c.begin(), c.end(), o.reader) - c.begin());
      const Dependences::Id late = dependences_.where(o.pairs, o.writer, {tree_.site(o.writer).picks[path.size()], picks[b]}, after);
      if (dependences_.any(late)) return reject(c, path, name.name, {o.writer, o.reader, late}, wrong_way(o.writer, o.reader), &picks);
    }
    const bool carried = internal && carries_inside(c, picks);
    for (std::size_t k = 0; k < c.size(); ++k) {
      tree_.site(c[k]).loops.push_back(loop);
      tree_.site(c[k]).picks.push_back(picks[k]);
    }
    if (carried) tree_.loop(loop).assumed.push_back(c);
    record(carried ? Event::Kind::assume : Event::Kind::attempt, path.size(), c, name.name,
           list(c) + " over " + name.name + renaming(c, picks, name.name));
    Path inner = path;
    inner.push_back(loop);
    return group(c, inner);
  }

  bool leaf(int f, const Path& path) {
    tree_.body(path).push_back({Child::Kind::statement, f});
    tree_.site(f).placed = true;
    for (std::size_t depth = 0; depth <= path.size(); ++depth) linearise(Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth)));
    record(Event::Kind::place, path.size(), {f}, "", lang::to_string(Expr({fragment(f).write, {}, {}})));
    if (!fragment(f).op) record(Event::Kind::ready, path.size(), {f}, "", lang::to_string(Expr({fragment(f).write, {}, {}})));
    return true;
  }

  /// Keeps the children of a body in an order that respects dependences, ties by source.
  void linearise(const Path& path) {
    std::vector<Child>& body = tree_.body(path);
    auto first = [&](const Child& c) {
      for (int f : tree_.below(path))
        if (tree_.child(f, path.size()) == c) return f;
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
    if (result != body) record(Event::Kind::reorder, path.size(), {}, "", "children of one body");
    body = result;
  }

  /// Which children must come before which, by the dependences that are equal on the loops around them.
  std::set<std::pair<Child, Child>> precedence(const Path& path) {
    std::set<std::pair<Child, Child>> result;
    const std::vector<int> below = tree_.below(path);
    for (int f : below) {
      for (int g : below) {
        Child a = tree_.child(f, path.size()), b = tree_.child(g, path.size());
        if (a == b || result.count({a, b}) || !dependences_.depends(f, g)) continue;
        if (dependences_.any(Kind::flow, f, g, tree_.equalities(f, g, path.size()))) result.insert({a, b});
      }
    }
    return result;
  }

  std::set<Child> after(const Child& child, const Path& path) {
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

  std::vector<Outside> outside_of(const Component& c, const Path& path) {
    std::vector<Outside> result;
    for (int f : tree_.below(path)) {
      for (int g : c) {
        if (f == g || !dependences_.depends(f, g)) continue;
        const Dependences::Id pairs = dependences_.pairs(Kind::flow, f, g, tree_.equalities(f, g, path.size()));
        if (dependences_.any(pairs)) result.push_back({tree_.child(f, path.size()), f, g, pairs});
      }
    }
    return result;
  }

  enum class Target { existing, fresh };

  /// What a fragment may contribute to a loop of this name: its own variable, or one to rename (rule 5).
  std::vector<int> options(int f, int name, bool cyclic, Target target) {
    const std::vector<int> left = remaining(f);
    if (left.empty()) return {};
    const int first = native(f)[at(left[0])];
    if (first == name) return {left[0]};
    if (names_.is_listed(first) && first < name) return {};
    if (std::any_of(left.begin(), left.end(), [&](int v) { return native(f)[at(v)] == name; })) return {};
    if (!names_.is_listed(first)) return left;
    if (cyclic) return left;
    if (target == Target::existing) return {left[0]};
    return {};
  }

  bool each_pick(const Component& c, int name, bool cyclic, Target target, const std::function<bool(const Picks&)>& try_one) {
    std::vector<std::vector<int>> choices;
    for (int f : c) {
      choices.push_back(options(f, name, cyclic, target));
      if (choices.back().empty()) return false;
    }
    Picks picks(c.size());
    std::function<bool(std::size_t)> choose = [&](std::size_t k) {
      if (k == c.size()) return try_one(picks);
      return std::any_of(choices[k].begin(), choices[k].end(), [&](int v) {
        picks[k] = v;
        return choose(k + 1);
      });
    };
    return choose(0);
  }

  bool shares_tensor(int f, int loop) const {
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

  bool meets(const Component& c, const Picks& picks, int loop, const Path& path) {
    for (int g : in_loop(loop)) {
      for (std::size_t k = 0; k < c.size(); ++k) {
        auto equal = tree_.equalities(g, c[k], path.size());
        equal.emplace_back(tree_.site(g).picks[path.size()], picks[k]);
        if (dependences_.any(Kind::any, g, c[k], equal)) return true;
      }
    }
    return false;
  }

  bool carries(int loop, const Path& path) {
    if (!tree_.loop(loop).assumed.empty()) return true;
    const std::vector<int> inside = in_loop(loop);
    for (int f : inside) {
      for (int g : inside) {
        if (!dependences_.depends(f, g)) continue;
        auto pairs = dependences_.pairs(Kind::flow, f, g, tree_.equalities(f, g, path.size()));
        std::pair<int, int> here{tree_.site(f).picks[path.size()], tree_.site(g).picks[path.size()]};
        if (dependences_.any(dependences_.where(pairs, f, here, Relation::not_equal))) return true;
      }
    }
    return false;
  }

  bool would_carry(const Component& c, const std::vector<Outside>& inside, const Picks& picks) {
    return std::any_of(inside.begin(), inside.end(), [&](const Outside& o) {
      const std::size_t b = static_cast<std::size_t>(std::find(c.begin(), c.end(), o.reader) - c.begin());
      const int a = tree_.site(o.writer).picks[tree_.site(c[0]).loops.size()];
      return dependences_.any(dependences_.where(o.pairs, o.writer, {a, picks[b]}, Relation::not_equal));
    });
  }

  bool carries_inside(const Component& c, const Picks& picks) {
    for (std::size_t a = 0; a < c.size(); ++a)
      for (std::size_t b = 0; b < c.size(); ++b)
        if (dependences_.any(dependences_.where(live(c[a], c[b]), c[a], {picks[a], picks[b]}, Relation::not_equal))) return true;
    return false;
  }

  struct Violation {
    int writer = -1, reader = -1;
    Dependences::Id pairs = -1;
  };

  Violation cyclic_pair(const Component& c) {
    for (int f : c)
      for (int g : c)
        if (dependences_.any(live(f, g))) return {f, g, live(f, g)};
    return {};
  }

  bool reject(const Component& c, const Path& path, const std::string& loop, Violation v, const std::string& why, const Picks* picks = nullptr) {
    Attempt attempt{static_cast<int>(path.size()), loop, c, v.writer, v.reader, v.pairs, false, {}};
    for (std::size_t k = 0; k < c.size(); ++k) {
      const Site& s = tree_.site(c[k]);
      for (std::size_t d = 0; d <= s.loops.size(); ++d) {
        if (d == s.loops.size() && !picks) break;
        const int variable = d < s.loops.size() ? s.picks[d] : (*picks)[k];
        const std::string& name = d < s.loops.size() ? tree_.loop(s.loops[d]).name.name : loop;
        const std::string& own = fragment(c[k]).domain.variables[at(variable)];
        if (own == name) continue;
        attempt.renamed = true;
        std::pair<std::string, std::string> one{own, name};
        if (std::find(attempt.renaming.begin(), attempt.renaming.end(), one) == attempt.renaming.end()) attempt.renaming.push_back(one);
      }
    }
    attempts_.push_back(std::move(attempt));
    note_rejection(c, path, loop, why);
    return false;
  }

  void note_rejection(const Component& c, const Path& path, const std::string& loop, const std::string& why) {
    record(Event::Kind::reject, path.size(), c, loop, list(c) + (loop.empty() ? ": " : " at " + loop + ": ") + why);
  }

  void record(Event::Kind kind, std::size_t depth, const Component& c, const std::string& loop, const std::string& text) {
    if (events_) events_->push_back({kind, static_cast<int>(depth), c, loop, text});
  }

  std::string wrong_way(int writer, int reader) const { return fragment(reader).name + " would read what " + fragment(writer).name + " writes later"; }

  std::string renaming(const Component& c, const Picks& picks, const std::string& name) const {
    std::string out;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const std::string& own = fragment(c[k]).domain.variables[at(picks[k])];
      if (own != name) out += ", " + own + " of " + fragment(c[k]).name + " as " + name;
    }
    return out;
  }

  std::string list(const Component& c) const {
    std::string out;
    for (int f : c) out += (out.empty() ? "" : ", ") + fragment(f).name;
    return out;
  }

  /// Variables that no loop around the fragment is yet, outermost name first.
  std::vector<int> remaining(int f) const {
    std::vector<int> result;
    const std::vector<int>& used = tree_.site(f).picks;
    for (int v = 0; v < static_cast<int>(fragment(f).domain.variables.size()); ++v)
      if (std::find(used.begin(), used.end(), v) == used.end()) result.push_back(v);
    std::stable_sort(result.begin(), result.end(),
                     [&](int a, int b) { return names_.position(native(f)[at(a)]) < names_.position(native(f)[at(b)]); });
    return result;
  }

  bool is_cyclic(const Component& c) {
    for (int f : c)
      for (int g : c)
        if (dependences_.any(live(f, g))) return true;
    return false;
  }

  /// Dependences of two unplaced fragments of one component that are equal on the loops around them.
  Dependences::Id live(int f, int g) { return dependences_.pairs(Kind::flow, f, g, tree_.equalities(f, g, tree_.site(f).loops.size())); }

  std::vector<int> in_loop(int loop) const {
    std::vector<int> result;
    for (const Fragment& f : fragments_) {
      const Site& s = tree_.site(f.id);
      if (s.placed && std::find(s.loops.begin(), s.loops.end(), loop) != s.loops.end()) result.push_back(f.id);
    }
    return result;
  }

  int first_name(const Path& path) const { return path.empty() ? 0 : position(tree_.loop(path.back()).name.name) + 1; }
  int position(const std::string& name) const {
    for (int k = 0; k < names_.listed; ++k)
      if (names_.order[at(k)].name == name) return k;
    return names_.listed;
  }

  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  const Fragment& fragment(int f) const { return fragments_[at(f)]; }
  const std::vector<int>& native(int f) const { return names_.native[at(f)]; }

  Dependences& dependences_;
  const std::vector<Fragment>& fragments_;
  std::vector<Event>* events_;
  Naming own_, names_;
  Tree tree_;
  std::vector<Attempt> attempts_;
};

}  // namespace

Search search(Dependences& dependences, const lang::Order& order, std::vector<Event>* events) {
  return Placer(dependences, order, events).run();
}

}  // namespace trellis::place
