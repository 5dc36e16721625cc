#pragma once
// Where everyone looks: set in one view, seen in all.

#include <optional>
#include <string>
#include <vector>

#include "engine/loop/interpret.hpp"
#include "engine/text/node.hpp"

namespace trellis::session {

struct Selection {
  std::string kernel;
  text::Stage stage = text::Stage::source;
  std::optional<std::size_t> step;  ///< of what is replayed: an execution, a placement, a lattice, passes
  std::optional<text::NodeId> node;
  loop::LoopValues instance;  ///< an iteration, outermost loop first
  struct Element {
    std::string tensor;
    tensor::Index index;
    bool operator==(const Element&) const = default;
  };
  std::optional<Element> element;
  struct Position {
    std::string tensor;
    int level = 0;  ///< as many as there are levels: among the values
    std::int64_t position = 0;
    bool operator==(const Position&) const = default;
  };
  std::optional<Position> position;  ///< in storage
  std::vector<text::NodeId> pins;    ///< stay lit whatever is selected

  bool operator==(const Selection&) const = default;
};

}  // namespace trellis::session
