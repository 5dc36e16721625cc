#include "gui/lessons.hpp"

#include <charconv>

#include "engine/session/teach/lessons.hpp"

namespace trellis::gui {

int Lessons::wanted(const std::string& rest) const {
  int wanted = number > 0 ? number : 1;
  if (rest == "next") wanted = number + 1;
  else if (rest == "back") wanted = number - 1;
  else if (!rest.empty() && std::from_chars(rest.data(), rest.data() + rest.size(), wanted).ec != std::errc{}) return 0;
  return wanted >= 1 && wanted <= static_cast<int>(session::lessons().size()) ? wanted : 0;
}

bool Lessons::hear(const std::string& command, bool succeeded) {
  if (number == 0) return false;
  const session::Lesson& lesson = session::lessons()[static_cast<std::size_t>(number - 1)];
  bool any = false;
  // An entry may hold several statements.
  for (std::size_t at = 0; at < command.size();) {
    const std::size_t end = std::min(command.find_first_of(";\n", at), command.size());
    const std::size_t task = session::task_done_by(
        lesson, done[number], std::string_view(command).substr(at, end - at),
        succeeded ? session::Lesson::Task::Outcome::success : session::Lesson::Task::Outcome::refusal);
    if (task != session::no_task) done[number].insert(task), any = true;
    at = end + 1;
  }
  return any;
}

}  // namespace trellis::gui
