#include "engine/place/extents.hpp"

#include "engine/text/sequence.hpp"

namespace trellis::place {

using math::Affine;
using math::Domain;
using math::Relation;

void add_extent(Domain& domain, const Tile& tile, const std::vector<std::string>& coordinates) {
  const Affine begin = Affine::name(tile.digit, tile.size);
  for (const std::string& v : coordinates) {
    if (!contains(domain.variables, v)) continue;
    domain.constraints.push_back({begin, Relation::less_equal, Affine::name(v)});
    domain.constraints.push_back({Affine::name(v), Relation::less, begin + Affine(tile.size)});
  }
}

Domain with_extents(const Fragment& fragment, Domain domain) {
  for (const Tile& tile : fragment.tiles)
    if (contains(domain.variables, tile.digit)) add_extent(domain, tile, tile.coordinates);
  return domain;
}

}  // namespace trellis::place
