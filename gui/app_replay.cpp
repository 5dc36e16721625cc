// Positions in what is replayed: an execution, a placement, a walk through lattices. The window moves at once; the
// session is told, so that `step` in the console goes on from there (app_select.cpp: what the console does is
// followed).
#include <algorithm>
#include <charconv>

#include "gui/app.hpp"
#include "gui/views/views.hpp"
#include "gui/words.hpp"

namespace trellis::gui {
namespace {

constexpr double seconds_a_step = 0.12;

/// The same steps: what was recorded anew, since a kernel has run, say, is replayed on from where it stood.
bool same_replay(const session::Recorded* a, const session::Recorded* b) {
  if (!a || !b) return a == b;
  return a->kernel == b->kernel && a->order == b->order && a->legal == b->legal &&
         a->trace.steps.size() == b->trace.steps.size() && a->nest == b->nest;
}

/// The command that brings a session's replay to that step.
std::string command_for(const std::string& replay, std::size_t step, const Scene& scene) {
  const std::string command = replay == "placement" ? "place goto " : replay == "lattice" ? "lattice goto " : "goto ";
  // Of several kernels the session would take the last.
  const bool named = scene.kernel && scene.snapshot->kernels.size() > 1;
  return command + std::to_string(step) + (named ? " " + scene.kernel->name : "");
}

}  // namespace

std::size_t& App::position(const std::string& replay, char side) {
  Steps& all = steps(side);
  return replay == "placement" ? all.placement : replay == "lattice" ? all.lattice : all.execution;
}

std::size_t App::length_of(const std::string& replay, char side) { return gui::length_of(scene(side), replay); }

/// That of the active pane, else of what stands in the window.
std::string App::active_replay() {
  const auto replay_of = [](const std::string& pane) -> std::string {
    return find_view(pane) ? find_view(pane)->replay : "";
  };
  if (const std::string own = replay_of(active_pane_); !own.empty()) return own;
  for (const std::string& pane : visible_panes_)
    if (const std::string one = replay_of(pane); !one.empty()) return one;
  return "execution";
}

// False: it is about something else.
bool App::carry_out_replay(const std::string& what, const std::string& rest) {
  const std::string replay = rest.empty() ? active_replay() : rest;
  if (what == "step" || what == "back") {
    step(replay, what == "step" ? 1 : -1);
    hear_replay(replay, what);
  } else if ((what == "next" || what == "last") && rest == "event") {
    go_to_event(active_replay(), what == "next");
    if (active_replay() == "execution") lessons_.hear(what + " violation", true);
  } else if (what == "first" || what == "last") {
    go_to(replay, what == "first" ? 0 : length_of(replay, side_that_replays(replay)));
    if (what == "last") hear_replay(replay, "run");
  } else if (what == "goto") {
    const auto [of, number] = split_word(rest);
    std::size_t at = 0;
    std::from_chars(number.data(), number.data() + number.size(), at);
    go_to(of, at);
  } else if (what == "instance") {
    go_to_instance();
  } else if (what == "play") {
    // The keys go to a pane that replays what is played.
    const auto replays = [&](const std::string& pane) { return find_view(pane) && replay == find_view(pane)->replay; };
    if (!replays(active_pane_))
      if (const auto pane = std::ranges::find_if(visible_panes_, replays); pane != visible_panes_.end())
        active_pane_ = *pane;
    playing_ = !playing_;
    const char side = side_that_replays(replay);
    if (playing_ && position(replay, side) >= length_of(replay, side)) go_to(replay, 0);
  } else if (what == "poisoned") {
    poisoned_ = !poisoned_;
    if (poisoned_) go_to("execution", 0);
  } else {
    return false;
  }
  return true;
}

// Whoever steps with a button or a key has done what a lesson asks to be typed.
void App::hear_replay(const std::string& replay, const std::string& what) {
  if (replay != "execution") lessons_.hear((replay == "placement" ? "place " : "lattice ") + what, true);
  else if (what != "run") lessons_.hear(what, true);
}

void App::step(const std::string& replay, std::ptrdiff_t by) {
  const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(position(replay, side_that_replays(replay))) + by;
  go_to(replay, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at)));
}

void App::go_to(const std::string& replay, std::size_t step, char side) {
  const std::size_t to = std::min(step, length_of(replay, side)), before = position(replay);
  if (to == position(replay, side)) return;
  position(replay, side) = to;
  if (replay == "execution") follow_leading_side();
  if (position(replay) == before) return;
  // The session is of side A.
  const std::string command = command_for(replay, position(replay), scene());
  if (replay_request_ != 0) replay_waiting_ = command;
  else send_replay(command);
}

// Steps that follow each other are one entry of the console.
void App::send_replay(const std::string& command) {
  const std::string stem = command.substr(0, command.find_first_of("0123456789"));
  const bool goes_on = !console_.entries.empty() && console_.entries.back().command.starts_with(stem);
  ConsoleEntry& entry = goes_on ? console_.entries.back() : console_.add(command);
  entry.command = command;
  entry.version = replay_request_ = document().enter(command);
}

void App::go_to_event(const std::string& replay, bool forth) {
  const char side = side_that_replays(replay);
  const Scene shown = scene(side);
  const session::DrawnView* drawn = shown.drawn();
  if (!drawn) return;
  std::vector<std::size_t> events;  // steps taken once the event has happened
  if (replay == "placement" && drawn->placement) {
    const auto& all = drawn->placement->events;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].kind == place::Event::Kind::reject || all[i].kind == place::Event::Kind::place)
        events.push_back(i + 1);
  } else if (replay == "lattice" && drawn->lattice_walk) {
    const auto& all = drawn->lattice_walk->trace.steps;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].runs_out) events.push_back(i + 1);
  } else if (replay == "execution") {
    for (const explore::Violation& violation : drawn->account.violations) events.push_back(violation.reads + 1);
  }
  events.erase(std::unique(events.begin(), events.end()), events.end());
  const std::size_t now = position(replay, side);
  if (forth) {
    const auto next = std::ranges::upper_bound(events, now);
    go_to(replay, next == events.end() ? length_of(replay, side) : *next);
  } else {
    const auto next = std::ranges::lower_bound(events, now);
    go_to(replay, next == events.begin() ? 0 : *(next - 1));
  }
}

void App::go_to_instance() {
  const Scene shown = scene(stepped_side());
  const session::DrawnView* drawn = shown.drawn();
  if (drawn && drawn->instance_step) go_to("execution", *drawn->instance_step);
}

// What is recorded anew begins anew; an illegal order begins at its instance.
void App::follow_replays() {
  bool paired = !b_ || counterparts_;
  for (const char side : {'A', 'B'}) {
    if (side == 'B' && !b_) continue;
    const Scene shown = scene(side);
    const auto drawn = shown.kernel ? shown.kernel->drawn : nullptr;
    auto& of = side == 'A' ? replayed_ : replayed_b_;
    auto& seen = side == 'A' ? drawn_ : drawn_b_;
    const auto execution = shown.explained() ? shown.explained()->execution : nullptr;
    // Until the pictures of a new program arrive, those of the last one stay.
    const bool fresh = drawn && drawn != seen && (!seen || !same_replay(execution.get(), of.get()));
    if (drawn && drawn != seen) seen = drawn, of = execution, paired = false;
    if (fresh) {
      steps(side).execution = drawn->instance_step ? *drawn->instance_step : 0;
      steps(side).placement = drawn->placement ? drawn->placement->events.size() : 0;
      steps(side).lattice = 0;
    }
    for (const char* replay : {"execution", "placement", "lattice"})
      position(replay, side) = std::min(position(replay, side), gui::length_of(shown, replay));
  }
  if (!paired) pair_steps(), follow_leading_side();
  if (replay_request_ == 0 && !replay_waiting_.empty()) send_replay(std::exchange(replay_waiting_, {}));
}

void App::play() {
  if (!playing_ || now_ - played_at_ < seconds_a_step) return;
  played_at_ = now_;
  const std::string replay = active_replay();
  const char side = side_that_replays(replay);
  if (position(replay, side) >= length_of(replay, side)) playing_ = false;
  else step(replay, 1);
}

// Which steps of the two sides do the same.
void App::pair_steps() {
  counterparts_.reset(), counterparts_b_.reset();
  if (!b_) return;
  const Scene a = scene('A'), b = scene('B');
  if (!a.execution() || !b.execution() || !a.drawn() || !b.drawn()) return;
  const auto execution_of = [](const Scene& one) {
    return explore::Execution{one.execution()->trace, one.drawn()->account.points, one.explained()->fragments};
  };
  counterparts_ =
      std::make_shared<const explore::Counterparts>(explore::counterparts(execution_of(a), execution_of(b)));
  counterparts_b_ =
      std::make_shared<const explore::Counterparts>(explore::counterparts(execution_of(b), execution_of(a)));
}

void App::follow_leading_side() {
  if (!b_ || !counterparts_) return;
  if (stepped_side_ == 'A') steps_b_.execution = explore::follow(*counterparts_, steps_.execution);
  else steps_.execution = explore::follow(*counterparts_b_, steps_b_.execution);
}

}  // namespace trellis::gui
