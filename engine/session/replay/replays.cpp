#include "engine/session/replay/replays.hpp"

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
  ReplayedPlacement replayed{kernel.name, state.order_of(kernel, *analysis), false, analysis,
                             {},          place::needs(*analysis),           {}};
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

std::optional<explore::LatticeTrace> traced_lattices(State& state, const Compilation& compilation, std::size_t most,
                                                     text::Span at, text::Diagnostics& diagnostics) {
  constexpr std::int64_t most_elements = std::numeric_limits<std::int64_t>::max();  // what is stored is all that is walked
  const auto found = found_by(state, compilation.program, compilation.kernel, most_elements, at, diagnostics);
  if (!found) return std::nullopt;
  return explore::trace_lattices(compilation, {found->parameters, found->tensors}, most);
}

std::optional<ReplayedLattices> replayed_lattices(State& state, const lang::Kernel& kernel, text::Span at,
                                                  text::Diagnostics& diagnostics) {
  ReplayedLattices replayed{kernel.name, state.compilation(kernel, diagnostics), {}, {}};
  if (!replayed.compilation) return std::nullopt;
  constexpr std::size_t most_kept = 20000;
  auto trace = traced_lattices(state, *replayed.compilation, most_kept, at, diagnostics);
  if (!trace) return std::nullopt;
  if (trace->steps.empty() && !trace->fault) {
    diagnostics
        .error("E0631", at, "no loop of kernel " + kernel.name + " walks what is stored: its lattices have no steps",
               "")
        .notes.push_back({{}, "`step` goes through its execution"});
    return std::nullopt;
  }
  replayed.lattices = coiterate::distinct(replayed.compilation->lattices);
  replayed.trace = std::move(*trace);
  return replayed;
}

}  // namespace trellis::session
