#include "tests/random/tiled_instances.hpp"

#include <algorithm>
#include <set>

#include "engine/lang/schedule.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::randomised {
namespace {

std::set<int> in_cycles(const Instances& instances) {
  std::map<int, std::set<int>> reach;
  for (const auto& [edge, pairs] : instances.dependences) reach[edge.first].insert(edge.second);
  for (std::size_t round = 0; round < instances.pieces.size(); ++round)
    for (auto& [from, to] : reach)
      for (const int middle : std::set<int>(to))
        if (const auto further = reach.find(middle); further != reach.end())
          to.insert(further->second.begin(), further->second.end());
  std::set<int> result;
  for (const auto& [from, to] : reach)
    if (to.contains(from)) result.insert(from);
  return result;
}

/// Gives pieces tiles, and new numbers.
class Tiling {
 public:
  Tiling(const Instances& instances, const std::vector<TiledVariable>& tiled)
      : instances_(instances), tiled_(tiled), cyclic_(in_cycles(instances)) {}

  /// The piece that an iteration belongs to, and its values with the tiles behind them.
  std::pair<int, Point> with_tiles(int piece, const Point& point, const Partitions& way) {
    const Piece& whole = instances_.pieces[static_cast<std::size_t>(piece)];
    std::vector<std::pair<std::string, std::int64_t>> digits;  // with the tile that it is
    const bool cuts = cyclic_.contains(piece) && count_cut(whole) > 1;
    for (const TiledVariable& t : tiled_) {
      const auto at = std::ranges::find(whole.variables, t.variable) - whole.variables.begin();
      if (at == std::ssize(whole.variables) || !t.is_in(whole)) continue;
      const std::int64_t tile = way[static_cast<std::size_t>(t.partition)](point[static_cast<std::size_t>(at)]);
      const auto equal = std::ranges::find_if(digits, [&](const auto& d) {
        const auto own = lang::tile_of(d.first);
        const TiledVariable& first = tiled_variable(own->variable.substr(0, own->variable.find(',')), own->size);
        return cuts && t.cut && first.cut && first.partition == t.partition && d.second == tile;
      });
      if (equal == digits.end()) digits.emplace_back(lang::tile_text(t.variable, t.size), tile);
      else equal->first = lang::tile_text(lang::tile_of(equal->first)->variable + "," + t.variable, t.size);
    }
    Piece part{whole.name, whole.variables, whole.equation};
    Point values = point;
    for (const auto& [digit, tile] : digits) {
      part.name += " " + digit;
      part.variables.push_back(digit);
      values.push_back(tile);
    }
    return {number_of(part), std::move(values)};
  }

  /// The pieces of which no iteration depends on another are there as well, for their names.
  void add_alone(const Partitions& way) {
    for (std::size_t p = 0; p < instances_.pieces.size(); ++p)
      if (!cyclic_.contains(static_cast<int>(p)))
        with_tiles(static_cast<int>(p), Point(instances_.pieces[p].variables.size(), 0), way);
  }

  std::vector<Piece> pieces;

 private:
  const TiledVariable& tiled_variable(const std::string& variable, std::int64_t size) const {
    return *std::ranges::find_if(tiled_,
                                 [&](const TiledVariable& t) { return t.variable == variable && t.size == size; });
  }

  std::ptrdiff_t count_cut(const Piece& piece) const {
    return std::ranges::count_if(tiled_, [&](const TiledVariable& t) {
      return t.cut && t.is_in(piece) && contains(piece.variables, t.variable);
    });
  }

  int number_of(const Piece& part) {
    const auto known = std::ranges::find(pieces, part.name, &Piece::name);
    if (known == pieces.end()) pieces.push_back(part);
    return static_cast<int>(known - pieces.begin());
  }

  const Instances& instances_;
  const std::vector<TiledVariable>& tiled_;
  std::set<int> cyclic_;
};

}  // namespace

std::vector<TiledVariable> tiled_variables(const place::Analysis& analysis) {
  std::vector<TiledVariable> result;
  for (const place::Fragment& f : analysis.fragments.fragments) {
    std::set<std::string> coordinates;
    for (const std::string& v : f.domain.variables)
      if (!lang::tile_of(v)) coordinates.insert(v);
    for (const place::Tile& tile : f.tiles)
      for (const std::string& v : tile.coordinates) {
        auto known = std::ranges::find_if(
            result, [&](const TiledVariable& t) { return t.variable == v && t.size == tile.size; });
        if (known == result.end()) known = result.insert(known, TiledVariable{v, tile.size, tile.partition, {}});
        known->pieces.emplace(f.equation, coordinates);
      }
  }
  std::ranges::sort(result, std::greater(), &TiledVariable::size);
  const auto shares = [&](const TiledVariable& a) {
    return std::ranges::count(result, a.partition, &TiledVariable::partition) > 1;
  };
  const auto coarsest = std::ranges::find_if(result, shares);
  for (TiledVariable& t : result) t.cut = coarsest != result.end() && t.size == coarsest->size && shares(t);
  std::ranges::sort(result, {}, &TiledVariable::variable);
  return result;
}

Instances with_tiles(const Instances& instances, const std::vector<TiledVariable>& tiled,
                     const std::vector<Partitions>& ways) {
  Tiling tiling(instances, tiled);
  Instances result;
  std::map<std::pair<int, int>, std::set<Pair>> dependences;
  for (const Partitions& way : ways) {
    tiling.add_alone(way);
    for (const auto& [edge, pairs] : instances.dependences)
      for (const Pair& pair : pairs) {
        auto [writer, written] = tiling.with_tiles(edge.first, pair.first, way);
        auto [reader, read] = tiling.with_tiles(edge.second, pair.second, way);
        dependences[{writer, reader}].emplace(std::move(written), std::move(read));
      }
  }
  for (const auto& [edge, pairs] : dependences) result.dependences[edge].assign(pairs.begin(), pairs.end());
  result.pieces = std::move(tiling.pieces);
  return result;
}

std::vector<Partition> all_partitions(int n) {
  std::vector<Partition> result;
  for (unsigned cuts = 0; cuts < (1u << (n - 1)); ++cuts) {
    result.push_back([cuts, n](std::int64_t value) {
      std::int64_t tile = value < 0 ? -1 : 0;
      for (std::int64_t v = 1; v <= value && v < n; ++v) tile += static_cast<std::int64_t>(cuts >> (v - 1) & 1u);
      return tile;
    });
  }
  return result;
}

}  // namespace trellis::randomised
