// place, lattice: how the compiler came to its loops, and how the loops walk what is stored.
#include <algorithm>
#include <limits>

#include "engine/loop/print.hpp"
#include "engine/session/commands.hpp"
#include "engine/session/cursor.hpp"

namespace trellis::session {
namespace {

constexpr std::size_t most_replayed_steps = 20000;

std::optional<ReplayedPlacement> replayed_placement(State& state, const lang::Kernel& kernel, Words& words) {
  if (kernel.loops) {
    words.diagnostics().error("E0630", words.whole(), "kernel " + kernel.name + " is a loop program: nothing is placed", "")
        .notes.push_back({{}, "`step` walks through its execution"});
    return std::nullopt;
  }
  auto analysis = state.analysis(kernel, words.diagnostics());
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

std::optional<ReplayedLattices> replayed_lattices(State& state, const lang::Kernel& kernel, Words& words) {
  ReplayedLattices replayed{kernel.name, state.compilation(kernel, words.diagnostics()), {}, {}, {}};
  if (!replayed.compilation) return std::nullopt;
  constexpr std::int64_t most_elements = std::numeric_limits<std::int64_t>::max();  // what is stored is all that is walked
  auto found = found_by(state, replayed.compilation->program, replayed.compilation->kernel, most_elements, words.whole(), words.diagnostics());
  if (!found) return std::nullopt;
  replayed.tensors = std::move(found->tensors);
  std::map<std::string, std::int64_t> sizes;
  for (const auto& [name, value] : found->parameters)
    if (!format::is_floating(value.type)) sizes[name] = value.as_integer();
  replayed.lattices = coiterate::distinct(replayed.compilation->lattices);
  auto walk = explore::walk_lattices(replayed.lattices, replayed.compilation->program, replayed.tensors, sizes, most_replayed_steps);
  if (!walk || walk->steps.empty()) {
    words.diagnostics().error("E0630", words.whole(), "kernel " + kernel.name + " has no walk through stored entries that can be replayed", "")
        .notes.push_back({{}, "`show lattice` shows what its loops do; sparse operands in rising order can be replayed"});
    return std::nullopt;
  }
  replayed.walk = std::move(*walk);
  return replayed;
}

/// Makes the replay if need be, and moves in it.
template <class Replayed, class Make, class Count>
Position<Replayed>* moved(State& state, Position<Replayed>& position, Words& words, const Make& make, const Count& count) {
  std::string way;
  for (const char* known : {"step", "back", "run"})
    if (way.empty() && words.accept(known)) way = known;
  if (way.empty()) {
    words.unexpected("`step`, `back` or `run`", {"step", "back", "run"});
    return nullptr;
  }
  const auto name = words.optional_name();
  if (!words.finish()) return nullptr;
  const bool same = position.of && position.version == state.version() && (!name || name->text == position.of->kernel);
  if (!same) {
    const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
    auto made = kernel ? make(*kernel) : std::nullopt;
    if (!made) return nullptr;
    position = {std::make_shared<const Replayed>(std::move(*made)), 0, state.version()};
  }
  const std::size_t last = count(*position.of);
  if ((way == "step" && position.at == last) || (way == "back" && position.at == 0)) {
    words.diagnostics().error("E0631", words.whole(), way == "step" ? "there is no step behind this one" : "there is no step before this one", "")
        .notes.push_back({{}, "`" + words.command() + (way == "step" ? " back` goes back" : " step` goes on")});
    return nullptr;
  }
  if (way == "step") ++position.at;
  else if (way == "back") --position.at;
  else position.at = last;
  return &position;
}

}  // namespace

CommandResult place_(State& state, Words& words) {
  const auto* position = moved(state, state.cursor->placement, words, [&](const lang::Kernel& k) { return replayed_placement(state, k, words); },
                               [](const ReplayedPlacement& p) { return p.events.size(); });
  if (!position) return {};
  Stepped stepped{"placement", position->of->kernel, position->at, position->of->events.size()};
  stepped.placement = position->of;
  return {std::move(stepped)};
}

CommandResult lattice(State& state, Words& words) {
  const auto* position = moved(state, state.cursor->lattices, words, [&](const lang::Kernel& k) { return replayed_lattices(state, k, words); },
                               [](const ReplayedLattices& l) { return l.walk.steps.size(); });
  if (!position) return {};
  Stepped stepped{"lattice", position->of->kernel, position->at, position->of->walk.steps.size(), position->of->walk.complete};
  stepped.lattices = position->of;
  return {std::move(stepped)};
}

}  // namespace trellis::session
