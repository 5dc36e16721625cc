#include <doctest/doctest.h>

#include "gui/script.hpp"
#include "gui/visited.hpp"

namespace trellis::gui {
namespace {

const Item* focused(Script& s) {
  for (const Item& item : s.app().ui.items())
    if (item.takes_keys) return &item;
  return nullptr;
}

}  // namespace

TEST_CASE("keys: up, down and Enter go through the things of a pane, where no field takes them") {
  Script s({}, {1280, 800, 1});
  REQUIRE(s.run("open cholesky\ncommand window unsaved\n") == "");
  s.key("Down");
  REQUIRE(focused(s));
  const std::string first = focused(s)->id;
  s.key("Down");
  CHECK(focused(s)->id != first);
  s.key("Up");
  CHECK(focused(s)->id == first);
  s.key("Escape");
  CHECK(!s.app().modal.is_open());
}

TEST_CASE("keys: Alt with the arrows goes back and forth through what was looked at") {
  Script s({}, {1280, 800, 1});
  REQUIRE(
      s.run("open viterbi\ncommand window pane graph\ncommand window kernel trace\ncommand window pane timeline\n") ==
      "");
  const auto there = [&] { return s.app().panes.active() + " " + s.app().scene().kernel->name; };
  CHECK(there() == "timeline trace");
  s.key("Right");  // a step is no other place
  s.key("Alt+Left");
  CHECK(there() == "graph trace");
  s.key("Alt+Left");
  CHECK(there() == "graph forward");
  s.key("Alt+Right"), s.key("Alt+Right");
  CHECK(there() == "timeline trace");
  s.key("Alt+Right");
  CHECK(there() == "timeline trace");
  CHECK(s.app().notes.last().words == "nothing was looked at after this");
}

TEST_CASE("keys: steps that arrive after one went back leave the way forth") {
  const auto at = [](const char* pane, std::size_t step) {
    Place place{pane, "forward", {}, {}};
    place.steps.execution = step;
    return place;
  };
  Visited visited;
  visited.visit(at("graph", 0), false), visited.visit(at("timeline", 0), false),
      visited.visit(at("timeline", 9), false);
  CHECK(visited.go(false) == at("timeline", 0));
  CHECK(visited.go(false) == at("graph", 0));
  visited.visit(at("graph", 7), false);
  REQUIRE(visited.can_go(true));
  CHECK(visited.go(true) == at("timeline", 0));
  visited.visit(at("order", 0), false);  // another place
  CHECK(!visited.can_go(true));
}

TEST_CASE("keys: an action takes another chord, whoever had it loses it, and it is kept") {
  Script s({}, {1280, 800, 1});
  REQUIRE(s.run("open cholesky\ncommand window bind gallery ctrl+shift+p\ncommand window bind theme Ctrl+P\n") == "");
  s.key("Ctrl+Shift+P");
  CHECK(s.app().modal.name() == "gallery");
  s.key("Escape"), s.key("Ctrl+P");
  CHECK(!s.app().modal.is_open());
  CHECK(s.app().settings.theme == "light");
  CHECK(s.app().settings.keys.at("palette") == "");
  REQUIRE(s.run("command window bind theme\ncommand window bind palette\n") == "");
  s.key("Ctrl+P");
  CHECK(s.app().modal.name() == "palette");
  CHECK(s.app().settings.keys.size() == 1);
}

}  // namespace trellis::gui
