// tutorial: the lessons of docs/tutorial.md. Each begins with a program of its own, which `undo` takes back.
#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lang/schedule_commands.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/program/refuse.hpp"
#include "engine/session/state/history.hpp"
#include "engine/session/teach/lessons.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

namespace {

/// The snapshot of what the session held before its first lesson.
constexpr const char* before_tutorial = "before_tutorial";

const std::vector<std::string> words_of_tutorial = {"next", "back", "list", "leave"};

const Lesson* lesson_numbered(std::int64_t number) {
  const auto& all = lessons();
  return number >= 1 && number <= static_cast<std::int64_t>(all.size()) ? &all[static_cast<std::size_t>(number - 1)]
                                                                        : nullptr;
}

CommandResult page_of(const State& state, const Lesson& lesson) {
  LessonShown page{lesson.number, static_cast<int>(lessons().size()), lesson.title, lesson.text, {}};
  const auto& done = state.focus.learnt->done[lesson.number];
  for (std::size_t k = 0; k < lesson.tasks.size(); ++k)
    page.tasks.push_back({lesson.tasks[k].text, lesson.tasks[k].statement(), done.contains(k)});
  return {std::move(page)};
}

CommandResult list_of_lessons(const State& state) {
  LessonsListed list;
  for (const Lesson& lesson : lessons())
    list.lessons.push_back({lesson.title, state.focus.learnt->done[lesson.number].size(), lesson.tasks.size()});
  list.present = state.lesson;
  return {std::move(list)};
}

/// What the session holds becomes the lesson's program.
CommandResult begin_lesson(State& state, const Lesson& lesson, Words& words) {
  if (state.lesson == 0) state.history->snapshots[before_tutorial] = state.content();
  Content content;
  content.lesson = lesson.number;
  state.restore(std::move(content));
  carry_out_all(state, "lesson " + std::to_string(lesson.number), lesson.program, words.diagnostics());
  state.focus.learnt->done[lesson.number].clear();
  return page_of(state, lesson);
}

CommandResult leave_tutorial(State& state, Words& words) {
  if (state.lesson == 0) {
    words.diagnostics()
        .error("E0640", words.whole(), "no lesson has begun", "")
        .notes.push_back({{}, "`tutorial` begins the first one"});
    return {};
  }
  state.restore(state.history->snapshots[before_tutorial]);
  return {Explained{"tutorial",
                    "the tutorial is over, and what was here before is back; `undo` goes back to the lesson\n"}};
}

CommandResult refuse_number(const std::string& problem, text::Span at, Words& words) {
  words.diagnostics()
      .error("E0640", at, problem, "")
      .notes.push_back({{}, "the lessons are 1 to " + std::to_string(lessons().size()) + ": `tutorial list`"});
  return {};
}

}  // namespace

void carry_out_all(State& state, const std::string& name, const std::string& program, text::Diagnostics& diagnostics) {
  const int source = state.sources.add(name, program);
  for (const syntax::Statement& statement : lang::parse(state.sources, source, diagnostics).statements) {
    const auto* c = statement.as<syntax::Command>();
    if (c && fills_tensors(statement)) {
      Words words(*c, statement->span, diagnostics);
      find_command(c->name.text)->handler(state, words);
      state.acted(statement);
    } else if (!c || lang::schedule_command(*c)) {
      state.add(statement);
    }
  }
}

CommandResult tutorial(State& state, Words& words) {
  const text::Span at = words.at_end() ? words.whole() : words.span();
  std::int64_t number = state.lesson;
  std::string way = words.at_end() ? "again" : "";
  for (const std::string& known : words_of_tutorial)
    if (way.empty() && words.accept(known)) way = known;
  if (way.empty()) {
    if (words.peek()->kind != syntax::Word::Kind::number) {
      words.unexpected("a lesson's number, `next`, `back`, `list` or `leave`", words_of_tutorial);
      return {};
    }
    const auto wanted = words.integer("a lesson's number");
    if (!wanted) return {};
    number = *wanted;
  }
  if (!words.finish()) return {};
  if (way == "list") return list_of_lessons(state);
  if (way == "leave") return leave_tutorial(state, words);
  if (way == "again" && number > 0) return page_of(state, *lesson_numbered(number));
  if (way == "next" || way == "again") ++number;
  if (way == "back") --number;
  if (const Lesson* lesson = lesson_numbered(number)) return begin_lesson(state, *lesson, words);
  if (way.empty()) return refuse_number("there is no lesson " + std::to_string(number), at, words);
  return refuse_number(
      way == "next" ? "there is no lesson behind the last one" : "there is no lesson before the first one", at, words);
}

std::optional<Learning> learn(State& state, std::string_view statement, bool succeeded) {
  const Lesson* lesson = lesson_numbered(state.lesson);
  if (!lesson) return std::nullopt;
  std::set<std::size_t>& done = state.focus.learnt->done[lesson->number];
  const std::size_t task = task_done_by(*lesson, done, statement,
                                        succeeded ? Lesson::Task::Outcome::success : Lesson::Task::Outcome::refusal);
  if (task == no_task) return std::nullopt;
  done.insert(task);
  Learning learning{lesson->number, lesson->tasks[task].statement(), {}, {}};
  for (std::size_t k = 0; k < lesson->tasks.size(); ++k)
    if (!done.contains(k)) learning.left.push_back(lesson->tasks[k].statement());
  if (const Lesson* next = lesson_numbered(lesson->number + 1)) learning.next_title = next->title;
  return learning;
}

}  // namespace trellis::session
