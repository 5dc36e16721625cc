#pragma once
// What stands beside the timeline's stepper: where the step is, what it does, which violation it is.

#include "gui/scene.hpp"

namespace trellis::gui {

void draw_timeline_header(const Scene& scene, Ui& ui, Rect area);

/// "tV2 ← V(1,1) A(1,0)", as tooltips say it.
std::string words_of_step(const explore::Trace::Step& step);

}  // namespace trellis::gui
