#include "engine/session/teach/lessons.hpp"
#include "gui/lessons.hpp"
#include "gui/page.hpp"
#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using session::Lesson;

/// Of a text in lines: those that belong together, wrapped anew; indented lines, which are programs, stay as they are.
void draw_lesson_text(const Scene& scene, Page& page, std::string_view text) {
  std::string paragraph;
  bool after_program = false;
  const auto finish = [&] {
    if (std::exchange(after_program, false)) page.space(8);
    if (!paragraph.empty()) page.prose(paragraph), page.space(6);
    paragraph.clear();
  };
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty()) {
      finish();
    } else if (line.starts_with("    ")) {
      if (!after_program) finish();
      const Rect row = page.take(18);
      const Paint& paint = page.ui().paint();
      page.ui().paint().fill(row, page.ui().theme()(Token::window));
      paint_line(page.ui().paint(), page.ui().theme(), {row.x + 10, row.y + (18 - paint.height(Font::list_mono)) / 2},
                 line.substr(4), Colouring::program, &scene, Font::list_mono);
      after_program = true;
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
    }
  }
  finish();
}

/// "`run`: turns the equation into C" without its command.
std::string remark_of(const Lesson::Task& task) {
  const std::size_t end = task.text.find('`', 1);
  std::string rest = end == std::string::npos ? task.text : task.text.substr(end + 1);
  while (rest.starts_with(":") || rest.starts_with(" ")) rest.erase(0, 1);
  std::erase(rest, '`');
  return rest;
}

void draw_tasks(Page& page, const Lesson& lesson, const std::set<std::size_t>& done) {
  page.caption("TO DO");
  std::size_t next = 0;
  while (next < lesson.tasks.size() && done.contains(next)) ++next;
  auto& shown = page.ui().memory<std::pair<int, std::size_t>>("next task");
  const bool moved = shown != std::pair(lesson.number, next) && !done.empty();
  shown = {lesson.number, next};
  for (std::size_t k = 0; k < lesson.tasks.size(); ++k) {
    const Lesson::Task& task = lesson.tasks[k];
    const bool ticked = done.contains(k);
    const float above = page.take(0).y;
    const Response response = page.row({.id = "task:" + std::to_string(k + 1),
                                        .state = ticked      ? "done"
                                                 : k == next ? "next"
                                                             : "to do",
                                        .icon = ticked ? Verdict::legal : Verdict::waits,
                                        .code = task.statement(),
                                        .words = remark_of(task),
                                        .right = k == next ? "click to do it" : ""});
    // What is to do now comes into view once what was to do is done.
    if (moved && k == std::min(next, lesson.tasks.size() - 1)) {
      const Rect end = page.take(0);
      page.bring_into_view({end.x, above, end.w, end.y - above});
    }
    if (response.clicked) page.ui().act(task.statement());
    if (response.hovered && !remark_of(task).empty()) page.ui().tooltip(remark_of(task));
  }
}

void draw_lesson_list(Ui& ui, Rect area, const Lessons& lessons) {
  Page page(ui, "lessons", area);
  page.heading(std::nullopt, "Lessons");
  page.paragraph(
      "From adding two vectors to a loop order that cannot work, and how to mend it. Each loads a program of its own.");
  page.space(8);
  for (const Lesson& lesson : session::lessons()) {
    const auto done = lessons.done.find(lesson.number);
    const bool all = done != lessons.done.end() && done->second.size() == lesson.tasks.size();
    const Response response = page.row({.id = "lesson:" + std::to_string(lesson.number),
                                        .state = all ? "done" : "",
                                        .icon = all ? Verdict::legal : Verdict::waits,
                                        .code = "",
                                        .words = std::to_string(lesson.number) + "  " + lesson.title,
                                        .right = std::to_string(lesson.tasks.size()) + " tasks"});
    if (response.clicked) ui.act("tutorial " + std::to_string(lesson.number));
  }
}

void draw_lesson(const Scene& scene, Ui& ui, Rect area) {
  const Lessons& lessons = *scene.lessons;
  if (lessons.number == 0) return draw_lesson_list(ui, area, lessons);
  const Lesson& lesson = session::lessons()[static_cast<std::size_t>(lessons.number - 1)];
  const auto found = lessons.done.find(lesson.number);
  const std::set<std::size_t> done = found == lessons.done.end() ? std::set<std::size_t>{} : found->second;
  const bool finished = done.size() == lesson.tasks.size(),
             last = lesson.number == static_cast<int>(session::lessons().size());
  Rect buttons = area.take_bottom(40).inset(14, 6);
  if (lesson.number > 1 && ui.button("back", "Back", buttons.take_left(64))) ui.act("tutorial back");
  buttons.take_left(8);
  if (ui.button("leave", "Leave", buttons.take_left(64))) ui.act("tutorial leave");
  if (!last && ui.button("next", "Next lesson", buttons.take_right(110), finished)) ui.act("tutorial next");
  Page page(ui, "lesson " + std::to_string(lesson.number), area);
  page.heading(std::nullopt, lesson.title);
  draw_lesson_text(scene, page, lesson.text);
  draw_tasks(page, lesson, done);
  if (finished)
    page.space(6), page.paragraph(last ? "That was the last lesson." : "All done: on to the next lesson.", Token::ink,
                                  Font::strong);
}

std::string lesson_subtitle(const Scene& scene) {
  if (!scene.lessons || scene.lessons->number == 0) return "";
  return std::to_string(scene.lessons->number) + " of " + std::to_string(session::lessons().size());
}

}  // namespace

const View lesson_view = {"lesson", "Lesson", "learn", lesson_subtitle, draw_lesson, "tutorial"};

}  // namespace trellis::gui
