#include "engine/place/buffers.hpp"

#include <algorithm>

#include "engine/place/bounds.hpp"
#include "engine/place/sharing.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using math::Affine;

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
  info.steps_of = tensor;
  info.shape.insert(info.shape.begin(),
                    slots == Buffers::all_steps ? at_most(steps->count) + Affine(1) : Affine(slots));
  info.format = format::Format::dense(static_cast<int>(info.shape.size()));
  return info;
}

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
    if (result.slots != Buffers::all_steps) result.still = sharing_.still_copies_of(tensor);
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
    if (buffers == plan.end()) continue;
    if (buffers->slots != 1 && !buffers->drops_copies && !contains(buffers->still, f.id)) continue;
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
