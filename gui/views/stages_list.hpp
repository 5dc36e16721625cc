#pragma once
// The states that a program goes through from its equations to C, in order: the stages, and the loops before and after
// each step of the schedule.

#include <memory>
#include <string>
#include <vector>

#include "gui/scene.hpp"

namespace trellis::gui {

struct StageState {
  std::string id;     ///< "loops", "loops.1": after the first step
  std::string title;  ///< "loops", "split i by 4"
  text::Stage stage = text::Stage::equations;
  std::shared_ptr<const text::Text> text;  ///< never null; empty: the order does not get as far
  const view::Drawing* drawing = nullptr;  ///< of stages that are trees
};

/// Of what the scene shows, whose kernel has been drawn.
std::vector<StageState> stage_states(const Scene& scene);

}  // namespace trellis::gui
