#include "engine/place/placer.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "engine/place/choices.hpp"
#include "engine/place/components.hpp"
#include "engine/place/partial.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using math::Relation;

class Placer {
 public:
  Placer(Dependences& dependences, const lang::Order& order, std::vector<Event>* events, Fusing fusing)
      : dependences_(dependences),
        fragments_(dependences.fragments().fragments),
        events_(events),
        fusing_(fusing),
        partial_(dependences) {
    own_ = own_names(dependences.fragments(), order);
    // Digits go by names that are compared with others of their partition: those stay what they are.
    names_ = lang::has_tiles(order) ? own_ : coalesced(own_, dependences, events);
  }

  Search run() {
    Search result;
    result.success = true;
    for (const Component& c : components(dependences_.dependents())) {
      record(Event::Kind::component, 0, c, "", [&] { return list(c); });
      attempts_.clear();
      if (place_at_root(c)) continue;
      result.success = false;
      result.failed = c;
      result.attempts = attempts_;
      break;
    }
    result.tree = tree();
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
    auto order = components(fragments, [&](int f, int g) { return dependences_.any(partial_.live(f, g)); });
    return std::ranges::all_of(order, [&](const Component& c) {
      const bool placed = component(c, path);
      if (!placed) blamed_ = c;
      return placed;
    });
  }

  bool component(const Component& c, const Path& path) {
    const bool cyclic = partial_.is_cyclic(c);
    if (!cyclic && remaining(c[0]).empty()) return leaf(c[0], path);
    for (int f : c) {
      if (remaining(f).empty())
        return reject(c, path, "", cyclic_pair(c), fragment(f).name + " has no loop left, and the cycle is not broken");
    }
    const std::size_t tried = attempts_.size();
    if (!fuse(c, cyclic, path) && !open_loop(c, cyclic, path)) return false;
    attempts_.resize(tried);  // what failed on the way to success explains nothing
    return true;
  }

  /// First into an existing loop, outermost first, in program order (docs/design/placement.md#fusing).
  bool fuse(const Component& c, bool cyclic, const Path& path) {
    const std::vector<Child> body = tree().body(path);
    const std::vector<Outside> outside = partial_.outside_of(c, path);
    std::map<Child, std::set<Child>> ahead;  // of what is needed, what must come before it
    const auto comes_later = [&](const Child& needed, const Child& than) {
      if (needed == than) return false;
      const auto [known, fresh] = ahead.try_emplace(needed);
      if (fresh) known->second = partial_.before({needed}, path);
      return known->second.contains(than);
    };
    for (const Child& child : body) {
      if (child.kind != Child::Kind::loop) continue;
      const lang::LoopName loop = tree().loop(child.id).name;
      const int name = position(loop.name);
      if (name < first_name(path)) continue;
      const auto late = std::ranges::find_if(outside, [&](const Outside& o) { return comes_later(o.child, child); });
      if (late != outside.end()) {
        note_rejection(c, path, loop.name, "reads what " + fragment(late->writer).name + " writes after this loop");
        continue;
      }
      // A cycle is not renamed only to be fused.
      if (cyclic && std::none_of(c.begin(), c.end(), [&](int f) { return native(f)[at(remaining(f)[0])] == name; }))
        continue;
      std::vector<Outside> inside;
      std::copy_if(outside.begin(), outside.end(), std::back_inserter(inside),
                   [&](const Outside& o) { return o.child == child; });
      auto try_one = [&](const Picks& picks) { return join(c, cyclic, inside, picks, child.id, path); };
      if (each_pick(c, name, cyclic, Target::existing, try_one)) return true;
    }
    return false;
  }

  bool join(const Component& c, bool cyclic, const std::vector<Outside>& inside, const Picks& picks, int loop,
            const Path& path) {
    const std::string& name = tree().loop(loop).name.name;
    const bool renamed = !cyclic && native(c[0])[at(picks[0])] != position(name);
    if (renamed && (!partial_.shares_tensor(c[0], loop) || !partial_.shares_extent(c[0], picks[0], loop))) return false;
    if (!partial_.meets(c, picks, loop, path)) {
      note_rejection(c, path, name, "no iteration in common");
      return false;
    }
    if (partial_.ends_early(c, picks, loop, path)) {
      note_rejection(c, path, name, "until may end this loop early");
      return false;
    }
    if (!folds(name) && partial_.would_carry(c, inside, picks) && !partial_.carries(loop, path)) {
      note_rejection(c, path, name, "fusing would make this forall a for");
      return false;
    }
    const Tree before = tree();
    if (enter(c, inside, picks, loop, path)) return true;
    back_to(before);
    return false;
  }

  void back_to(const Tree& before) {
    tree() = before;
    sketch_.reset();
  }

  /// Is this a loop over timesteps, which fragments share that needs fewer buffers then?
  bool folds(const std::string& loop) const {
    return fusing_ == Fusing::folding_steps && std::ranges::any_of(fragments_, [&](const Fragment& f) {
             const auto step = f.write.step ? lang::affine(*f.write.step) : std::nullopt;
             return step && step->mentions(loop);
           });
  }

  /// A new loop, behind everything that is there.
  bool open_loop(const Component& c, bool cyclic, const Path& path) {
    // A variable that the order does not list needs room, so that other variables may have to move for it.
    const bool movable = cyclic || std::any_of(c.begin(), c.end(), [&](int f) {
                           return !names_.is_listed(native(f)[at(remaining(f).back())]);
                         });
    int first = names_.listed;
    for (int f : c) first = std::min(first, names_.position(native(f)[at(remaining(f)[0])]));
    std::vector<int> candidates;
    const int least = first_name(path);
    if (first == names_.listed) {
      for (int n = least; n < names_.listed; ++n) candidates.push_back(n);
    } else {
      if (first >= least) candidates.push_back(first);
      if (movable)
        for (int n = first - 1; n >= least; --n) candidates.push_back(n);
    }
    for (int name : candidates) {
      auto try_one = [&](const Picks& picks) {
        const Tree before = tree();
        const int loop = static_cast<int>(tree().loops.size());
        tree().loops.add({names_.order[at(name)], {}, {}});
        tree().edit_body(path).push_back({Child::Kind::loop, loop});
        sketch_.reset();
        if (enter(c, {}, picks, loop, path)) return true;
        back_to(before);
        return false;
      };
      if (each_pick(c, name, movable, Target::fresh, try_one)) return true;
    }
    note_rejection(c, path, "", "no loop fits");
    if (attempts_.empty()) attempts_.push_back({static_cast<int>(path.size()), "", c, -1, -1, -1, false, {}});
    return false;
  }

  bool enter(const Component& c, const std::vector<Outside>& inside, const Picks& picks, int loop, const Path& path) {
    const lang::LoopName name = tree().loop(loop).name;
    const Relation after = reads_early(name);
    bool internal = false;
    for (std::size_t a = 0; a < c.size(); ++a) {
      for (std::size_t b = 0; b < c.size(); ++b) {
        const Dependences::Id pairs = partial_.live(c[a], c[b]);
        if (!dependences_.any(pairs)) continue;
        internal = true;
        const Dependences::Id late = dependences_.where(pairs, c[a], {picks[a], picks[b]}, after);
        if (!dependences_.any(late)) continue;
        blamed_ = {c[a], c[b]};
        return reject(c, path, name.name, {c[a], c[b], late}, wrong_way(c[a], c[b]), &picks);
      }
    }
    for (const Outside& o : inside) {
      const std::size_t b = static_cast<std::size_t>(std::find(c.begin(), c.end(), o.reader) - c.begin());
      const Dependences::Id late =
          dependences_.where(o.pairs, o.writer, {tree().site(o.writer).picks[path.size()], picks[b]}, after);
      if (!dependences_.any(late)) continue;
      blamed_ = {o.reader};
      return reject(c, path, name.name, {o.writer, o.reader, late}, wrong_way(o.writer, o.reader), &picks);
    }
    const bool carried = internal && partial_.carries_inside(c, picks);
    for (std::size_t k = 0; k < c.size(); ++k) {
      tree().sites.edit(c[k]).loops.push_back(loop);
      tree().sites.edit(c[k]).picks.push_back(picks[k]);
    }
    if (carried) tree().loops.edit(loop).assumed.push_back(c);
    record(carried ? Event::Kind::assume : Event::Kind::attempt, path.size(), c, name.name,
           [&] { return list(c) + " over " + name.name + renaming(c, picks, name.name); });
    Path inner = path;
    inner.push_back(loop);
    return group(c, inner);
  }

  bool leaf(int f, const Path& path) {
    tree().edit_body(path).push_back({Child::Kind::statement, f});
    tree().sites.edit(f).placed = true;
    tree().last_placed = std::max(tree().last_placed, f);
    sketch_.reset();
    for (std::size_t depth = 0; depth <= path.size(); ++depth) {
      const Path outer(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth));
      if (!partial_.linearise(outer, f)) continue;
      sketch_.reset();
      record(Event::Kind::reorder, depth, tree().below(outer), outer.empty() ? "" : tree().loop(outer.back()).name.name,
             [] { return std::string("children"); });
    }
    const auto written = [&] { return lang::to_string(Expr({fragment(f).write, {}, {}})); };
    record(Event::Kind::place, path.size(), {f}, "", written);
    if (!fragment(f).op) record(Event::Kind::ready, path.size(), {f}, "", written);
    return true;
  }

  enum class Target { existing, fresh };

  /// What a fragment may contribute to a loop of this name: its own variable, or one to rename
  /// (docs/design/placement.md#renaming).
  std::vector<int> options(int f, int name, bool movable, Target target) {
    const std::vector<int> left = remaining(f);
    if (left.empty()) return {};
    const int first = native(f)[at(left[0])];
    if (first == name) return {left[0]};
    if (names_.is_listed(first) && first < name) return {};
    if (std::any_of(left.begin(), left.end(), [&](int v) { return native(f)[at(v)] == name; })) return {};
    std::vector<int> free = left;
    if (names_.is_listed(first) && !movable) free.resize(target == Target::existing ? 1 : 0);
    // A tile can stand for a tile's loop, a coordinate for a coordinate's.
    const std::string& loop = names_.order[at(name)].name;
    std::erase_if(free, [&](int v) { return !is_of_kind(fragment(f).domain.variables[at(v)], loop); });
    return free;
  }

  /// Of large components most choices fail for what two of their fragments chose, so that whatever the others choose is
  /// tried once only. Small ones try it all: what is wrong with the best of it is what people are told.
  static constexpr std::size_t most_tried = 256;
  /// So many attempts in all, and then none that fails for the same choices as another one; nor is it kept.
  static constexpr std::int64_t most_patient = 2000;

  bool each_pick(const Component& c, int name, bool movable, Target target,
                 const std::function<bool(const Picks&)>& try_one) {
    std::vector<std::vector<int>> choices;
    std::size_t product = 1;
    for (int f : c) {
      choices.push_back(options(f, name, movable, target));
      if (choices.back().empty()) return false;
      product = std::min(product * choices.back().size(), most_tried + 1);
    }
    const Relation after = reads_early(names_.order[at(name)]);
    return Chooser{c, choices,
                   [&](const Picks& picks, std::size_t k) {
                     return product > most_tried ? partial_.clashing(c, picks, k, after) : Component{};
                   },
                   [&](const Picks& picks) {
                     ++tries_;
                     blamed_ = c;
                     return try_one(picks) ? std::nullopt : std::optional(blamed_);
                   },
                   [&] { return tries_ > most_patient; }}
        .choose();
  }

  /// How the loop's iteration that writes compares with the one that reads, where that is too early.
  static Relation reads_early(const lang::LoopName& loop) {
    return loop.descending ? Relation::less : Relation::greater;
  }

  struct BadPair {
    int writer = -1, reader = -1;
    Dependences::Id pairs = -1;
  };

  BadPair cyclic_pair(const Component& c) {
    for (int f : c)
      for (int g : c)
        if (dependences_.any(partial_.live(f, g))) return {f, g, partial_.live(f, g)};
    return {};
  }

  bool reject(const Component& c, const Path& path, const std::string& loop, BadPair v, const std::string& why,
              const Picks* picks = nullptr) {
    note_rejection(c, path, loop, why);
    if (tries_ > most_patient && !attempts_.empty()) return false;
    Attempt attempt{static_cast<int>(path.size()), loop, c, v.writer, v.reader, v.pairs, false, {}};
    for (std::size_t k = 0; k < c.size(); ++k) {
      const Site& s = tree().site(c[k]);
      for (std::size_t d = 0; d <= s.loops.size(); ++d) {
        if (d == s.loops.size() && !picks) break;
        const int variable = d < s.loops.size() ? s.picks[d] : (*picks)[k];
        const std::string& name = d < s.loops.size() ? tree().loop(s.loops[d]).name.name : loop;
        const std::string& own = fragment(c[k]).domain.variables[at(variable)];
        if (contains(digit_names(own), name)) continue;
        attempt.renamed = true;
        std::pair<std::string, std::string> one{own, name};
        add_once(attempt.renaming, one);
      }
    }
    for (const Fragment& f : fragments_) attempt.placed += tree().site(f.id).placed;
    attempts_.push_back(std::move(attempt));
    return false;
  }

  void note_rejection(const Component& c, const Path& path, const std::string& loop, const std::string& why) {
    record(Event::Kind::reject, path.size(), c, loop,
           [&] { return list(c) + (loop.empty() ? ": " : " at " + loop + ": ") + why; });
  }

  template <class Words>
  void record(Event::Kind kind, std::size_t depth, const Component& c, const std::string& loop, const Words& words) {
    if (!events_) return;
    if (!sketch_) sketch_ = sketch(tree());
    events_->push_back({kind, static_cast<int>(depth), c, loop, words(), *sketch_});
  }

  std::string wrong_way(int writer, int reader) const {
    return fragment(reader).name + " would read what " + fragment(writer).name + " writes later";
  }

  std::string renaming(const Component& c, const Picks& picks, const std::string& name) const {
    std::string out;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const std::string& own = fragment(c[k]).domain.variables[at(picks[k])];
      if (!contains(digit_names(own), name)) out += ", " + own + " of " + fragment(c[k]).name + " as " + name;
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
    const std::vector<int>& used = tree().site(f).picks;
    for (int v = 0; v < static_cast<int>(fragment(f).domain.variables.size()); ++v)
      if (!contains(used, v)) result.push_back(v);
    std::stable_sort(result.begin(), result.end(), [&](int a, int b) {
      return names_.position(native(f)[at(a)]) < names_.position(native(f)[at(b)]);
    });
    return result;
  }

  int first_name(const Path& path) const { return path.empty() ? 0 : position(tree().loop(path.back()).name.name) + 1; }
  int position(const std::string& name) const {
    for (int k = 0; k < names_.listed; ++k)
      if (names_.order[at(k)].name == name) return k;
    return names_.listed;
  }

  Tree& tree() { return partial_.tree; }
  const Tree& tree() const { return partial_.tree; }
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  const Fragment& fragment(int f) const { return fragments_[at(f)]; }
  const std::vector<int>& native(int f) const { return names_.native[at(f)]; }

  Dependences& dependences_;
  const std::vector<Fragment>& fragments_;
  std::vector<Event>* events_;
  Fusing fusing_;
  Partial partial_;
  Naming own_, names_;
  std::vector<Attempt> attempts_;
  std::int64_t tries_ = 0;        ///< choices that were attempted
  Component blamed_;              ///< for the last failure: with other fragments' choices it would be one as well
  std::optional<Sketch> sketch_;  ///< of the tree as it is
};

}  // namespace

Search search(Dependences& dependences, const lang::Order& order, std::vector<Event>* events, Fusing fusing) {
  return Placer(dependences, order, events, fusing).run();
}

}  // namespace trellis::place
