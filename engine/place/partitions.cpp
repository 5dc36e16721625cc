#include "engine/place/partitions.hpp"

#include <array>

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
  constexpr std::array<std::pair<Relation, Relation>, 3> monotone{{{Relation::less, Relation::less_equal},
                                                                   {Relation::equal, Relation::equal},
                                                                   {Relation::greater, Relation::greater_equal}}};
  for (std::size_t a = 0; a < values.size(); ++a)
    for (std::size_t b = a + 1; b < values.size(); ++b) {
      const ValueInTile &x = values[a], &y = values[b];
      if (x.partition != y.partition || x.tile == y.tile) continue;
      std::vector<Domain> possible;
      for (const Domain& piece : pairs)
        for (const auto& [of_values, of_tiles] : monotone) {
          Domain one = with(with(piece, x.value, of_values, y.value), x.tile, of_tiles, y.tile);
          if (!solver.is_empty(one)) possible.push_back(std::move(one));
        }
      if (possible.empty()) return none_of(pairs);
      pairs = std::move(possible);
    }
  return pairs;
}

}  // namespace trellis::place
