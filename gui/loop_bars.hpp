#pragma once
// The loops of a kernel as bars: what the pane Loops draws, as values.
//
//   order j k i of Cholesky     j  0 : n  for      k  0 : n  forall      i  0 : n  forall
//
// Of equations whose order alone was given, a bar stands for an index of the order, in all loops over it; once the
// schedule has taken steps, and of a loop program, for a loop as it is.

#include <string>
#include <vector>

#include "gui/scene.hpp"

namespace trellis::gui {

struct LoopBar {
  std::string id;                       ///< "loop:i"; a second loop over the same is "loop:i.2"
  std::string name;                     ///< "i"
  std::string range = {};               ///< "0 : n"; empty: not known
  std::string kind = {};                ///< "for", "forall"; empty: not known, as the order is illegal
  std::vector<std::string> marks = {};  ///< "parallel", "vector", "unroll 4"
  bool descending = false;
  int depth = 0;
  int place = -1;                        ///< in the order; -1: the order does not name it
  std::vector<text::NodeId> nodes = {};  ///< loops that it stands for
};

std::vector<LoopBar> loop_bars(const Scene& scene);

}  // namespace trellis::gui
