#include "engine/session/replay/look_at.hpp"

#include <algorithm>

namespace trellis::session {
namespace {

Selection selection(const State& state, const std::string& kernel, text::Stage stage, std::size_t at) {
  Selection selection;
  selection.kernel = kernel;
  selection.stage = stage;
  selection.step = at;
  selection.pins = state.focus.selection.pins;
  return selection;
}

std::optional<Selection::Element> element_of(const explore::Trace::Step& step) {
  const auto early = std::ranges::find_if(step.reads, &explore::Trace::Touch::early);
  const explore::Trace::Touch* touched = early != step.reads.end() ? &*early
                                         : step.write              ? &*step.write
                                         : step.reads.empty()      ? nullptr
                                                                   : &step.reads.front();
  return touched ? std::optional(Selection::Element{touched->tensor, touched->index}) : std::nullopt;
}

}  // namespace

void look_at(State& state, const Position<Recorded>& position) {
  const Recorded& recorded = *position.of;
  const text::Stage stage = recorded.compilation ? text::Stage::flow : text::Stage::loops;
  Selection now = selection(state, recorded.kernel, stage, position.at);
  if (position.at > 0) {
    const explore::Trace::Step& step = recorded.trace.steps[position.at - 1];
    now.node = {stage, step.statement};
    now.instance = step.loops;
    now.element = element_of(step);
  }
  state.focus.selection = std::move(now);
}

void look_at(State& state, const Position<ReplayedPlacement>& position) {
  Selection now = selection(state, position.of->kernel, text::Stage::placement, position.at);
  if (position.at > 0)
    if (const std::vector<int>& about = position.of->events[position.at - 1].fragments; !about.empty())
      now.node = {text::Stage::fragments, about.front()};
  state.focus.selection = std::move(now);
}

void look_at(State& state, const Position<ReplayedLattices>& position) {
  const ReplayedLattices& walk = *position.of;
  Selection now = selection(state, walk.kernel, text::Stage::lattice, position.at);
  if (position.at > 0) {
    const explore::LatticeStep& step = walk.trace.steps[position.at - 1];
    const auto lattice = std::ranges::find(walk.lattices, step.lattice, &coiterate::NumberedLattice::number);
    if (lattice != walk.lattices.end()) now.node = {text::Stage::lattice, lattice->point_id(step.point)};
    now.instance = step.around;
    if (lattice != walk.lattices.end() && step.coordinate)
      now.instance.emplace_back(lattice->lattice->for_().variable, *step.coordinate);
    if (!step.touches.empty()) now.element = {step.touches.back().tensor, step.touches.back().index};
  }
  state.focus.selection = std::move(now);
}

}  // namespace trellis::session
