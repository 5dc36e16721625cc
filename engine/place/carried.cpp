#include "engine/place/carried.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using Kind = Dependences::Kind;

bool carries(const Tree& tree, Dependences& dependences, Kind kind, int f, int g, std::size_t depth) {
  const auto pairs = dependences.pairs(kind, f, g, tree.equalities(f, g, depth));
  const auto here = std::pair{tree.site(f).picks[depth], tree.site(g).picks[depth]};
  return dependences.any(dependences.where(pairs, f, here, math::Relation::not_equal));
}

}  // namespace

Carried carried_by(const Tree& tree, Dependences& dependences, const std::vector<Initialiser>& initialisers,
                   const std::vector<int>& inside, std::size_t depth) {
  Carried result;
  const auto& fragments = dependences.fragments().fragments;
  auto initialised_inside = [&](int f) {
    return std::any_of(initialisers.begin(), initialisers.end(),
                       [&](const auto& i) { return contains(i.parts, f) && i.depth > depth; });
  };
  for (int f : inside) {
    const bool initialised = initialised_inside(f);
    for (int g : dependences.readers_of(f)) {
      if (result.flow || !std::ranges::binary_search(inside, g)) continue;
      result.flow = (dependences.depends(f, g) && carries(tree, dependences, Kind::flow, f, g, depth)) ||
                    (initialised && carries(tree, dependences, Kind::initialise, f, g, depth));
    }
  }
  if (result.flow) return result;
  for (int f : inside) {
    const Fragment& u = fragments[static_cast<std::size_t>(f)];
    const std::size_t free = u.domain.variables.size() - u.reduced.size();
    if (!u.op || static_cast<std::size_t>(tree.site(f).picks[depth]) < free) continue;
    add_once(result.reduces, u.write.tensor);
    if (u.best) add_once(result.reduces, u.best->tensor);
  }
  return result;
}

}  // namespace trellis::place
