#include "gui/views/stages_list.hpp"

#include "engine/loop/print.hpp"
#include "engine/session/stages/storage_plan.hpp"

namespace trellis::gui {
namespace {

using text::Stage;

/// Loops in between have numbers of their own, which nothing else knows: their text has no spans.
StageState state_of_loops(std::size_t number, std::string title, const loop::Stmt& loops) {
  return {"loops." + std::to_string(number), std::move(title), Stage::loops,
          std::make_shared<const text::Text>(text::Text{loop::to_string(loops), {}})};
}

}  // namespace

std::vector<StageState> stage_states(const Scene& scene) {
  const auto& drawn = scene.kernel->drawn;
  std::vector<StageState> all;
  const auto add = [&](Stage stage, const char* title, const view::Drawing* drawing = nullptr) {
    const bool drawable = drawing && !drawing->nodes.empty();
    all.push_back({text::name_of(stage), title, stage, {drawn, &drawn->stage(stage)}, drawable ? drawing : nullptr});
  };
  add(Stage::equations, "equations"), add(Stage::fragments, "fragments"), add(Stage::graph, "graph"),
      add(Stage::placement, "placement");
  if (drawn->compiled) {
    const auto& steps = drawn->compiled->compilation.steps;
    if (!steps.empty()) all.push_back(state_of_loops(0, "loops before", steps.front().before));
    for (std::size_t k = 0; k < steps.size(); ++k)
      all.push_back(state_of_loops(k + 1, lang::to_string(steps[k].step), steps[k].after));
  }
  add(Stage::loops, "loops");
  if (drawn->compiled)
    all.push_back(
        {"storage", "storage plan", Stage::loops,
         std::make_shared<const text::Text>(text::Text{session::storage_plan(drawn->compiled->compilation), {}})});
  add(Stage::algebra, "algebra", &drawn->algebra), add(Stage::lattice, "lattice");
  add(Stage::flow, "control flow", &drawn->flow), add(Stage::c, "C");
  return all;
}

}  // namespace trellis::gui
