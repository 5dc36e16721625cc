// tutorial: the lessons can be read, done as they say, and left.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/session/teach/lessons.hpp"
#include "engine/session/typing/complete.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {

TEST_CASE("tutorial: a page is taken apart into lessons") {
  const auto lessons = session::read_lessons(
      "# Title\nNot shown.\n\n## 1 First\n\nRead this.\n\n```trellis\ntensor x(3)\n```\n\n- [ ] `run`: now\n- [ ] "
      "`order j i` is refused:\n  it cannot be\n\n"
      "```prompt\ntrellis> run\n```\n\n## 2 Second\n\n- [ ] `print x`\n");
  REQUIRE(lessons.size() == 2);
  CHECK(lessons[0].number == 1);
  CHECK(lessons[0].title == "First");
  CHECK(lessons[0].text == "Read this.\n\n    tensor x(3)\n");
  CHECK(lessons[0].program == "tensor x(3)\n");
  REQUIRE(lessons[0].tasks.size() == 2);
  CHECK(lessons[0].tasks[0].statement() == "run");
  CHECK(lessons[0].tasks[0].outcome == session::Lesson::Task::Outcome::success);
  CHECK(lessons[0].tasks[1].text == "`order j i` is refused:\nit cannot be");
  CHECK(lessons[0].tasks[1].words == std::vector<std::string>{"order", "j", "i"});
  CHECK(lessons[0].tasks[1].outcome == session::Lesson::Task::Outcome::refusal);
  CHECK(lessons[1].title == "Second");
}

TEST_CASE("tutorial: a task is done by a statement that begins with its words, once") {
  const session::Lesson lesson =
      session::read_lessons("## 1 T\n- [ ] `run`\n- [ ] `step 4`\n- [ ] `run`\n- [ ] `run` is refused\n").at(0);
  using Outcome = session::Lesson::Task::Outcome;
  CHECK(session::task_done_by(lesson, {}, "run main native  # now", Outcome::success) == 0);
  CHECK(session::task_done_by(lesson, {0}, "run", Outcome::success) == 2);
  CHECK(session::task_done_by(lesson, {0, 2}, "run", Outcome::success) == session::no_task);
  CHECK(session::task_done_by(lesson, {}, "run", Outcome::refusal) == 3);
  CHECK(session::task_done_by(lesson, {}, "step", Outcome::success) == session::no_task);
  CHECK(session::task_done_by(lesson, {}, "step   4", Outcome::success) == 1);
  CHECK(session::task_done_by(lesson, {}, "running(i) = 1", Outcome::success) == session::no_task);
}

TEST_CASE("tutorial: there are twelve lessons, and each fits a terminal") {
  const auto& lessons = session::lessons();
  CHECK(lessons.size() == 12);
  Transcript t;
  for (const session::Lesson& lesson : lessons) {
    CAPTURE(lesson.number);
    CHECK(lesson.tasks.size() >= 3);
    const Answer answer = t.say("tutorial " + std::to_string(lesson.number));
    REQUIRE(answer.ok());
    CHECK(answer.codes == "");
    CHECK(contains(answer.output, lesson.title));
    CHECK(answer.last("tutorial")["lesson"] == lesson.number);
    CHECK(std::count(answer.output.begin(), answer.output.end(), '\n') <= 32);
    std::istringstream lines(answer.output);
    for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 84, line);
  }
}

TEST_CASE("tutorial: whoever types what the lessons say does all of them") {
  Transcript t;
  for (const session::Lesson& lesson : session::lessons()) {
    CAPTURE(lesson.number);
    REQUIRE(t.enter({lesson.number == 1 ? "tutorial" : "tutorial next"}).last("tutorial")["lesson"] == lesson.number);
    for (std::size_t k = 0; k < lesson.tasks.size(); ++k) {
      const auto& task = lesson.tasks[k];
      CAPTURE(task.text);
      const Answer answer = t.enter({task.statement()});
      CHECK(answer.ok() == (task.outcome == session::Lesson::Task::Outcome::success));
      const auto learnt =
          std::ranges::find_if(answer.replies, [](const session::Reply& reply) { return reply.learning.has_value(); });
      REQUIRE(learnt != answer.replies.end());
      CHECK(learnt->learning->task == task.statement());
      CHECK(learnt->learning->left.size() == lesson.tasks.size() - k - 1);
    }
    CHECK(contains(t.enter({"tutorial"}).output, "✓ `" + lesson.tasks[0].statement()));
  }
  const auto list = t.enter({"tutorial list"}).last("tutorial");
  for (const auto& lesson : list["lessons"]) CHECK(lesson["done"] == lesson["tasks"]);
  CHECK(t.enter({"tutorial next"}).codes == "E0640");
}

TEST_CASE("tutorial: what the session held before is not lost") {
  const std::string mine = "tensor x(2); fill_with x [1, 2]";
  SUBCASE("undo brings it back") {
    Transcript t;
    t.say(mine);
    t.say("tutorial");
    CHECK(t.value("x") == "[1 2 3 4 5]");
    CHECK(t.say("run").last("run")["learning"]["left"].size() == 4);
    t.say("undo 2");
    CHECK(t.value("x") == "[1 2]");
    CHECK(!t.say("print x").json[0].contains("learning"));  // no lesson any more
    t.say("redo");
    CHECK(t.value("x") == "[1 2 3 4 5]");
    CHECK(t.say("tutorial").last("tutorial")["tasks"][0]["done"] == true);
  }
  SUBCASE("leave does, from any lesson") {
    Transcript t;
    t.say(mine);
    t.say("tutorial 3; tutorial 4; tutorial back; tutorial leave");
    CHECK(t.value("x") == "[1 2]");
    CHECK(t.say("tutorial leave").codes == "E0640");
    t.say("restore before_tutorial");
    CHECK(t.value("x") == "[1 2]");
  }
}

TEST_CASE("tutorial: what ran in another lesson has not run in this one") {
  Transcript t;
  t.say("tutorial 2; run; tutorial 3; check");
  CHECK(t.value("y") != "[0 0 0]");
  CHECK(t.value("y") != "[321 654 987]");
  CHECK(t.say("undo").last("undo")["statements"] == std::vector<std::string>{"check"});
}

TEST_CASE("tutorial: lessons that do not exist are refused") {
  Transcript t;
  CHECK(t.say("tutorial 13").codes == "E0640");
  CHECK(t.say("tutorial 0").codes == "E0640");
  CHECK(t.say("tutorial -1").codes == "E0601");
  CHECK(t.say("tutorial 1.5").codes == "E0601");
  CHECK(t.say("tutorial nxt").messages().find("did you mean `next`?") != std::string::npos);
  CHECK(t.say("tutorial 1 2").codes == "E0601");
  CHECK(t.say("tutorial back").codes == "E0640");
  CHECK(t.say("tutorial list").last("tutorial")["present"] == 0);
  CHECK(t.say("tutorial 1; tutorial back").codes == "E0640");
  CHECK(t.say("tutorial").last("tutorial")["lesson"] == 1);
}

TEST_CASE("tutorial: its words are completed") {
  Transcript t;
  const auto offered = [&](const std::string& text) {
    return session::complete(t.session().state(), text, text.size()).words;
  };
  CHECK(offered("tutor") == std::vector<std::string>{"tutorial"});
  CHECK(offered("tutorial 1") == std::vector<std::string>{"1", "10", "11", "12"});
  CHECK(offered("tutorial l") == std::vector<std::string>{"leave", "list"});
}

}  // namespace trellis::testing
