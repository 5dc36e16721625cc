#include "engine/session/teach/lessons.hpp"
#include "gui/app.hpp"

namespace trellis::gui {

// The text is the lesson's program, so the window tells the lesson itself.
void App::teach(const std::string& command, const std::string& rest) {
  if (rest == "leave") {
    if (!lessons_.before) return console_.say(command, "no lesson has begun; `tutorial` begins the first one", true);
    document().open(lessons_.before->path, lessons_.before->text);
    lessons_.number = 0, lessons_.before.reset();
    return console_.say(command, "what was here before is back");
  }
  const int number = lessons_.wanted(rest);
  if (number == 0)
    return console_.say(command, "the lessons are 1 to " + std::to_string(session::lessons().size()), true);
  gui::show(layout(), "lesson");
  active_pane_ = "lesson";
  if (number == lessons_.number && rest.empty()) return console_.say(command, "");
  if (!lessons_.before) lessons_.before = {document().path(), document().editor().text()};
  const session::Lesson& lesson = session::lessons()[static_cast<std::size_t>(number - 1)];
  lessons_.number = number;
  lessons_.done[number].clear();
  document().open("", lesson.program, "lesson " + std::to_string(number) + ".tr");
  kernel_.clear();
  console_.say(command, "lesson " + std::to_string(number) + ": " + lesson.title);
}

}  // namespace trellis::gui
