#pragma once
// Tensors that are too large to step through, as pictures: one cell for a block of elements, the brighter the greater
// their mean. Blocks are as small as can be seen, down to elements as one zooms in; a frame asks for those on screen.

#include "gui/scene.hpp"

namespace trellis::gui {

/// False: the kernel has no matrix in memory, and nothing is drawn.
bool draw_values_picture(const Scene& scene, Ui& ui, Rect area);

}  // namespace trellis::gui
