// Every badge, mark and sentence about a kernel reads one verdict; nothing is left of a program once another is open.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/session/program/documents.hpp"
#include "gui/script.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::gui {
namespace {

/// What `trellis run` says: whether the example goes through, and its checks agree.
bool runs_well(const session::Example& example) {
  session::Session session({});
  const session::Exit exit =
      session.run_text(std::string(example.name), std::string(example.text), [](const session::Reply&) {});
  return exit == session::Exit::success;
}

bool some_item(Script& s, const std::string& pane, const std::string& words) {
  return std::ranges::any_of(s.app().ui.items(), [&](const Item& item) {
    return item.pane == pane && (item.label.find(words) != std::string::npos || item.state == words);
  });
}

}  // namespace

TEST_CASE("verdict: an example opens with the verdict that running it gives") {
  Script s({}, {1600, 1000, 1});
  int number = 0;
  for (const session::Example& example : session::example_programs) {
    const int pair = number++ / 2;  // of which one is tried: a window looks at all orders of what it opens
    if (number % 2 == 0 || !randomised::is_taken(pair)) continue;
    CAPTURE(example.name);
    REQUIRE(s.app().open(std::string(example.name)));
    REQUIRE(s.run_until_idle(240));  // of tiles of paths, all orders are estimated
    CHECK_FALSE(s.app().document().modified());
    const bool legal = runs_well(example);
    for (const session::KernelView& kernel : s.app().document().snapshot().kernels) {
      CAPTURE(kernel.name);
      const session::KernelVerdict verdict = session::verdict_of(s.app().document().snapshot(), kernel);
      CAPTURE(verdict.words);
      CHECK(verdict.is_legal() == legal);
    }
    REQUIRE(s.find("bar/verdict"));
    CHECK(s.find("bar/verdict")->label.starts_with("legal") == legal);
    // What cannot be loaded here is wrong, not illegal.
    if (!legal) continue;
    CHECK_FALSE(some_item(s, "explain", "illegal"));
    CHECK_FALSE(some_item(s, "loops", "illegal"));
  }
}

TEST_CASE("verdict: loops that stand as no order would put them are legal as written, and an order may not be") {
  Script s({}, {1600, 1000, 1});
  CHECK(s.run("open counting_sort\n"
              "expect verdict as written\nexpect loops/sentence as written\nexpect explain/heading legal\n"
              "expect \"orders/order:i k\" illegal\n"
              "command order i k\nexpect verdict illegal\nexpect loops/sentence illegal\n") == "");
}

TEST_CASE("verdict: while a text is wrong nothing is green") {
  Script s({}, {1600, 1000, 1});
  CHECK(s.run("open viterbi\ncommand window kernel forward\nexpect loops/sentence legal\n"
              "click program/text\nkey Ctrl+End\ntype \"order q\"\n"
              "expect verdict wrong\nexpect loops/sentence Wrong\n") == "");
  CHECK_FALSE(some_item(s, "program", "legal"));
  CHECK(s.app().scene().verdict.kind == session::KernelVerdict::Kind::wrong);
}

TEST_CASE("verdict: another program begins with nothing of the one before") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(
      s.run("open viterbi\ncommand window kernel forward\ncommand order i j k\ncommand window poisoned\ncommand quiz\n"
            "wheel graph 3 ctrl\ncommand window compare\ncommand window preset illegal\n"
            "command window predict\n") == "");
  App& app = s.app();
  REQUIRE(app.replays.poisoned);
  REQUIRE(app.replays.predict);
  REQUIRE(app.sides.on());
  REQUIRE(app.replies.contains("quiz"));
  REQUIRE(app.open("cholesky"));
  // Before the worker has said a word about it.
  CHECK(app.document().snapshot().kernels.empty());
  CHECK_FALSE(app.replays.poisoned);
  CHECK_FALSE(app.replays.predict);
  CHECK_FALSE(app.sides.on());
  CHECK(app.replies.empty());
  CHECK(app.replays.steps() == Steps{});
  s.frame();
  CHECK(s.find("bar/verdict")->label.find("illegal") == std::string::npos);
  REQUIRE(s.run_until_idle());
  CHECK(s.run("expect verdict legal\n") == "");
  CHECK_FALSE(app.document().snapshot().tensors.contains("V"));

  Script fresh({}, {1600, 1000, 1});
  REQUIRE(fresh.run("open cholesky\n") == "");
  CHECK(s.app().replays.steps() == fresh.app().replays.steps());
  for (const Item& item : fresh.app().ui.items())
    if (item.pane == "graph") {
      CAPTURE(item.id);
      const Item* same = s.find("graph/" + item.id);
      REQUIRE(same);
      CHECK((same->rect.x == item.rect.x && same->rect.y == item.rect.y));
    }
}

}  // namespace trellis::gui
