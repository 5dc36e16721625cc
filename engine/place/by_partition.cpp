#include "engine/place/by_partition.hpp"

#include "engine/place/place.hpp"
#include "engine/place/tiles.hpp"

namespace trellis::place {

namespace {

/// The number of values in a tile is none of what is proven.
constexpr std::int64_t any_size = 2;

std::optional<lang::Order> with_partitions(const lang::Order& order) {
  if (order.size() < 2 || lang::has_tiles(order) || order[0].descending || order[1].descending) return std::nullopt;
  lang::Order tiles;
  for (std::size_t k = 0; k < 2; ++k) tiles.push_back({lang::tile_text(order[k].name, any_size), false});
  tiles.insert(tiles.end(), order.begin(), order.end());
  return tiles;
}

}  // namespace

std::optional<Certificate> by_partition(const Analysis& analysis, const lang::Order& order,
                                        const lang::Schedule::Supernodes& supernodes, text::Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& why) {
    diagnostics.error("E0158", supernodes.span, "the supernodes of " + supernodes.tensor + " cannot be panels: " + why,
                      "the loop over columns outside, then that over those before: `order j k i`");
    return std::nullopt;
  };
  const auto tiles = with_partitions(order);
  if (!tiles) return refuse("order " + lang::to_string(order) + " has no two outer loops that rise");
  const auto cut = tiled(analysis, *tiles);
  const Placement placement = place(cut ? *cut : analysis, *tiles, {}, Events::dropped);
  if (const auto* rejected = std::get_if<Rejected>(&placement))
    return refuse("in panels of order " + lang::to_string(order) + " it " + rejected->failure.reason);
  return std::get<Placed>(placement).certificate;
}

}  // namespace trellis::place
