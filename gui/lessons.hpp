#pragma once
// The tutorial in the window: a lesson's program is the text, and what is typed, clicked or dragged does its tasks.

#include <map>
#include <optional>
#include <set>
#include <string>

namespace trellis::gui {

struct Lessons {
  int number = 0;                             ///< of the lesson that is under way; 0: none
  std::map<int, std::set<std::size_t>> done;  ///< tasks, by lesson
  /// What was open before the first one.
  struct Before {
    std::string path, text;
  };
  std::optional<Before> before;

  /// Something else is open; what was before the first one does not come back.
  void leave() { number = 0, before.reset(); }
  /// The lesson that `tutorial REST` begins: a number, `next`, `back`; nothing else means the present one. 0: there is
  /// none.
  int wanted(const std::string& rest) const;
  /// A command was carried out, or refused. True: that was a task.
  bool hear(const std::string& command, bool succeeded);
};

}  // namespace trellis::gui
