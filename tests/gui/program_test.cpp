#include <doctest/doctest.h>

#include "gui/script.hpp"

namespace trellis::gui {
namespace {

Script program_script() { return Script({}, {1600, 1000, 1}); }
constexpr const char* illegal_viterbi = "open viterbi\ncommand window kernel forward\ncommand order i j k\n";
const std::string& text_of(Script& s) { return s.app().document().editor().text(); }

}  // namespace

TEST_CASE("program: an illegal order is told at its line, and the lamp there mends it") {
  Script s = program_script();
  REQUIRE(s.run(illegal_viterbi) == "");
  CHECK(s.run("expect program/line:23 finishes row i before it starts row i+1\n"
              "expect program/line:23 illegal\n"
              "expect program/line:21 illegal\n"
              "expect program/lamp:1 order j i k\n"
              "click program/lamp:1\n"
              "expect verdict legal\n"
              "expect program/line:23 legal\n"
              "expect not program/lamp:1\n") == "");
  CHECK(text_of(s).find("order j i k") != std::string::npos);
}

TEST_CASE("program: what is typed is compiled, a wrong text keeps the last pictures, undo brings it back") {
  Script s = program_script();
  REQUIRE(s.run("open viterbi\nclick program/text\nkey Ctrl+End\ntype \"order q\"\n") == "");
  CHECK(s.run("expect program/banner wrong\nexpect verdict wrong\n") == "");
  CHECK(s.run("key Escape\nkey Ctrl+Z\nkey Ctrl+Z\nkey Ctrl+Z\nexpect not program/banner\nexpect verdict legal\n") ==
        "");
}

TEST_CASE("program: predict hides what is said about the order") {
  Script s = program_script();
  REQUIRE(s.run(illegal_viterbi) == "");
  CHECK(s.run("command window predict\nexpect program/line:23 unknown\nexpect not program/lamp:1\nexpect not "
              "explain/fix:1\n"
              "command window predict\nexpect program/line:23 illegal\n") == "");
}

TEST_CASE("program: a double click on a name goes to its declaration") {
  Script s = program_script();
  REQUIRE(s.run("open viterbi\n") == "");
  Editor& editor = s.app().document().editor();
  // The middle of the line lies on `start`.
  editor.replace_all("param n = 3\ntensor start(n)\ntensor y(n)\ny(i) = 1.0 * 1.0 * start(i)\n");
  s.run_until_idle();
  REQUIRE(s.click("program/line:4", true));
  CHECK(editor.selected() == "start");
  CHECK(editor.line_of(editor.caret()) == 1);
}

TEST_CASE("program: words are completed by what the session knows") {
  Script s = program_script();
  REQUIRE(s.run("open viterbi\nclick program/text\nkey Ctrl+End\ntype chec\n") == "");
  CHECK(s.run("expect word:check chosen\nkey Enter\nexpect not word:check\n") == "");
  CHECK(text_of(s).find("print path\ncheck") != std::string::npos);
  CHECK(s.run("type \"; pri\"\nexpect word:print\nkey Escape\nexpect not word:print\n") == "");
  // Escape has closed the list, and the text still has the focus.
  CHECK(s.run("type x\n") == "");
  CHECK(text_of(s).ends_with("prix"));
}

TEST_CASE("program: cut, copy and paste go through the clipboard") {
  Script s = program_script();
  REQUIRE(s.run("open viterbi\nclick program/text\nkey Ctrl+A\nkey Ctrl+X\n") == "");
  CHECK(text_of(s).empty());
  CHECK(s.app().ui.pasted().find("kernel forward") != std::string::npos);
  CHECK(s.run("key Ctrl+V\nexpect program/line:32 print path\n") == "");
}

TEST_CASE("console: entries are carried out, told with what came of them, and come back by Up") {
  Script s = program_script();
  REQUIRE(s.run("open viterbi\ncommand window console\ntype \"print path\"\nkey Enter\n") == "");
  const auto& entries = s.app().console.entries;
  REQUIRE(!entries.empty());
  CHECK(entries.back().command == "print path");
  CHECK(entries.back().output.find("path = ") != std::string::npos);
  CHECK(s.run("key Up\nexpect console/line print path\nkey Down\n") == "");
  CHECK(s.app().console.line.text().empty());
  // A block is finished before it is carried out.
  CHECK(s.run("type \"kernel more {\"\nkey Enter\nexpect console/line kernel more {\n") == "");
  CHECK(s.app().console.line.line_count() == 2);
}

TEST_CASE("console: Ctrl+R finds an earlier entry, and long output is folded until it is clicked") {
  Script s = program_script();
  REQUIRE(s.run("open viterbi\ncommand window console\ntype \"help order\"\nkey Enter\ntype \"print path\"\nkey Enter\n"
                "key Ctrl+R\ntype help\nexpect console/line help order\nkey Enter\n") == "");
  CHECK(s.app().console.line.text() == "help order");
  CHECK(s.run("size 1600 2400\nexpect console/fold:0 folded\nclick console/fold:0\nexpect console/fold:0 unfolded\n") ==
        "");
}

TEST_CASE("small windows: no box of the graph lies under its buttons, and a line that is cut says so") {
  Script s({}, {1280, 800, 1});
  REQUIRE(s.run("command window preset illegal\n" + std::string(illegal_viterbi) + "wait\n") == "");
  std::size_t boxes = 0;
  for (const Item& box : s.app().ui.items()) {
    if (box.pane != "graph" || box.role != "node" || box.rect.empty()) continue;
    ++boxes;
    for (const char* button : {"graph/inputs", "graph/zoom out", "graph/zoom in", "graph/fit"}) {
      REQUIRE(s.find(button));
      CHECK_FALSE(box.rect.meets(s.find(button)->rect));
    }
  }
  CHECK(boxes >= 4);
  CHECK(s.run("expect explain/excerpt:21 cut\nhover explain/excerpt:21\n") == "");
  s.frame();
  CHECK(s.app().ui.pending_tooltip().find("* B(i, seen(j)) : 1 <= j") != std::string::npos);
  CHECK(s.find("explain/excerpt:23")->state.empty());
}

TEST_CASE("explain: the smallest instance, how widespread it is, and fixes that apply by their number") {
  Script s = program_script();
  REQUIRE(s.run(illegal_viterbi) == "");
  CHECK(s.run("expect explain/heading order i j k reads V before it is computed\n"
              "expect explain/excerpt:21 needs all of column j-1\n"
              "expect explain/excerpt:23 finishes row i before it starts row i+1\n"
              "expect explain/fix:1 one swap\n"
              "command window pane explain\n"
              "key 2\n"
              "expect verdict legal\n"
              "expect explain/heading order j k i is legal\n") == "");
  CHECK(text_of(s).find("order j k i") != std::string::npos);
}

TEST_CASE("explain: an order that is looked at is explained before it is chosen") {
  Script s = program_script();
  REQUIRE(s.run("open viterbi\ncommand window kernel forward\ncommand window preview i j k\n") == "");
  CHECK(s.run("expect explain/preview illegal\nexpect explain/heading reads V before it is computed\n"
              "command window preview j k i\nexpect explain/preview legal\n"
              "command window preview\nexpect not explain/preview\nexpect explain/heading order j i k is legal\n") ==
        "");
}

TEST_CASE(
    "lesson: a lesson's program is the text, its tasks are ticked when they are done, and leaving brings back what was "
    "there") {
  Script s = program_script();
  REQUIRE(s.run("size 1600 1800\nopen viterbi\ncommand tutorial 1\n") == "");
  CHECK(text_of(s).find("z(i) = x(i) + y(i)") != std::string::npos);
  CHECK(
      s.run("expect lesson/task:1 next\nclick lesson/task:1\nexpect lesson/task:1 done\nclick lesson/task:2\n"
            "expect lesson/task:2 done\nclick lesson/task:3\nexpect lesson/task:3 done\nexpect lesson/task:4 next\n") ==
      "");
  CHECK(text_of(s).find("s = sum(i)(z(i))") != std::string::npos);
  CHECK(s.run("click lesson/leave\n") == "");
  CHECK(text_of(s).find("kernel forward") != std::string::npos);
}

TEST_CASE("lesson: what is to do next comes into view, and a button that steps does what could be typed") {
  Script s = program_script();
  REQUIRE(s.run("size 1600 900\nopen viterbi\ncommand tutorial 6\n") == "");
  const Rect pane = s.app().panes.area_of("lesson");
  for (const char* command : {"show lattice", "window step lattice", "window step lattice", "window last lattice"})
    REQUIRE(s.run(std::string("command ") + command + "\nwait") == "");
  CHECK(s.run("expect lesson/task:4 done\nexpect lesson/task:5 next") == "");
  const Item* next = s.find("lesson/task:5");
  REQUIRE(next);
  CHECK(next->rect.h == 27);
  CHECK(next->rect.bottom() < pane.bottom() - 40);
}

TEST_CASE("quiz: a question is answered by its key, then reason and score are told") {
  Script s = program_script();
  REQUIRE(s.run("open viterbi\ncommand window pane quiz\nclick quiz/start\nexpect quiz/choice:1\nkey 1\n") == "");
  const Item* reason = s.find("quiz/more");
  REQUIRE(reason);
  CHECK(s.run("expect quiz/subtitle of 1 right\nkey Enter\nexpect quiz/subtitle question 2\n") == "");
}

TEST_CASE("inspector: an element tells who writes it and who reads it too early") {
  Script s = program_script();
  REQUIRE(s.run(illegal_viterbi) == "");
  CHECK(s.run("command window pane inspector\ncommand window select element V 1 1\nexpect inspector/subtitle selected\n"
              "expect inspector/step:15 too early\nclick inspector/step:15\nexpect inspector/step:15\n") == "");
  CHECK(s.app().replays.steps().execution == 15);
}

}  // namespace trellis::gui
