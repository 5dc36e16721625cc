#include "gui/running.hpp"

#include <algorithm>
#include <set>

namespace trellis::gui {
namespace {

struct Moved {
  std::shared_ptr<const session::DrawnView> of;
  Steps steps;
  Replay last = Replay::none;
};

Replay under_way(const Scene& scene) {
  if (scene.steps.lattice > 0) return Replay::lattice;
  if (scene.steps.execution > 0) return Replay::execution;
  const session::DrawnView* drawn = scene.drawn();
  const bool placed = drawn && drawn->placement && scene.steps.placement == drawn->placement->events.size();
  return scene.steps.placement > 0 && !placed ? Replay::placement : Replay::none;
}

std::vector<text::NodeId> nodes_now(const Scene& scene, Replay replay) {
  const session::DrawnView& drawn = *scene.drawn();
  if (scene.predict) return {};  // it would tell
  if (replay == Replay::execution) {
    const session::Recorded* recorded = scene.execution();
    const std::size_t at = scene.steps.execution;
    if (!recorded || !recorded->legal || at == 0 || at > recorded->trace.steps.size()) return {};
    return {{recorded->compilation ? text::Stage::flow : text::Stage::loops, recorded->trace.steps[at - 1].statement}};
  }
  if (replay == Replay::lattice) {
    const explore::LatticeStep* step = lattice_step(scene);
    const coiterate::NumberedLattice* one = step ? lattice_of(*drawn.lattice_walk, step->lattice) : nullptr;
    if (!one) return {};
    return {{text::Stage::lattice,
             step->which < 0 ? one->point_id(step->point) : one->outcome_id(step->point, step->which)}};
  }
  std::vector<text::NodeId> nodes;
  if (replay == Replay::placement && drawn.placement && scene.steps.placement > 0)
    for (const int fragment :
         drawn.placement->events[std::min(scene.steps.placement, drawn.placement->events.size()) - 1].fragments)
      nodes.push_back({text::Stage::fragments, fragment});
  return nodes;
}

/// Without those that have another one inside.
std::vector<text::NodeId> innermost(const text::Text& text, const std::set<text::NodeId>& nodes) {
  std::vector<text::NodeId> found;
  std::vector<const text::TextSpan*> spans;
  for (const text::TextSpan& span : text.spans)
    if (nodes.contains(span.node)) spans.push_back(&span);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const bool holds_next = i + 1 < spans.size() && spans[i + 1]->begin < spans[i]->end;
    if (!holds_next) found.push_back(spans[i]->node);
  }
  return found;
}

}  // namespace

Replay replay_in_hand(const Scene& scene, Ui& ui) {
  auto& moved = ui.memory<Moved>("replay in hand");
  const auto drawn = scene.kernel ? scene.kernel->drawn : nullptr;
  if (moved.of != drawn) {
    // Kept alive, so that another one cannot take its place in memory unnoticed.
    moved = {drawn, scene.steps, under_way(scene)};
  } else if (moved.steps != scene.steps) {
    if (moved.steps.lattice != scene.steps.lattice) moved.last = Replay::lattice;
    else if (moved.steps.execution != scene.steps.execution) moved.last = Replay::execution;
    else moved.last = Replay::placement;
    moved.steps = scene.steps;
  }
  return drawn ? moved.last : Replay::none;
}

const explore::LatticeStep* lattice_step(const Scene& scene) {
  const session::DrawnView* drawn = scene.drawn();
  if (!drawn || !drawn->lattice_walk || scene.steps.lattice == 0) return nullptr;
  const auto& steps = drawn->lattice_walk->trace.steps;
  return scene.steps.lattice <= steps.size() ? &steps[scene.steps.lattice - 1] : nullptr;
}

const coiterate::NumberedLattice* lattice_of(const session::ReplayedLattices& walk, int number) {
  const auto found = std::ranges::find(walk.lattices, number, &coiterate::NumberedLattice::number);
  return found == walk.lattices.end() ? nullptr : &*found;
}

bool at_condition(const Scene& scene, Ui& ui) {
  const explore::LatticeStep* step = lattice_step(scene);
  return step && step->runs_out && !scene.predict && replay_in_hand(scene, ui) == Replay::lattice;
}

const std::vector<text::NodeId>& running_nodes(const Scene& scene, Ui& ui, text::Stage stage, const text::Text& text) {
  struct Found {
    std::shared_ptr<const session::DrawnView> of;
    const text::Text* text = nullptr;
    std::vector<text::NodeId> now, nodes;
  };
  auto& found = ui.memory<Found>(std::string("running in ") + text::name_of(stage));
  const Replay replay = replay_in_hand(scene, ui);
  const auto drawn = scene.kernel ? scene.kernel->drawn : nullptr;
  const std::vector<text::NodeId> now = drawn ? nodes_now(scene, replay) : std::vector<text::NodeId>{};
  if (found.of == drawn && found.text == &text && found.now == now) return found.nodes;
  found = {drawn, &text, now, {}};
  std::set<text::NodeId> nodes;
  for (const text::NodeId& node : now)
    for (const text::NodeId& kin : drawn->kin.of(node))
      if (kin.stage == stage) nodes.insert(kin);
  // A fragment is part of every loop around it.
  if (replay == Replay::placement && stage > text::Stage::loops) nodes.clear();  // too much comes of a fragment
  const bool later = !now.empty() && stage > now.front().stage && replay != Replay::placement;
  found.nodes = later ? std::vector<text::NodeId>(nodes.begin(), nodes.end()) : innermost(text, nodes);
  return found.nodes;
}

}  // namespace trellis::gui
