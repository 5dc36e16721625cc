#include "engine/place/buffers.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/place/bounds.hpp"
#include "engine/place/carried.hpp"
#include "engine/place/instances.hpp"
#include "engine/place/late_pairs.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using math::Affine;
using math::Relation;
using Id = Dependences::Id;

// More buffers than this for a tensor, and all of its steps are kept.
constexpr int most_slots = 4;

std::string free_name(const Analysis& analysis, std::string name, const std::vector<std::string>& taken) {
  auto is_taken = [&] {
    return analysis.program.tensor(name) || analysis.program.parameter(name) || contains(taken, name) ||
           std::any_of(analysis.fragments.temporaries.begin(), analysis.fragments.temporaries.end(),
                       [&](const auto& t) { return t.name == name; });
  };
  while (is_taken()) name += "_";
  return name;
}

/// A size that is never too small, nor negative: sizes themselves are not.
Affine at_most(const Affine& count) {
  Affine result(std::max<std::int64_t>(count.constant, 0));
  for (const auto& [name, coefficient] : count.terms)
    if (coefficient > 0) result = result + Affine::name(name, coefficient);
  return count.quotients.empty() ? result : count;
}

lang::TensorInfo kept_steps(const Analysis& analysis, const std::string& tensor, int slots) {
  lang::TensorInfo info = *analysis.program.tensor(tensor);
  const auto steps = std::find_if(analysis.kernel.timesteps.begin(), analysis.kernel.timesteps.end(),
                                  [&](const auto& t) { return t.tensor == tensor; });
  info.name = free_name(analysis, tensor + "_steps", {});
  info.kind = lang::TensorInfo::Kind::temporary;
  info.shape.insert(info.shape.begin(),
                    slots == Buffers::all_steps ? at_most(steps->count) + Affine(1) : Affine(slots));
  info.format = format::Format::dense(static_cast<int>(info.shape.size()));
  return info;
}

/// Questions about one tree: does a read still find its value?
class Sharing {
 public:
  Sharing(const Analysis& analysis, const Tree& tree, const std::vector<Initialiser>& initialisers)
      : analysis_(analysis),
        fragments_(analysis.fragments.fragments),
        dependences_(*analysis.dependences),
        tree_(tree),
        initialisers_(initialisers) {
    for (const lang::Timesteps& t : analysis.kernel.timesteps)
      if (!analysis.kernel.until && has_copies(t.tensor) && !reads_copies(t.tensor)) unread_.push_back(t.tensor);
  }

  /// Are there implicit copies, and does no equation read what they write?
  bool leaves_copies_unread(const std::string& tensor) const { return contains(unread_, tensor); }

  int proven = 0;  ///< relations shown to be harmless

  /// What becomes of foralls whose iterations share a buffer: one is in the way, or is a for from then on.
  enum class Foralls { stay, run_in_order };
  void let_foralls(Foralls foralls) { foralls_ = foralls; }
  /// These are no foralls.
  void order(const std::vector<int>& loops) { ordered_.insert(loops.begin(), loops.end()); }
  /// Those that came to be none since the last time.
  std::vector<int> newly_ordered() {
    order({new_.begin(), new_.end()});
    const std::set<int> loops = std::exchange(new_, {});
    return {loops.begin(), loops.end()};
  }
  void forget_ordered() { new_.clear(); }

  struct Access {
    int fragment, read;
  };
  std::vector<Access> reads_of(const std::string& tensor, int slots) const {
    std::vector<Access> result;
    for (const Fragment& f : fragments_)
      for (std::size_t k = 0; k < f.reads.size() && takes_part(f, slots); ++k)
        if (f.reads[k].access.tensor == tensor && f.reads[k].access.step) result.push_back({f.id, static_cast<int>(k)});
    return result;
  }
  std::vector<int> writers_of(const std::string& tensor, int slots) const {
    std::vector<int> result;
    for (const Fragment& f : fragments_)
      if (f.write.tensor == tensor && takes_part(f, slots)) result.push_back(f.id);
    return result;
  }

  /// Pairs of a read and a write that comes before it, or in another iteration of a forall.
  std::optional<Overwrite> spoiled(const Access& a, const std::string& tensor, int slots) {
    for (int w : writers_of(tensor, slots)) {
      const Id pairs = dependences_.overwrites(a.fragment, a.read, w, slots);
      if (const auto bad = out_of_order(a.fragment, w, pairs); bad >= 0) return describe(a, w, bad);
      ++proven;
    }
    return std::nullopt;
  }

  /// Do writes to one buffer come in the order of their steps?
  bool writes_in_order(const std::string& tensor, int slots) {
    for (int one : writers_of(tensor, slots))
      for (int other : writers_of(tensor, slots)) {
        if (out_of_order(one, other, dependences_.rewrites(one, other, slots)) >= 0) return false;
        ++proven;
      }
    return true;
  }

  /// Is the value that is read in the buffer when the iteration of the first `depth` loops around the read begins?
  bool is_there_at_start(const Access& a, const std::string& tensor, std::size_t depth) {
    for (int w : writers_of(tensor, 1)) {
      const std::size_t common = tree_.common(a.fragment, w);
      if (common >= depth) {
        const Id late = dependences_.agreeing(dependences_.supplies(w, a.fragment, a.read), w,
                                              tree_.equalities(w, a.fragment, depth));
        if (dependences_.any(late)) return false;
      }
      if (overwritten_before(a, w, std::min(common, depth), depth)) return false;
      proven += 2;
    }
    return true;
  }

 private:
  bool has_copies(const std::string& tensor) const {
    return std::ranges::any_of(
        fragments_, [&](const Fragment& f) { return f.kind == Fragment::Kind::copy && f.write.tensor == tensor; });
  }

  bool reads_copies(const std::string& tensor) const {
    return std::ranges::any_of(fragments_, [&](const Fragment& copy) {
      return copy.kind == Fragment::Kind::copy && copy.write.tensor == tensor &&
             std::ranges::any_of(fragments_, [&](const Fragment& reader) {
               return reader.kind != Fragment::Kind::copy && dependences_.depends(copy.id, reader.id);
             });
    });
  }

  /// With one buffer there are no copies, nor where nothing reads them.
  bool takes_part(const Fragment& f, int slots) const {
    return f.kind != Fragment::Kind::copy || (slots != 1 && !leaves_copies_unread(f.write.tensor));
  }

  bool is_forall(int fragment, std::size_t depth) {
    const auto& loops = tree_.site(fragment).loops;
    const std::vector<int> path(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(depth) + 1);
    if (ordered_.contains(path.back())) return false;
    auto [at, is_new] = forall_.try_emplace(path.back(), false);
    if (is_new) at->second = !carried_by(tree_, dependences_, initialisers_, tree_.below(path), depth).flow;
    return at->second;
  }

  /// Iterations of this forall around a fragment share an element: is that in the way, or do they run in order then?
  bool is_in_the_way(int fragment, std::size_t depth) {
    if (foralls_ == Foralls::stay) return true;
    new_.insert(tree_.site(fragment).loops[depth]);
    return false;
  }

  /// Of `pairs`, the first of which has to run before the second: some that do not, or that a forall would have to order; -1: none.
  Id out_of_order(int first, int second, Id pairs) {
    if (!dependences_.any(pairs)) return -1;
    if (const auto late = late_pairs(tree_, dependences_, first, second, pairs); !late.empty()) return late[0];
    for (std::size_t k = 0; k < tree_.common(first, second); ++k) {
      if (!is_forall(first, k)) continue;
      const Id same = dependences_.agreeing(pairs, first, tree_.equalities(first, second, k));
      const Id apart = dependences_.where(same, first, {tree_.site(first).picks[k], tree_.site(second).picks[k]},
                                          Relation::not_equal);
      if (dependences_.any(apart) && is_in_the_way(first, k)) return apart;
    }
    return -1;
  }

  bool overwritten_before(const Access& a, int writer, std::size_t shared, std::size_t depth) {
    const Id pairs = dependences_.overwrites(a.fragment, a.read, writer, 1);
    for (std::size_t k = 0; k < shared; ++k) {
      const Id same = dependences_.agreeing(pairs, a.fragment, tree_.equalities(a.fragment, writer, k));
      const Dependences::Pair here{tree_.site(a.fragment).picks[k], tree_.site(writer).picks[k]};
      const bool down = tree_.loop(tree_.site(writer).loops[k]).name.descending;
      const Relation earlier = down ? Relation::less : Relation::greater;
      if (dependences_.any(dependences_.where(same, a.fragment, here, earlier))) return true;
      if (!is_forall(a.fragment, k)) continue;
      const Id apart = dependences_.where(same, a.fragment, here, Relation::not_equal);
      if (dependences_.any(apart) && is_in_the_way(a.fragment, k)) return true;
    }
    if (shared == depth) return false;  // what else is overwritten is so inside this iteration
    // The two part ways outside of the body that saves: whichever stands first in the body of their last common loop runs first.
    const Id same = dependences_.agreeing(pairs, a.fragment, tree_.equalities(a.fragment, writer, shared));
    const auto& loops = tree_.site(writer).loops;
    const std::vector<Child>& body = tree_.body({loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(shared)});
    auto at = [&](int f) { return std::find(body.begin(), body.end(), tree_.child(f, shared)); };
    return at(writer) < at(a.fragment) && dependences_.any(same);
  }

  Overwrite describe(const Access& a, int writer, Id pairs) {
    const Fragment& reader = fragments_[static_cast<std::size_t>(a.fragment)];
    const Read& read = reader.reads[static_cast<std::size_t>(a.read)];
    Overwrite result;
    result.span = read.span;
    result.write_span =
        analysis_.kernel.equations[static_cast<std::size_t>(fragments_[static_cast<std::size_t>(writer)].equation)]
            .left->span;
    const auto witness = dependences_.smallest(pairs, a.fragment, writer);
    if (!witness) return result;
    const Fragment& w = fragments_[static_cast<std::size_t>(writer)];
    std::vector<Affine> index;
    for (const auto& i : read.index) index.push_back(i.value_or(Affine(0)));
    name_element(result.instance, read.access, element_at(index, values_of(reader, witness->first, witness->sizes)));
    result.instance.at = equation_point(analysis_, reader, witness->first, witness->sizes);
    result.instance.written_at = equation_point(analysis_, w, witness->second, witness->sizes);
    result.instance.sizes = witness->sizes;
    return result;
  }

  const Analysis& analysis_;
  const std::vector<Fragment>& fragments_;
  Dependences& dependences_;
  const Tree& tree_;
  const std::vector<Initialiser>& initialisers_;
  std::map<int, bool> forall_;
  std::vector<std::string> unread_;  ///< tensors
  Foralls foralls_ = Foralls::stay;
  std::set<int> ordered_, new_;  ///< loops
};

class Planner {
 public:
  Planner(const Analysis& analysis, const Tree& tree, const std::vector<Initialiser>& initialisers,
          const std::vector<std::string>& in_place)
      : analysis_(analysis), tree_(tree), sharing_(analysis, tree, initialisers), in_place_(in_place) {}

  Buffers plan(const std::string& tensor) {
    Buffers result;
    result.tensor = tensor;
    if (sharing_.writes_in_order(tensor, 1) && one_buffer(tensor, result)) return result;
    if (contains(in_place_, tensor) && one_buffer_in_order(tensor, result)) return result;
    result.saved.clear();
    result.because = result.obstacle ? lost_in_words(*result.obstacle, 1) : out_of_order_in_words(tensor);
    result.slots = Buffers::all_steps;
    for (int slots = 2; slots <= most_slots && result.slots == Buffers::all_steps; ++slots) {
      const std::optional<std::string> obstacle = why_not(tensor, slots);
      if (obstacle) result.because = *obstacle;
      else result.slots = slots;
    }
    result.kept = kept_steps(analysis_, tensor, result.slots);
    result.drops_copies = sharing_.leaves_copies_unread(tensor);
    return result;
  }

 private:
  /// What stands in the way of so many buffers.
  std::optional<std::string> why_not(const std::string& tensor, int slots) {
    if (!sharing_.writes_in_order(tensor, slots)) return out_of_order_in_words(tensor);
    for (const Sharing::Access& a : sharing_.reads_of(tensor, slots))
      if (const auto overwrite = sharing_.spoiled(a, tensor, slots)) return lost_in_words(*overwrite, slots);
    return std::nullopt;
  }

  static std::string lost_in_words(const Overwrite& overwrite, int slots) {
    const text::Instance& i = overwrite.instance;
    const std::string at = i.at.empty() ? "" : " at " + text::to_string(i.at);
    return text::element_text(i.read, i.element) + " is read" + at + ", and " +
           (slots == 1 ? "one buffer" : std::to_string(slots) + " buffers") + " would lose it at " +
           text::to_string(i.written_at);
  }

  static std::string out_of_order_in_words(const std::string& tensor) {
    return "the loops that write " + tensor + " do not take its steps one after the other";
  }

  /// Also where a forall becomes a for by it.
  bool one_buffer_in_order(const std::string& tensor, Buffers& result) {
    result.saved.clear();
    result.obstacle.reset();
    sharing_.let_foralls(Sharing::Foralls::run_in_order);
    const bool found = sharing_.writes_in_order(tensor, 1) && one_buffer(tensor, result);
    sharing_.let_foralls(Sharing::Foralls::stay);
    if (found) result.ordered = sharing_.newly_ordered();
    else sharing_.forget_ordered();
    return found;
  }

  bool one_buffer(const std::string& tensor, Buffers& result) {
    for (const Sharing::Access& a : sharing_.reads_of(tensor, 1)) {
      auto obstacle = sharing_.spoiled(a, tensor, 1);
      if (!obstacle || join(a, result.saved)) continue;
      auto slice = saved_slice(a, tensor);
      if (!slice) {
        result.obstacle = std::move(obstacle);
        return false;
      }
      slice->temporary.name = free_name(analysis_, "old_" + tensor, names_);
      names_.push_back(slice->temporary.name);
      result.saved.push_back(std::move(*slice));
    }
    return true;
  }

  /// One access under another guard shares what is saved.
  bool join(const Sharing::Access& a, std::vector<SavedSlice>& saved) const {
    for (SavedSlice& s : saved) {
      const auto& reads = analysis_.fragments.fragments[static_cast<std::size_t>(s.fragment)].reads;
      if (s.fragment != a.fragment ||
          !(reads[static_cast<std::size_t>(s.reads[0])].access == reads[static_cast<std::size_t>(a.read)].access))
        continue;
      s.reads.push_back(a.read);
      return true;
    }
    return false;
  }

  /// As deep as possible, so that it is as small as possible.
  std::optional<SavedSlice> saved_slice(const Sharing::Access& a, const std::string& tensor) {
    const Fragment& f = analysis_.fragments.fragments[static_cast<std::size_t>(a.fragment)];
    const Read& read = f.reads[static_cast<std::size_t>(a.read)];
    if (std::any_of(read.index.begin(), read.index.end(), [](const auto& i) { return !i; })) return std::nullopt;
    std::vector<Sharing::Access> alike;
    for (std::size_t k = 0; k < f.reads.size(); ++k)
      if (f.reads[k].access == read.access) alike.push_back({f.id, static_cast<int>(k)});
    const std::size_t rank = analysis_.program.tensor(tensor)->shape.size();
    const Site& site = tree_.site(f.id);
    for (std::size_t depth = site.loops.size() + 1; depth-- > 0;) {
      const std::vector<int> walked = walking(f, read, site, depth);
      if (walked.size() >= std::max<std::size_t>(rank, 1) && rank > 0) return std::nullopt;
      if (rank == 0 && !walked.empty()) return std::nullopt;
      if (!std::all_of(alike.begin(), alike.end(),
                       [&](const auto& one) { return sharing_.is_there_at_start(one, tensor, depth); }))
        continue;
      return slice(f, a, depth, walked, tensor);
    }
    return std::nullopt;
  }

  static std::vector<int> walking(const Fragment& f, const Read& read, const Site& site, std::size_t depth) {
    std::vector<int> result;
    for (int v = 0; v < static_cast<int>(f.domain.variables.size()); ++v) {
      const bool outside = std::find(site.picks.begin(), site.picks.begin() + static_cast<std::ptrdiff_t>(depth), v) !=
                           site.picks.begin() + static_cast<std::ptrdiff_t>(depth);
      const bool used = std::any_of(read.index.begin(), read.index.end(), [&](const auto& i) {
        return i->mentions(f.domain.variables[static_cast<std::size_t>(v)]);
      });
      if (used && !outside) result.push_back(v);
    }
    return result;
  }

  std::optional<SavedSlice> slice(const Fragment& f, const Sharing::Access& a, std::size_t depth,
                                  const std::vector<int>& walked, const std::string& tensor) {
    SavedSlice result{a.fragment, {a.read}, depth, walked, {}, *analysis_.program.tensor(tensor)};
    lang::TensorInfo& info = result.temporary;
    info.kind = lang::TensorInfo::Kind::temporary;
    info.shape.clear();
    auto size = [&](const std::string& n) { return !contains(f.domain.variables, n); };
    for (int v : walked) {
      const Bounds bounds = bounds_of(f.domain.variables[static_cast<std::size_t>(v)], f.domain.constraints, size);
      if (bounds.lows.empty() || bounds.highs.empty()) return std::nullopt;
      const Affine low = bounds.lows[0].is_constant() && bounds.lows[0].constant > 0 ? Affine(0) : bounds.lows[0];
      result.lows.push_back(low);
      info.shape.push_back(at_most(bounds.highs[0] - low));
    }
    info.format = format::Format::dense(static_cast<int>(info.shape.size()));
    return result;
  }

  const Analysis& analysis_;
  const Tree& tree_;
  Sharing sharing_;
  const std::vector<std::string>& in_place_;
  std::vector<std::string> names_;
};

void prune(Tree& tree, std::vector<Child>& body, const std::vector<bool>& dropped) {
  std::erase_if(body, [&](const Child& c) {
    if (c.kind == Child::Kind::statement) return static_cast<bool>(dropped[static_cast<std::size_t>(c.id)]);
    std::vector<Child> inner = tree.loop(c.id).body;
    prune(tree, inner, dropped);
    tree.loops.edit(c.id).body = inner;
    return inner.empty();
  });
}

}  // namespace

BufferPlan plan_buffers(const Analysis& analysis, const Tree& tree, const std::vector<Initialiser>& initialisers,
                        const std::vector<std::string>& in_place) {
  BufferPlan plan;
  Planner planner(analysis, tree, initialisers, in_place);
  for (const lang::Timesteps& t : analysis.kernel.timesteps) plan.push_back(planner.plan(t.tensor));
  return plan;
}

BufferPlan keep_all_steps(const Analysis& analysis) {
  BufferPlan plan;
  for (const lang::Timesteps& t : analysis.kernel.timesteps)
    plan.push_back({t.tensor, Buffers::all_steps, {}, kept_steps(analysis, t.tensor, Buffers::all_steps), {}});
  return plan;
}

std::optional<std::string> verify_buffers(const Analysis& analysis, const Tree& tree,
                                          const std::vector<Initialiser>& initialisers, const BufferPlan& plan,
                                          int& proven) {
  Sharing sharing(analysis, tree, initialisers);
  for (const Buffers& b : plan) sharing.order(b.ordered);
  for (const Buffers& b : plan) {
    if (b.slots == Buffers::all_steps) continue;
    if (!sharing.writes_in_order(b.tensor, b.slots)) return "steps of " + b.tensor + " are written out of order";
    for (const Sharing::Access& a : sharing.reads_of(b.tensor, b.slots)) {
      const auto saved = std::find_if(b.saved.begin(), b.saved.end(), [&](const SavedSlice& s) {
        return s.fragment == a.fragment && contains(s.reads, a.read);
      });
      const bool there = saved == b.saved.end() ? !sharing.spoiled(a, b.tensor, b.slots)
                                                : sharing.is_there_at_start(a, b.tensor, saved->depth);
      if (!there)
        return analysis.fragments.fragments[static_cast<std::size_t>(a.fragment)].name + " reads a value of " +
               b.tensor + " that was overwritten";
    }
  }
  proven += sharing.proven;
  return std::nullopt;
}

Tree without_copies(const Tree& tree, const Fragments& fragments, const BufferPlan& plan) {
  Tree result = tree;
  std::vector<bool> dropped(fragments.fragments.size(), false);
  for (const Fragment& f : fragments.fragments) {
    if (f.kind != Fragment::Kind::copy) continue;
    const auto buffers =
        std::find_if(plan.begin(), plan.end(), [&](const Buffers& b) { return b.tensor == f.write.tensor; });
    if (buffers == plan.end() || (buffers->slots != 1 && !buffers->drops_copies)) continue;
    dropped[static_cast<std::size_t>(f.id)] = true;
    result.sites.edit(f.id).placed = false;
  }
  std::vector<Child> root = result.root;
  prune(result, root, dropped);
  result.root = root;
  return result;
}

std::string in_words(const Buffers& buffers) {
  if (buffers.slots == Buffers::all_steps) return "all steps of " + buffers.tensor + " are kept";
  if (buffers.slots > 1) return buffers.tensor + " has " + std::to_string(buffers.slots) + " buffers";
  std::string out = buffers.tensor + " has one buffer";
  for (const SavedSlice& s : buffers.saved) {
    out +=
        s.reads[0] == buffers.saved[0].reads[0] && s.fragment == buffers.saved[0].fragment ? ", and saves " : " and ";
    std::string shape;
    for (const Affine& size : s.temporary.shape) shape += (shape.empty() ? "" : ",") + math::to_string(size);
    out += s.temporary.name + (shape.empty() ? "" : "(" + shape + ")");
  }
  return out;
}

}  // namespace trellis::place
