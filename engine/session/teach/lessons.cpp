#include "engine/session/teach/lessons.hpp"

#include <algorithm>

#include "engine/lang/lexer.hpp"
#include "engine/session/program/documents.hpp"

namespace trellis::session {
namespace {

constexpr std::string_view task_mark = "- [ ] ";

std::vector<std::string> words_of(std::string_view statement) {
  text::Diagnostics ignored;
  std::vector<std::string> words;
  for (const lang::Token& token : lang::tokenize(statement, 0, ignored).tokens)
    if (!token.ends_statement()) words.emplace_back(token.text);
  return words;
}

// "`run` is refused: …": the words between the first backquotes, and what is said of them.
void understand(Lesson::Task& task) {
  const std::size_t begin = task.text.find('`') + 1, end = task.text.find('`', begin);
  task.words = words_of(std::string_view(task.text).substr(begin, end - begin));
  if (std::string_view(task.text).substr(end + 1).starts_with(" is refused"))
    task.outcome = Lesson::Task::Outcome::refusal;
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of('\n'));
  text.resize(text.find_last_not_of('\n') + 1);
  return text;
}

class LessonReader {
 public:
  void line(std::string_view line) {
    if (line.starts_with("## ")) {
      const std::size_t blank = line.find(' ', 3);
      lessons_.push_back({static_cast<int>(lessons_.size()) + 1, std::string(line.substr(blank + 1)), {}, {}, {}});
      in_task_ = false;
    } else if (!lessons_.empty()) {
      content(lessons_.back(), line);
    }
  }

  std::vector<Lesson> finish() {
    for (Lesson& lesson : lessons_) {
      lesson.text = trimmed(std::move(lesson.text)) + "\n";
      for (Lesson::Task& task : lesson.tasks) understand(task);
    }
    return std::move(lessons_);
  }

 private:
  void content(Lesson& lesson, std::string_view line) {
    if (line.starts_with("```")) {
      const bool closes = !fence_.empty();
      fence_ = closes ? "" : line.substr(3).starts_with("trellis") ? "program" : "seen";
    } else if (fence_ == "program") {
      lesson.program += std::string(line) + "\n";
      lesson.text += (line.empty() ? "" : "    ") + std::string(line) + "\n";
    } else if (line.starts_with(task_mark)) {
      lesson.tasks.push_back({std::string(line.substr(task_mark.size())), {}});
      in_task_ = true;
    } else if (in_task_ && line.starts_with("  ")) {
      lesson.tasks.back().text += "\n" + std::string(line.substr(2));
    } else if (fence_.empty()) {
      in_task_ = false;
      lesson.text += std::string(line) + "\n";
    }
  }

  std::vector<Lesson> lessons_;
  std::string fence_;
  bool in_task_ = false;
};

}  // namespace

std::string Lesson::Task::statement() const {
  const std::size_t begin = text.find('`') + 1;
  return text.substr(begin, text.find('`', begin) - begin);
}

std::vector<Lesson> read_lessons(std::string_view page) {
  LessonReader reader;
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size());
    reader.line(page.substr(0, end));
    page.remove_prefix(std::min(end + 1, page.size()));
  }
  return reader.finish();
}

const std::vector<Lesson>& lessons() {
  static const std::vector<Lesson> all = read_lessons(tutorial_page);
  return all;
}

bool Learnt::is_done(const Lesson& lesson) const {
  const auto found = done.find(lesson.number);
  return found != done.end() && found->second.size() == lesson.tasks.size();
}

std::size_t task_done_by(const Lesson& lesson, const std::set<std::size_t>& done, std::string_view statement,
                         Lesson::Task::Outcome outcome) {
  const std::vector<std::string> words = words_of(statement);
  for (std::size_t k = 0; k < lesson.tasks.size(); ++k) {
    const Lesson::Task& task = lesson.tasks[k];
    const bool begins_so =
        words.size() >= task.words.size() && std::equal(task.words.begin(), task.words.end(), words.begin());
    if (begins_so && task.outcome == outcome && !done.contains(k)) return k;
  }
  return no_task;
}

}  // namespace trellis::session
