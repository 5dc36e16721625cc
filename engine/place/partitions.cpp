#include "engine/place/partitions.hpp"

#include <algorithm>
#include <utility>

#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using math::Affine;
using math::Domain;
using math::Relation;

Domain with(Domain domain, const std::string& left, Relation relation, const std::string& right) {
  domain.constraints.push_back({Affine::name(left), relation, Affine::name(right)});
  return domain;
}

/// A tile, and the values that lie in it.
struct Digit {
  std::string tile;
  std::vector<std::string> values;
  int partition;
};

std::vector<Digit> digits_of(const std::vector<ValueInTile>& values) {
  std::vector<Digit> digits;
  for (const ValueInTile& v : values) {
    const auto known = std::ranges::find(digits, v.tile, &Digit::tile);
    if (known == digits.end()) digits.push_back({v.tile, {v.value}, v.partition});
    else known->values.push_back(v.value);
  }
  return digits;
}

bool holds_as_written(const Domain& domain, const std::string& left, Relation relation, const std::string& right) {
  return std::ranges::any_of(domain.constraints, [&](const math::Constraint& c) {
    const auto l = c.left.as_name(), r = c.right.as_name();
    return c.relation == relation && l && r &&
           ((l == left && r == right) || (c.relation == Relation::equal && l == right && r == left));
  });
}

/// The ways in which two tiles compare, each with what follows for the values: of different ones all values of the one
/// are less than all values of the other, and one tile says nothing of them.
std::vector<Domain> compared(Domain piece, const Digit& a, const Digit& b) {
  // That they differ is said by how they do: each `!=` that is left would double what a solver has to look at.
  const auto differ = [&](const math::Constraint& c) {
    return c.relation == Relation::not_equal && c.mentions(a.tile) && c.mentions(b.tile);
  };
  const bool apart = std::erase_if(piece.constraints, differ) > 0;
  const auto with_values = [&](Relation relation) {
    Domain domain = with(piece, a.tile, relation, b.tile);
    for (const std::string& x : a.values)
      for (const std::string& y : b.values) domain = with(std::move(domain), x, relation, y);
    return domain;
  };
  for (const std::string& x : a.values)
    for (const std::string& y : b.values)
      if (holds_as_written(piece, x, Relation::equal, y)) return {with(piece, a.tile, Relation::equal, b.tile)};
  if (holds_as_written(piece, a.tile, Relation::less, b.tile)) return {with_values(Relation::less)};
  if (holds_as_written(piece, a.tile, Relation::greater, b.tile)) return {with_values(Relation::greater)};
  if (apart) return {with_values(Relation::less), with_values(Relation::greater)};
  return {with_values(Relation::less), with(piece, a.tile, Relation::equal, b.tile), with_values(Relation::greater)};
}

/// Of digits that can be compared, the pairs: first those of one fragment, of which it says that they differ.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of(const std::vector<Digit>& digits, const Domain& domain) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < digits.size(); ++a)
    for (std::size_t b = a + 1; b < digits.size(); ++b)
      if (digits[a].partition == digits[b].partition) pairs.emplace_back(a, b);
  std::ranges::stable_partition(pairs, [&](const auto& pair) {
    const std::string &a = digits[pair.first].tile, &b = digits[pair.second].tile;
    return holds_as_written(domain, a, Relation::not_equal, b) || holds_as_written(domain, b, Relation::not_equal, a);
  });
  return pairs;
}

/// No pairs, over the variables of these.
std::vector<Domain> none_of(std::vector<Domain> pairs) {
  if (pairs.empty()) return pairs;
  pairs.resize(1);
  pairs.front().constraints = {{Affine(0), Relation::less, Affine(0)}};
  return pairs;
}

}  // namespace

std::vector<ValueInTile> values_in_tiles(const Fragment& fragment, const std::vector<std::string>& known,
                                         const std::string& mark) {
  std::vector<ValueInTile> result;
  for (const Tile& tile : fragment.tiles) {
    if (!contains(known, tile.digit)) continue;
    for (const std::string& coordinate : tile.coordinates)
      if (contains(known, coordinate)) result.push_back({coordinate + mark, tile.digit + mark, tile.partition});
  }
  return result;
}

std::vector<Domain> under_some_partition(math::Solver& solver, std::vector<Domain> pairs,
                                         const std::vector<ValueInTile>& values) {
  const std::vector<Digit> digits = digits_of(values);
  if (pairs.empty()) return pairs;
  for (const auto& [a, b] : pairs_of(digits, pairs.front())) {
    std::vector<Domain> possible;
    for (const Domain& piece : pairs)
      for (Domain& one : compared(piece, digits[a], digits[b]))
        if (!solver.is_empty(one)) possible.push_back(std::move(one));
    if (possible.empty()) return none_of(pairs);
    pairs = std::move(possible);
  }
  return pairs;
}

}  // namespace trellis::place
