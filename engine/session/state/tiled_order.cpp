#include "engine/session/state/tiled_order.hpp"

#include <algorithm>

#include "engine/compile.hpp"
#include "engine/place/place.hpp"
#include "engine/place/tiles.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::session {
namespace {

lang::Order with_tiles(const std::vector<lang::LoopName>& tiled, std::int64_t size, const lang::Order& inside) {
  lang::Order order;
  for (const lang::LoopName& loop : tiled) order.push_back({lang::tile_text(loop.name, size), loop.descending});
  order.insert(order.end(), inside.begin(), inside.end());
  return order;
}

bool compiles(const place::Analysis& untiled, const lang::Order& order) {
  const auto tiled = place::tiled(untiled, order);
  if (!tiled || !place::is_legal(*tiled, order)) return false;
  lang::Schedule schedule = untiled.kernel.schedule;
  schedule.order = order;
  schedule.steps.clear();
  text::Diagnostics ignored;
  const Compilation made = compile(tiled, ignored, schedule);
  return !ignored.has_errors() && !made.rejected;
}

}  // namespace

std::optional<text::Fix> tiled_order(const place::Analysis& untiled, const lang::Kernel& kernel,
                                     const lang::ScheduleStep& refused) {
  if (kernel.schedule.order || refused.loops.empty()) return std::nullopt;
  const auto inside = place::choose_order(untiled);
  if (!inside) return std::nullopt;
  const text::Unseen nobody_reads_why;
  std::vector<lang::LoopName> named;
  for (const std::string& loop : refused.loops) {
    const auto at = std::ranges::find(*inside, loop, &lang::LoopName::name);
    if (at == inside->end()) return std::nullopt;
    named.push_back(*at);
  }
  const std::int64_t size = refused.factors.front();
  for (const std::vector<lang::LoopName>& tiled : {named, std::vector<lang::LoopName>(*inside)}) {
    const lang::Order order = with_tiles(tiled, size, *inside);
    if (compiles(untiled, order))
      return text::Fix{"order " + lang::to_string(order),
                       "places the equations in tiles, in the place of `" + lang::to_string(refused) + "`", 0};
  }
  return std::nullopt;
}

}  // namespace trellis::session
