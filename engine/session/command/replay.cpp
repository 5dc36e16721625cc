// place, lattice: how the compiler came to its loops, and how the loops walk what is stored.
#include "engine/session/command/commands.hpp"
#include "engine/session/replay/cursor.hpp"
#include "engine/session/replay/replays.hpp"

namespace trellis::session {
namespace {

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

void name_steps(Stepped& stepped, const Words& words) {
  stepped.forth = words.command() + " step";
  stepped.back = words.command() + " back";
  stepped.again = words.first() == "back" ? stepped.back : stepped.forth;
}

}  // namespace

CommandResult place_(State& state, Words& words) {
  const auto* position = moved(state, state.cursor->placement, words, [&](const lang::Kernel& k) { return replayed_placement(state, k, words.whole(), words.diagnostics()); },
                               [](const ReplayedPlacement& p) { return p.events.size(); });
  if (!position) return {};
  Stepped stepped{"placement", position->of->kernel, position->at, position->of->events.size()};
  stepped.placement = position->of;
  name_steps(stepped, words);
  return {std::move(stepped)};
}

CommandResult lattice(State& state, Words& words) {
  const auto* position = moved(state, state.cursor->lattices, words, [&](const lang::Kernel& k) { return replayed_lattices(state, k, words.whole(), words.diagnostics()); },
                               [](const ReplayedLattices& l) { return l.trace.steps.size(); });
  if (!position) return {};
  Stepped stepped{"lattice", position->of->kernel, position->at, position->of->trace.steps.size(),
                  position->of->trace.complete};
  stepped.lattices = position->of;
  name_steps(stepped, words);
  return {std::move(stepped)};
}

}  // namespace trellis::session
