#pragma once
// What lies above the panes until it is closed (the palette, a question), and the command that waits for its answer;
// and the short word at the lower edge that waits for nothing.

#include <string>

#include "gui/ui.hpp"

namespace trellis::gui {

class Modal {
 public:
  explicit Modal(Ui& ui) : ui_(ui) {}
  /// "palette", "export png": its name, and words for who draws it. It has the keys until it is closed.
  void open(std::string name);
  /// A question; that command of the window waits for its answer: "open \"f.tr\"", "quit".
  void ask(std::string name, std::string command) { open(std::move(name)), held_up_ = std::move(command); }
  /// The text field that had the keys has them again; what waited is forgotten.
  void close();

  bool is_open() const { return !name_.empty(); }
  const std::string& name() const { return name_; }
  const std::string& held_up() const { return held_up_; }
  /// It is drawn for the first time since it was opened.
  bool is_new() const { return name_ != drawn_; }
  void drawn() { drawn_ = name_; }

 private:
  Ui& ui_;
  std::string name_;          ///< empty: nothing is open
  std::string drawn_;         ///< as it was in the last frame
  std::string field_before_;  ///< that had the text focus when it was opened
  std::string held_up_;
};

/// A short word to the user, for some seconds.
class Notes {
 public:
  explicit Notes(const Ui& ui) : ui_(ui) {}
  struct Note {
    std::string words;
    bool failed = false;
    double until = -1;  ///< seconds, as Input::now
  };
  void say(const std::string& words, bool failed = false);
  const Note& last() const { return last_; }

 private:
  const Ui& ui_;
  Note last_;
};

}  // namespace trellis::gui
