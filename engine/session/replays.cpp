#include "engine/session/replays.hpp"

#include <limits>

#include "engine/loop/print.hpp"

namespace trellis::session {

std::optional<ReplayedPlacement> replayed_placement(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics) {
  if (kernel.loops) {
    diagnostics.error("E0630", at, "kernel " + kernel.name + " is a loop program: nothing is placed", "")
        .notes.push_back({{}, "`step` walks through its execution"});
    return std::nullopt;
  }
  auto analysis = state.analysis(kernel, diagnostics);
  if (!analysis) return std::nullopt;
  ReplayedPlacement replayed{kernel.name, state.order_of(kernel, *analysis), false, analysis, {}, {}};
  place::Placement placement = place::place(*analysis, replayed.order);
  if (auto* placed = std::get_if<place::Placed>(&placement)) {
    replayed.legal = true;
    replayed.events = std::move(placed->events);
    replayed.nest = loop::print(placed->nest, text::Stage::placement);
  } else {
    replayed.events = std::get<place::Rejected>(placement).events;
  }
  return replayed;
}

std::optional<ReplayedLattices> replayed_lattices(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics) {
  ReplayedLattices replayed{kernel.name, state.compilation(kernel, diagnostics), {}, {}, {}};
  if (!replayed.compilation) return std::nullopt;
  constexpr std::size_t most_walked = 20000;
  constexpr std::int64_t most_elements = std::numeric_limits<std::int64_t>::max();  // what is stored is all that is walked
  auto found = found_by(state, replayed.compilation->program, replayed.compilation->kernel, most_elements, at, diagnostics);
  if (!found) return std::nullopt;
  replayed.tensors = std::move(found->tensors);
  std::map<std::string, std::int64_t> sizes;
  for (const auto& [name, value] : found->parameters)
    if (!format::is_floating(value.type)) sizes[name] = value.as_integer();
  replayed.lattices = coiterate::distinct(replayed.compilation->lattices);
  auto walk = explore::walk_lattices(replayed.lattices, replayed.compilation->program, replayed.tensors, sizes, most_walked);
  if (!walk || walk->steps.empty()) {
    diagnostics.error("E0630", at, "kernel " + kernel.name + " has no walk through stored entries that can be replayed", "")
        .notes.push_back({{}, "`show lattice` shows what its loops do; operands in rising order, indexed by a loop or shifted from it, can be replayed"});
    return std::nullopt;
  }
  replayed.walk = std::move(*walk);
  return replayed;
}

}  // namespace trellis::session
