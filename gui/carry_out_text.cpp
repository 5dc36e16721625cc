// Commands as they are typed: the window's own by its table; others go into the text or to the session.
#include <charconv>

#include "engine/session/teach/lessons.hpp"
#include "gui/app.hpp"
#include "gui/commands.hpp"
#include "gui/program_edits.hpp"
#include "gui/words.hpp"

namespace trellis::gui {

void App::carry_out(const std::string& command) {
  const auto [first, rest] = split_word(command);
  if (first.empty()) return;
  const std::string whole = first + (rest.empty() ? "" : " " + rest);
  if (const Command* known = command_for(whole)) {
    const char* refusal = known->refusal ? known->refusal(*this) : nullptr;
    const std::string_view behind = std::string_view(whole).substr(std::string_view(known->text).size());
    if (!refusal) known->does(*this, {whole, std::string(trimmed(behind))});
    else if (*refusal) notes.say(refusal);
  } else if (first == "window") {
    console.say(whole, "the window has no such command; `window keys` lists them", true);
  } else {
    say_to_session(*this, command);
  }
}

namespace {

/// What runs or measures does so on the back end that the bar shows, unless it names one itself.
std::string with_backend(const std::string& command, const Settings& settings) {
  const auto [first, rest] = split_word(command);
  const auto says = [words = " " + rest + " "](const std::string& word) {
    return words.find(" " + word + " ") != std::string::npos;
  };
  if (says("jit") || says("native") || says("threads")) return command;
  const std::string backend = settings.backend_in_force();
  if (first == "time" || (first == "orders" && says("time"))) return command + " " + backend;
  return command == "run" && backend == "native" ? "run native" : command;
}

}  // namespace

void say_to_session(App& app, const std::string& command) {
  if (write_into_program(app.scene(), command)) {
    app.lessons.hear(command, true);
    return;
  }
  const std::string whole = with_backend(command, app.settings);
  ConsoleEntry& entry = app.console.add(whole);
  entry.version = app.document().enter(whole);
}

namespace doing {
namespace {

void turn_back(App& app, const std::string& command, bool done) {
  app.lessons.hear(command, done);
  app.console.say(command, done ? "" : "nothing to " + command, !done);
}

}  // namespace

void undo(App& app, const Said&) { turn_back(app, "undo", app.document().editor().undo()); }
void redo(App& app, const Said&) { turn_back(app, "redo", app.document().editor().redo()); }

void fix(App& app, const Said& said) {
  int number = 0;
  std::from_chars(said.rest.data(), said.rest.data() + said.rest.size(), number);
  apply_fix(app.scene(), said.whole, number);
}

// The text is the lesson's program, so the window tells the lesson itself.
void teach(App& app, const Said& said) {
  if (said.rest == "list") return say_to_session(app, said.whole);
  Lessons& lessons = app.lessons;
  if (said.rest == "leave") {
    if (!lessons.before)
      return app.console.say(said.whole, "no lesson has begun; `tutorial` begins the first one", true);
    app.document().open(lessons.before->path, lessons.before->text);
    lessons.leave();
    app.begin_anew();
    return app.console.say(said.whole, "what was here before is back");
  }
  const int number = lessons.wanted(said.rest);
  if (number == 0)
    return app.console.say(said.whole, "the lessons are 1 to " + std::to_string(session::lessons().size()), true);
  app.panes.bring("lesson");
  if (number == lessons.number && said.rest.empty()) return app.console.say(said.whole, "");
  if (!lessons.before) lessons.before = {app.document().path(), app.document().editor().text()};
  const session::Lesson& lesson = session::lessons()[static_cast<std::size_t>(number - 1)];
  lessons.number = number;
  lessons.done[number].clear();
  app.document().open("", lesson.program, "lesson " + std::to_string(number) + ".tr");
  app.begin_anew();
  app.console.say(said.whole, "lesson " + std::to_string(number) + ": " + lesson.title);
}

void quiz(App& app, const Said& said) {
  if (!app.panes.sees("quiz")) app.panes.bring("quiz", app.panes.roomiest());
  say_to_session(app, said.whole);
}

void clear(App& app, const Said&) { app.console.entries.clear(); }

void source(App& app, const Said& said) {
  if (said.rest.empty()) say_to_session(app, said.whole);
  else app.carry_out("window open " + said.rest);
}

void cancel(App& app, const Said&) { app.document().cancel(); }
void ask(App& app, const Said& said) { app.document().enter(said.rest); }

}  // namespace doing
}  // namespace trellis::gui
