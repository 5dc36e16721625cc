#include "engine/place/temporaries.hpp"

#include <algorithm>

#include "engine/place/extents.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using Kind = Dependences::Kind;
using math::Relation;

bool reads(const Fragment& f, const std::string& tensor) {
  return std::any_of(f.reads.begin(), f.reads.end(), [&](const Read& r) { return r.access.tensor == tensor; });
}

std::size_t position(const std::vector<Child>& body, const Child& child) {
  return static_cast<std::size_t>(std::find(body.begin(), body.end(), child) - body.begin());
}

std::vector<int> path_of(const Tree& tree, int fragment, std::size_t depth) {
  const auto& loops = tree.site(fragment).loops;
  return {loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(depth)};
}

/// How many loops around both have one value for all touches of an element: starts and reads, or updates of two parts.
std::size_t agreement(const Tree& tree, Dependences& dependences, Kind kind, int one, int other) {
  const auto pairs = dependences.pairs(kind, one, other, {});
  const std::size_t common = tree.common(one, other);
  for (std::size_t k = 0; k < common; ++k) {
    const auto here = std::pair{tree.site(one).picks[k], tree.site(other).picks[k]};
    if (dependences.any(dependences.where(pairs, one, here, Relation::not_equal))) return k;
  }
  return common;
}

/// The coordinates of an accumulation's elements whose tile is the loop at this depth, for each of its parts.
std::vector<std::string> tiled_there(const Tree& tree, const Fragments& fragments, const std::vector<int>& parts,
                                     std::size_t depth) {
  std::optional<std::vector<std::string>> common;
  for (const int part : parts) {
    const Fragment& f = fragments.fragments[static_cast<std::size_t>(part)];
    const auto pick = static_cast<std::size_t>(tree.site(part).picks[depth]);
    const auto tile = std::ranges::find(f.tiles, f.domain.variables[pick], &Tile::digit);
    if (tile == f.tiles.end()) return {};
    if (!common) common = tile->coordinates;
    std::erase_if(*common, [&](const std::string& v) {
      return !contains(tile->coordinates, v) || !contains(f.elements.variables, v);
    });
  }
  return *common;
}

/// Loops over tiles that go over the tiles of one coordinate of the elements for all parts, or over coordinates.
std::size_t depth_in_terms_of_elements(const Tree& tree, const Fragments& fragments, const std::vector<int>& parts,
                                       std::size_t depth) {
  for (std::size_t k = 0; k < depth; ++k)
    if (lang::tile_of(tree.loop(tree.site(parts[0]).loops[k]).name.name) &&
        tiled_there(tree, fragments, parts, k).empty())
      return k;
  return depth;
}

/// The elements that start, in the first part's variables: the tiles of the loops around are among them.
math::Domain elements_of(const Tree& tree, const Fragments& fragments, const std::vector<int>& parts,
                         std::size_t depth) {
  const Fragment& first = fragments.fragments[static_cast<std::size_t>(parts[0])];
  if (first.tiles.empty()) return first.initialised;
  math::Domain elements = first.elements;
  for (std::size_t k = 0; k < depth; ++k) {
    const std::string& digit = first.domain.variables[static_cast<std::size_t>(tree.site(first.id).picks[k])];
    const auto tile = std::ranges::find(first.tiles, digit, &Tile::digit);
    if (tile == first.tiles.end()) continue;
    elements.variables.push_back(digit);
    add_extent(elements, *tile, tiled_there(tree, fragments, parts, k));
  }
  return elements;
}

Child first_toucher(const Tree& tree, const Fragments& fragments, const Fragment& accumulation, std::size_t depth) {
  const std::vector<int> path = path_of(tree, accumulation.id, depth);
  const std::vector<Child>& body = tree.body(path);
  std::size_t first = position(body, tree.child(accumulation.id, depth));
  for (const Fragment& f : fragments.fragments) {
    const bool touches = reads(f, accumulation.write.tensor) || (f.whole >= 0 && f.whole == accumulation.whole);
    if (touches && tree.is_under(f.id, path)) first = std::min(first, position(body, tree.child(f.id, depth)));
  }
  return body[first];
}

/// A dimension is fixed when the variable that walks it is a loop around the body.
std::vector<bool> kept_dimensions(const Tree& tree, const Fragment& accumulation, std::size_t depth) {
  std::vector<bool> kept;
  for (const math::Affine& index : accumulation.write_index) {
    bool fixed = accumulation.temporary || accumulation.best;
    bool walked = false;
    for (std::size_t v = 0; v < accumulation.domain.variables.size(); ++v) {
      if (!index.mentions(accumulation.domain.variables[v])) continue;
      walked = true;
      const auto& picks = tree.site(accumulation.id).picks;
      auto at = std::find(picks.begin(), picks.end(), static_cast<int>(v));
      fixed = fixed && static_cast<std::size_t>(at - picks.begin()) < depth;
    }
    kept.push_back(!(fixed && walked));
  }
  return kept;
}

}  // namespace

std::size_t free_depth(const Tree& tree, const Fragment& fragment) {
  const std::size_t free = fragment.domain.variables.size() - fragment.reduced.size();
  std::size_t depth = 0;
  for (int pick : tree.site(fragment.id).picks) {
    if (static_cast<std::size_t>(pick) >= free) break;
    ++depth;
  }
  return depth;
}

bool initialises_in_time(const Tree& tree, Dependences& dependences, int accumulation, std::size_t depth) {
  const auto& all = dependences.fragments().fragments;
  for (const int reader : dependences.readers_of(accumulation)) {
    const Fragment& g = all[static_cast<std::size_t>(reader)];
    if (!reads(g, all[static_cast<std::size_t>(accumulation)].write.tensor)) continue;
    const std::size_t common = std::min(depth, tree.common(accumulation, g.id));
    for (std::size_t k = 0; k < common; ++k) {
      const bool down = tree.loop(tree.site(accumulation).loops[k]).name.descending;
      const auto pairs =
          dependences.pairs(Kind::initialise, accumulation, g.id, tree.equalities(accumulation, g.id, k));
      const auto here = std::pair{tree.site(accumulation).picks[k], tree.site(g.id).picks[k]};
      if (dependences.any(dependences.where(pairs, accumulation, here, down ? Relation::less : Relation::greater)))
        return false;
    }
    if (common == depth) continue;  // then it stands before every child that touches the accumulator
    const std::vector<Child>& body = tree.body(path_of(tree, accumulation, common));
    if (position(body, tree.child(accumulation, common)) < position(body, tree.child(g.id, common))) continue;
    if (dependences.any(Kind::initialise, accumulation, g.id, tree.equalities(accumulation, g.id, common)))
      return false;
  }
  return true;
}

std::size_t agreeing_depth(const Tree& tree, Dependences& dependences, int one, int other) {
  return one == other ? free_depth(tree, dependences.fragments().fragments[static_cast<std::size_t>(one)])
                      : agreement(tree, dependences, Kind::update, one, other);
}

std::vector<Initialiser> place_initialisers(const Tree& tree, Dependences& dependences) {
  std::vector<Initialiser> result;
  const Fragments& fragments = dependences.fragments();
  for (const Fragment& u : fragments.fragments) {
    if (!u.op || !is_first_part(u)) continue;
    const std::vector<int> parts = parts_of(fragments, u);
    std::size_t depth = free_depth(tree, u);
    for (const int part : parts) {
      const Fragment& f = fragments.fragments[static_cast<std::size_t>(part)];
      depth = std::min({depth, free_depth(tree, f), agreeing_depth(tree, dependences, u.id, part)});
      if (!u.temporary) continue;
      for (const int g : dependences.readers_of(part))
        if (reads(fragments.fragments[static_cast<std::size_t>(g)], u.write.tensor))
          depth = std::min(depth, agreement(tree, dependences, Kind::initialise, part, g));
    }
    depth = depth_in_terms_of_elements(tree, fragments, parts, depth);
    const auto in_time = [&](int part) { return initialises_in_time(tree, dependences, part, depth); };
    while (depth > 0 && !std::ranges::all_of(parts, in_time)) --depth;
    std::vector<bool> kept = kept_dimensions(tree, u, depth);
    for (const int part : parts) {
      const auto more = kept_dimensions(tree, fragments.fragments[static_cast<std::size_t>(part)], depth);
      for (std::size_t d = 0; d < kept.size(); ++d) kept[d] = kept[d] || more[d];
    }
    result.push_back({u.id, depth, first_toucher(tree, fragments, u, depth), std::move(kept), parts,
                      elements_of(tree, fragments, parts, depth)});
  }
  return result;
}

}  // namespace trellis::place
