#include "gui/visited.hpp"

namespace trellis::gui {
namespace {

constexpr std::size_t most_places = 100;

/// One step further, as in playing, is no other place.
bool is_near(const Steps& a, const Steps& b) {
  const auto near = [](std::size_t x, std::size_t y) { return (x > y ? x - y : y - x) <= 1; };
  return near(a.execution, b.execution) && near(a.placement, b.placement) && near(a.lattice, b.lattice);
}

}  // namespace

void Visited::visit(const Place& now, bool playing) {
  if (places_.empty()) {
    places_.push_back(now);
    return;
  }
  Place& last = places_[at_];
  if (last == now) return;
  const bool same = last.pane == now.pane && last.kernel == now.kernel && last.pins == now.pins;
  // Whoever went back finds the way forth, though steps arrive later there, with a trace that was made anew.
  if (same && (playing || can_go(true) || is_near(last.steps, now.steps))) {
    last = now;
    return;
  }
  places_.resize(at_ + 1);
  places_.push_back(now);
  if (places_.size() > most_places) places_.erase(places_.begin());
  at_ = places_.size() - 1;
}

}  // namespace trellis::gui
