#include "gui/replays.hpp"

#include <algorithm>

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
std::string command_for(const std::string& replay, std::size_t step, const std::string& kernel) {
  const std::string command = replay == "placement" ? "place goto " : replay == "lattice" ? "lattice goto " : "goto ";
  return command + std::to_string(step) + (kernel.empty() ? "" : " " + kernel);
}

/// How many steps are taken once each of the events has happened.
std::vector<std::size_t> events_of(const session::DrawnView& drawn, const std::string& replay) {
  std::vector<std::size_t> events;
  if (replay == "placement" && drawn.placement) {
    const auto& all = drawn.placement->events;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].kind == place::Event::Kind::reject || all[i].kind == place::Event::Kind::place)
        events.push_back(i + 1);
  } else if (replay == "lattice" && drawn.lattice_walk) {
    const auto& all = drawn.lattice_walk->trace.steps;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].runs_out) events.push_back(i + 1);
  } else if (replay == "execution") {
    for (const explore::Violation& violation : drawn.account.violations) events.push_back(violation.reads + 1);
  }
  events.erase(std::unique(events.begin(), events.end()), events.end());
  return events;
}

}  // namespace

std::size_t Replays::length(const std::string& replay, char side) const {
  return length_of(selected_.kernel(side), replay);
}

bool Replays::at_end(const std::string& replay) const {
  const char side = side_of(replay);
  return steps(side).of(replay) >= length(replay, side);
}

void Replays::go_to(const std::string& replay, std::size_t step, char side) {
  std::size_t& at = of(side).steps.of(replay);
  const std::size_t to = std::min(step, length(replay, side)), before = a_.steps.of(replay);
  if (to == at) return;
  at = to;
  if (replay == "execution") sides_.follow(a_.steps, b_.steps);
  const std::size_t now = a_.steps.of(replay);
  if (now == before) return;
  // The session is of side A, and of several kernels it would take the last.
  const session::KernelView* kernel = selected_.kernel();
  const bool named = kernel && sides_.document().snapshot().kernels.size() > 1;
  const std::string command = command_for(replay, now, named ? kernel->name : "");
  if (request_ != 0) waiting_ = command;
  else tell(command);
}

// Steps that follow each other are one entry of the console.
void Replays::tell(const std::string& command) {
  const std::string stem = command.substr(0, command.find_first_of("0123456789"));
  const bool goes_on = !console_.entries.empty() && console_.entries.back().command.starts_with(stem);
  ConsoleEntry& entry = goes_on ? console_.entries.back() : console_.add(command);
  entry.command = command;
  entry.version = request_ = sides_.document().enter(command);
}

void Replays::step(const std::string& replay, std::ptrdiff_t by) {
  const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(steps(side_of(replay)).of(replay)) + by;
  go_to(replay, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, to)));
}

void Replays::go_to_event(const std::string& replay, bool forth) {
  const char side = side_of(replay);
  const session::KernelView* kernel = selected_.kernel(side);
  if (!kernel || !kernel->drawn) return;
  const std::vector<std::size_t> events = events_of(*kernel->drawn, replay);
  const std::size_t now = steps(side).of(replay);
  if (forth) {
    const auto next = std::ranges::upper_bound(events, now);
    go_to(replay, next == events.end() ? length(replay, side) : *next);
  } else {
    const auto next = std::ranges::lower_bound(events, now);
    go_to(replay, next == events.begin() ? 0 : *(next - 1));
  }
}

const std::size_t* Replays::instance() const {
  const session::KernelView* kernel = selected_.kernel(sides_.leading());
  return kernel && kernel->drawn && kernel->drawn->instance_step ? &*kernel->drawn->instance_step : nullptr;
}

void Replays::set(const std::string& replay, std::size_t step) {
  a_.steps.of(replay) = std::min(step, length(replay, 'A'));
}

void Replays::follow() {
  bool paired = sides_.paired();
  if (follow('A')) paired = false;
  if (sides_.on() && follow('B')) paired = false;
  if (!paired) sides_.pair(selected_.kernel('A'), selected_.kernel('B')), sides_.follow(a_.steps, b_.steps);
  if (request_ == 0 && !waiting_.empty()) tell(std::exchange(waiting_, {}));
}

// True: there are other pictures than before.
bool Replays::follow(char side) {
  Side& at = of(side);
  const session::KernelView* kernel = selected_.kernel(side);
  const auto drawn = kernel ? kernel->drawn : nullptr;
  // Until the pictures of a new program arrive, those of the last one stay.
  const bool renewed = drawn && drawn != at.drawn;
  if (renewed) {
    const auto execution = kernel->explained ? kernel->explained->execution : nullptr;
    if (!at.drawn || !same_replay(execution.get(), at.replayed.get()))
      at.steps = {.execution = drawn->instance_step.value_or(0),
                  .placement = drawn->placement ? drawn->placement->events.size() : 0};
    at.drawn = drawn, at.replayed = execution;
  }
  for (const char* replay : {"execution", "placement", "lattice"})
    at.steps.of(replay) = std::min(at.steps.of(replay), length_of(kernel, replay));
  return renewed;
}

void Replays::play(const std::string& replay, double now) {
  if (!playing || now - played_at_ < seconds_a_step) return;
  played_at_ = now;
  if (at_end(replay)) playing = false;
  else step(replay, 1);
  // An illegal order is told as a story: what goes wrong is looked at before it goes on.
  if (poisoned && replay == "execution" && at_violation()) playing = false;
}

bool Replays::at_violation() const {
  const char side = side_of("execution");
  const session::KernelView* kernel = selected_.kernel(side);
  const std::size_t at = steps(side).execution;
  return kernel && kernel->drawn && at > 0 &&
         std::ranges::binary_search(kernel->drawn->account.violations, at - 1, {}, &explore::Violation::reads);
}

}  // namespace trellis::gui
