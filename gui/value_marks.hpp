#pragma once
// What is said of the elements of all tensors at one moment of an execution: what the step reads and writes, what its
// equation computes and needs besides, what comes too early, and in the end what is wrong.

#include <map>
#include <string>

#include "engine/explore/taint.hpp"
#include "gui/board_grid.hpp"
#include "gui/replayed.hpp"

namespace trellis::gui {

struct ValueMarks {
  std::map<std::string, ElementMarks> of;  ///< by tensor
  /// The element that the equation computes now, of a result: where arrows lead to.
  std::optional<session::Selection::Element> computed;
  std::size_t wrong = 0;  ///< elements that are wrong by now
};

/// `taints` by step (explore::taints), for a poisoned replay; empty otherwise.
ValueMarks marks_at(const Scene& scene, const Replayed& replayed, const Places& places, const session::Boards& boards,
                    const explore::Taints& taints);

}  // namespace trellis::gui
