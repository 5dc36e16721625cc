#pragma once
// What was looked at, in order: the way back, and forth again.

#include <string>
#include <vector>

#include "gui/scene.hpp"

namespace trellis::gui {

struct Place {
  std::string pane, kernel;
  Steps steps;
  std::vector<text::NodeId> pins;
  bool operator==(const Place&) const = default;
};

class Visited {
 public:
  /// At the end of each frame. A step further, and all of playing, is no other place; nor is any step as long as there
  /// is a way forth.
  void visit(const Place& now, bool playing);
  bool can_go(bool forth) const { return forth ? at_ + 1 < places_.size() : at_ > 0; }
  /// The place after or before this one, which must be there.
  const Place& go(bool forth) { return places_[forth ? ++at_ : --at_]; }
  /// What became of going there.
  void arrived(const Place& now) { places_[at_] = now; }

 private:
  std::vector<Place> places_;
  std::size_t at_ = 0;
};

}  // namespace trellis::gui
