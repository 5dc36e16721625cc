#include "engine/session/replay/replays.hpp"

#include <limits>

#include "engine/loop/print.hpp"
#include "engine/place/in_place.hpp"
#include "engine/session/replay/record.hpp"

namespace trellis::session {

std::optional<ReplayedPlacement> replayed_placement(State& state, const lang::Kernel& kernel, text::Span at,
                                                    text::Diagnostics& diagnostics) {
  if (kernel.loops) {
    diagnostics.error("E0630", at, "kernel " + kernel.name + " is a loop program: nothing is placed", "")
        .notes.push_back({{}, "`step` walks through its execution"});
    return std::nullopt;
  }
  auto analysis = state.analysis(kernel, diagnostics);
  if (!analysis) return std::nullopt;
  const lang::Order order = order_of(kernel, *analysis);
  return replayed_placement(kernel.name, std::move(analysis), order, place::wanted_in_place(kernel.schedule));
}

ReplayedPlacement replayed_placement(std::string kernel, std::shared_ptr<const place::Analysis> analysis,
                                     lang::Order order, const std::vector<std::string>& in_place) {
  ReplayedPlacement replayed{std::move(kernel), std::move(order), false, analysis, {}, place::needs(*analysis)};
  place::Placement placement = place::place(*analysis, replayed.order, in_place);
  if (auto* placed = std::get_if<place::Placed>(&placement)) {
    replayed.legal = true;
    replayed.events = std::move(placed->events);
    replayed.certificate = std::move(placed->certificate);
    replayed.nest = loop::print(placed->nest, text::Stage::placement);
    loop::for_each(placed->nest, [&](const loop::Stmt&) { ++replayed.nodes; });
  } else {
    replayed.events = std::move(std::get<place::Rejected>(placement).events);
  }
  return replayed;
}

text::Text text_of(const ReplayedPlacement& placement) {
  text::Text text = text::concat(placement.nest, place::print_events(placement.events, placement.nodes));
  if (!placement.certificate) return text;
  const auto& [dependences, instances, sizes, reassociated] = *placement.certificate;
  text.characters += "certified " + sizes + ": " + std::to_string(dependences) +
                     (dependences == 1 ? " dependence respected, " : " dependences respected, ") +
                     std::to_string(instances) + (instances == 1 ? " fragment runs once\n" : " fragments run once\n");
  for (const place::Reassociated& sum : reassociated) text.characters += sum.words + "\n";
  return text;
}

std::optional<explore::LatticeTrace> traced_lattices(State& state, const Compilation& compilation, std::size_t most,
                                                     text::Span at, text::Diagnostics& diagnostics) {
  constexpr std::int64_t most_elements =
      std::numeric_limits<std::int64_t>::max();  // what is stored is all that is walked
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
