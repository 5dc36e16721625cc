// What tutorial and quiz print, and what is said when a lesson's task is done.
#include <algorithm>

#include "engine/session/reply/text.hpp"

namespace trellis::session {
namespace {

std::string with_lines_indented(const std::string& text, const std::string& indent) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\n" + indent : std::string(1, c);
  return out;
}

}  // namespace

std::string text_of(const LessonShown& shown) {
  std::string out = "Lesson " + std::to_string(shown.number) + " of " + std::to_string(shown.of) + ": " + shown.title +
                    "\n\n" + shown.text + "\n";
  for (const auto& task : shown.tasks)
    out += std::string(task.done ? "  ✓ " : "  ○ ") + with_lines_indented(task.text, "    ") + "\n";
  return out;
}

std::string text_of(const LessonsListed& listed) {
  std::string out;
  std::size_t number = 0;
  for (const auto& lesson : listed.lessons) {
    ++number;
    const bool complete = lesson.done == lesson.tasks;
    out += std::string(complete                                     ? "  ✓ "
                       : static_cast<int>(number) == listed.present ? "  ▸ "
                                                                    : "    ") +
           (number < 10 ? " " : "") + std::to_string(number) + "  " + lesson.title;
    if (lesson.done > 0 && !complete)
      out += "   " + std::to_string(lesson.done) + " of " + std::to_string(lesson.tasks) + " done";
    out += "\n";
  }
  return out + "`tutorial N` begins a lesson" + (listed.present > 0 ? ", `tutorial leave` ends the tutorial" : "") +
         "\n";
}

std::string text_of(const Learning& learning) {
  std::string out = "✓ `" + learning.task + "`";
  if (!learning.left.empty()) return out + "   next: `" + learning.left.front() + "`\n";
  out += "   that was lesson " + std::to_string(learning.lesson);
  if (learning.next_title.empty()) return out + ", the last one. next: `quiz`, or `tutorial leave`\n";
  return out + ". next: `tutorial next`, " + learning.next_title + "\n";
}

std::string text_of(const Quizzed& quizzed, const text::Page& page) {
  const std::string number = "question " + std::to_string(quizzed.number);
  if (!quizzed.answer) {
    std::string out = number + ", about " + quizzed.about + "\n" + text::fit(quizzed.scene, page, text::Overflow::cut) +
                      number + ": " + quizzed.question + "\n";
    for (std::size_t k = 0; k < quizzed.choices.size(); ++k)
      out += "  [" + std::to_string(k + 1) + "] " + quizzed.choices[k] + "\n";
    return out + "`1` " + (quizzed.choices.size() == 2 ? "or" : "…") + " `" + std::to_string(quizzed.choices.size()) +
           "` answers\n";
  }
  const Quizzed::Answer& answer = *quizzed.answer;
  const std::string& right = quizzed.choices[answer.right - 1];
  std::string out = answer.given == 0              ? "the answer is " + right
                    : answer.given == answer.right ? "✓ right: " + right
                                                   : "✗ not " + quizzed.choices[answer.given - 1] + ", but " + right;
  out += "\n" + answer.reason + "\n";
  if (quizzed.answered > 0)
    out += std::to_string(quizzed.right) + " of " + std::to_string(quizzed.answered) + " right; ";
  return out + "`quiz` asks the next one\n";
}

}  // namespace trellis::session
