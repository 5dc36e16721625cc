// place, lattice: how the compiler came to its loops, and how the loops walk what is stored.
#include "engine/session/command/commands.hpp"
#include "engine/session/replay/look_at.hpp"
#include "engine/session/replay/replays.hpp"

namespace trellis::session {
namespace {

/// Which way to go in a replay; a number: to that step.
struct Move {
  enum class Way { step, back, run, to } way = Way::step;
  std::size_t to = 0;
};

std::optional<Move> to_step(Words& words) {
  const auto number = words.integer("a step's number");
  if (!number) return std::nullopt;
  if (*number >= 0) return Move{Move::Way::to, static_cast<std::size_t>(*number)};
  words.diagnostics().error("E0631", words.whole(), "steps are counted from 0, before the first one", "");
  return std::nullopt;
}

std::optional<Move> read_move(Words& words) {
  if (words.accept("step")) return Move{Move::Way::step};
  if (words.accept("back")) return Move{Move::Way::back};
  if (words.accept("run")) return Move{Move::Way::run};
  if (words.accept("goto")) return to_step(words);
  words.unexpected("`step`, `back`, `run` or `goto`", {"step", "back", "run", "goto"});
  return std::nullopt;
}

/// False is reported.
bool carry_out(const Move& move, std::size_t& at, std::size_t last, Words& words) {
  using Way = Move::Way;
  const auto refuse = [&](const std::string& what, const std::string& note) {
    words.diagnostics().error("E0631", words.whole(), what, "").notes.push_back({{}, note});
    return false;
  };
  switch (move.way) {
    case Way::step:
      if (at == last) return refuse("there is no step behind this one", "`" + words.command() + " back` goes back");
      ++at;
      break;
    case Way::back:
      if (at == 0) return refuse("there is no step before this one", "`" + words.command() + " step` goes on");
      --at;
      break;
    case Way::run: at = last; break;
    case Way::to:
      if (move.to > last)
        return refuse("there are " + std::to_string(last) + " steps, not " + std::to_string(move.to),
                      "step 0 stands before the first one");
      at = move.to;
      break;
  }
  return true;
}

/// Makes the replay if need be, and moves in it.
template <class Replayed, class Make, class Count>
Position<Replayed>* moved(State& state, Position<Replayed>& position, const std::optional<Move>& move, Words& words,
                          const Make& make, const Count& count) {
  const auto name = move ? words.optional_name() : std::nullopt;
  if (!move || !words.finish()) return nullptr;
  const bool same = position.of && position.version == state.version() && (!name || name->text == position.of->kernel);
  if (!same) {
    const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
    auto made = kernel ? make(*kernel) : std::nullopt;
    if (!made) return nullptr;
    position = {std::make_shared<const Replayed>(std::move(*made)), 0, state.version()};
  }
  if (!carry_out(*move, position.at, count(*position.of), words)) return nullptr;
  look_at(state, position);
  return &position;
}

void name_steps(Stepped& stepped, const std::string& command, const Words& words) {
  stepped.forth = command + " step";
  stepped.back = command + " back";
  stepped.again = words.first() == "back" ? stepped.back : stepped.forth;
}

CommandResult move_in_placement(State& state, const std::optional<Move>& move, Words& words) {
  const auto make = [&](const lang::Kernel& kernel) {
    return replayed_placement(state, kernel, words.whole(), words.diagnostics());
  };
  const auto* position = moved(state, state.focus.cursor->placement, move, words, make,
                               [](const ReplayedPlacement& p) { return p.events.size(); });
  if (!position) return {};
  Stepped stepped{"placement", position->of->kernel, position->at, position->of->events.size()};
  stepped.placement = position->of;
  name_steps(stepped, "place", words);
  return {std::move(stepped)};
}

CommandResult move_in_lattices(State& state, const std::optional<Move>& move, Words& words) {
  const auto make = [&](const lang::Kernel& kernel) {
    return replayed_lattices(state, kernel, words.whole(), words.diagnostics());
  };
  const auto* position = moved(state, state.focus.cursor->lattices, move, words, make,
                               [](const ReplayedLattices& l) { return l.trace.steps.size(); });
  if (!position) return {};
  Stepped stepped{"lattice", position->of->kernel, position->at, position->of->trace.steps.size(),
                  position->of->trace.complete};
  stepped.lattices = position->of;
  name_steps(stepped, "lattice", words);
  return {std::move(stepped)};
}

}  // namespace

CommandResult place_(State& state, Words& words) { return move_in_placement(state, read_move(words), words); }
CommandResult lattice(State& state, Words& words) { return move_in_lattices(state, read_move(words), words); }
CommandResult goto_event(State& state, Words& words) { return move_in_placement(state, to_step(words), words); }
CommandResult goto_lattice_step(State& state, Words& words) { return move_in_lattices(state, to_step(words), words); }

}  // namespace trellis::session
