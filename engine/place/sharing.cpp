#include "engine/place/sharing.hpp"

#include <algorithm>
#include <utility>

#include "engine/place/carried.hpp"
#include "engine/place/copies.hpp"
#include "engine/place/instances.hpp"
#include "engine/place/late_pairs.hpp"

namespace trellis::place {

using math::Affine;
using math::Relation;

Sharing::Sharing(const Analysis& analysis, const Tree& tree, const std::vector<Initialiser>& initialisers)
    : analysis_(analysis),
      fragments_(analysis.fragments.fragments),
      dependences_(*analysis.dependences),
      tree_(tree),
      initialisers_(initialisers) {
  for (const lang::Timesteps& t : analysis.kernel.timesteps)
    for (const int copy : still_copies(dependences_.solver(), fragments_, t.tensor)) still_.push_back(copy);
  for (const lang::Timesteps& t : analysis.kernel.timesteps)
    if (!analysis.kernel.until && has_copies(t.tensor) && !reads_copies(t.tensor)) unread_.push_back(t.tensor);
}

std::vector<int> Sharing::newly_ordered() {
  order({new_.begin(), new_.end()});
  const std::set<int> loops = std::exchange(new_, {});
  return {loops.begin(), loops.end()};
}

std::vector<Sharing::Access> Sharing::reads_of(const std::string& tensor, int slots) const {
  std::vector<Access> result;
  for (const Fragment& f : fragments_)
    for (std::size_t k = 0; k < f.reads.size() && takes_part(f, slots); ++k)
      if (f.reads[k].access.tensor == tensor && f.reads[k].access.step) result.push_back({f.id, static_cast<int>(k)});
  return result;
}

std::vector<int> Sharing::writers_of(const std::string& tensor, int slots) const {
  std::vector<int> result;
  for (const Fragment& f : fragments_)
    if (f.write.tensor == tensor && takes_part(f, slots)) result.push_back(f.id);
  return result;
}

std::optional<Overwrite> Sharing::spoiled(const Access& a, const std::string& tensor, int slots) {
  for (int w : writers_of(tensor, slots)) {
    const Id pairs = dependences_.overwrites(a.fragment, a.read, w, slots);
    if (const auto bad = out_of_order(a.fragment, w, pairs); bad >= 0) return describe(a, w, bad);
    ++proven;
  }
  return std::nullopt;
}

bool Sharing::writes_in_order(const std::string& tensor, int slots) {
  for (int one : writers_of(tensor, slots))
    for (int other : writers_of(tensor, slots)) {
      if (out_of_order(one, other, dependences_.rewrites(one, other, slots)) >= 0) return false;
      ++proven;
    }
  return true;
}

bool Sharing::is_there_at_start(const Access& a, const std::string& tensor, std::size_t depth) {
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

std::vector<int> Sharing::still_copies_of(const std::string& tensor) const {
  std::vector<int> result;
  for (const int copy : still_)
    if (fragments_[static_cast<std::size_t>(copy)].write.tensor == tensor) result.push_back(copy);
  return result;
}

bool Sharing::has_copies(const std::string& tensor) const {
  return std::ranges::any_of(fragments_, [&](const Fragment& f) {
    return f.kind == Fragment::Kind::copy && f.write.tensor == tensor && !is_still(f.id);
  });
}

bool Sharing::reads_copies(const std::string& tensor) const {
  return std::ranges::any_of(fragments_, [&](const Fragment& copy) {
    return copy.kind == Fragment::Kind::copy && copy.write.tensor == tensor && !is_still(copy.id) &&
           std::ranges::any_of(fragments_, [&](const Fragment& reader) {
             return reader.kind != Fragment::Kind::copy && dependences_.depends(copy.id, reader.id);
           });
  });
}

bool Sharing::takes_part(const Fragment& f, int slots) const {
  return f.kind != Fragment::Kind::copy || (slots != 1 && !leaves_copies_unread(f.write.tensor) && !is_still(f.id));
}

bool Sharing::is_forall(int fragment, std::size_t depth) {
  const auto& loops = tree_.site(fragment).loops;
  const std::vector<int> path(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(depth) + 1);
  if (ordered_.contains(path.back())) return false;
  auto [at, is_new] = forall_.try_emplace(path.back(), false);
  if (is_new) at->second = !carried_by(tree_, dependences_, initialisers_, tree_.below(path), depth).flow;
  return at->second;
}

bool Sharing::is_in_the_way(int fragment, std::size_t depth) {
  if (foralls_ == Foralls::stay) return true;
  new_.insert(tree_.site(fragment).loops[depth]);
  return false;
}

Sharing::Id Sharing::out_of_order(int first, int second, Id pairs) {
  if (!dependences_.any(pairs)) return -1;
  if (const auto late = late_pairs(tree_, dependences_, first, second, pairs); !late.empty()) return late[0];
  for (std::size_t k = 0; k < tree_.common(first, second); ++k) {
    if (!is_forall(first, k)) continue;
    const Id same = dependences_.agreeing(pairs, first, tree_.equalities(first, second, k));
    const Id apart =
        dependences_.where(same, first, {tree_.site(first).picks[k], tree_.site(second).picks[k]}, Relation::not_equal);
    if (dependences_.any(apart) && is_in_the_way(first, k)) return apart;
  }
  return -1;
}

bool Sharing::overwritten_before(const Access& a, int writer, std::size_t shared, std::size_t depth) {
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
  // The two part ways outside of the body that saves: whichever stands first in the body of their last common loop runs
  // first.
  const Id same = dependences_.agreeing(pairs, a.fragment, tree_.equalities(a.fragment, writer, shared));
  const auto& loops = tree_.site(writer).loops;
  const std::vector<Child>& body = tree_.body({loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(shared)});
  auto at = [&](int f) { return std::find(body.begin(), body.end(), tree_.child(f, shared)); };
  return at(writer) < at(a.fragment) && dependences_.any(same);
}

Overwrite Sharing::describe(const Access& a, int writer, Id pairs) {
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

}  // namespace trellis::place
