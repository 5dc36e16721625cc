#pragma once
// Where panes stand in the window, and which of them has the keys.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gui/settings.hpp"
#include "gui/ui.hpp"

namespace trellis::gui {

class Panes {
 public:
  /// Layouts that the settings keep stand in place of the presets' own.
  Panes(Settings& settings, Ui& ui);

  /// Of the preset that is chosen.
  Layout& layout() { return layouts_[settings_.preset]; }
  /// False: there is no such preset.
  bool choose(const std::string& preset);
  /// As the preset has it.
  void reset();
  /// What differs from the presets, to the settings.
  void keep();

  const std::string& active() const { return active_; }
  /// It has the keys. A text field keeps what is typed.
  void focus(const std::string& pane) { active_ = pane; }
  /// It has the keys, and no text field has.
  void activate(const std::string& pane) { active_ = pane, ui_.focus_text(""); }
  /// To the front of its stack, with the keys.
  void bring(const std::string& pane, const std::string& neighbour = {});

  /// Where panes share a place for want of room, it is the one that is seen there until another one is brought.
  void prefer(const std::string& pane);
  /// The last one first.
  const std::vector<std::string>& preferred() const { return preferred_; }

  /// What the frame shows. Where the active pane is gone, the first one has the keys.
  void arranged(const Arrangement& arrangement);
  const std::vector<std::string>& visible() const { return visible_; }
  bool sees(std::string_view pane) const;
  /// Where a pane stands in the last frame, with its header; empty: nowhere.
  Rect area_of(const std::string& pane) const;
  /// The pane with most room besides the program: what has no place yet joins it.
  std::string roomiest() const;
  /// The pane that shows the same of the other side; empty: none is seen.
  std::string twin_of(const std::string& pane) const;
  /// The keys go to the pane that is seen so many places further.
  void pass_keys(int by);

  std::string dragged;  ///< by its tab; empty: none

 private:
  Settings& settings_;
  Ui& ui_;
  std::map<std::string, Layout> layouts_;  ///< by preset
  std::string active_ = "program";
  std::vector<std::string> visible_, preferred_;
  std::map<std::string, Rect> areas_;
};

}  // namespace trellis::gui
