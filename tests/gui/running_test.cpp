// What takes long shows that it does, ends when it is told to, and keeps nobody from going on.
#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "gui/script.hpp"
#include "tests/folder.hpp"

namespace trellis::gui {
namespace {

/// Frames until it holds. False: it did not in ten seconds (instrumented, a minute).
template <class Holds>
bool frames_until(Script& s, const Holds& holds) {
  const auto begin = std::chrono::steady_clock::now();
  while (!holds()) {
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(Script::patience / 2)) return false;
    s.frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// A kernel that runs for hours: nobody waits for it while it is opened, only a command does.
constexpr const char* endless =
    "param n = 100000\ntensor x(n)\ntensor s\nrandom x seed 1 density 1\ns = sum(i,j,k)(x(i) * x(j) * x(k))\norder i j "
    "k\n";

bool labelled(Script& s, const std::string& id, const std::string& label) {
  const Item* item = s.find(id);
  return item && item->label.starts_with(label);
}

/// Opens what never ends, and waits until it runs.
bool runs_for_ever(Script& s) {
  if (!s.run("open viterbi\n").empty()) return false;
  s.app().document().editor().replace_all(endless);
  if (!s.run_until_idle()) return false;
  s.app().carry_out("run");
  return frames_until(s, [&] { return s.app().document().running_since().has_value(); });
}

}  // namespace

TEST_CASE("running: a run shows its time and Stop, and either Esc or Stop ends it") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(s.run("open viterbi\n") == "");
  s.app().document().editor().replace_all(endless);
  REQUIRE(s.run_until_idle());
  for (const char* end : {"Escape", "button"}) {
    CAPTURE(end);
    s.app().carry_out("run");
    REQUIRE(frames_until(s, [&] { return labelled(s, "bar/run", "Stop 0 s"); }));
    CHECK(s.find("status/progress")->label.find("Esc ends it") != std::string::npos);
    s.app().ui.focus_text("console/line");  // whatever has the keys
    if (end == std::string("Escape")) s.key("Escape");
    else REQUIRE(s.click("bar/run"));
    REQUIRE(frames_until(s, [&] { return labelled(s, "bar/run", "Run"); }));
    CHECK(s.app().console.entries.back().messages.find("interrupted") != std::string::npos);
  }
}

TEST_CASE("running: what is typed meanwhile is compiled and shown, and the session comes to it") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(runs_for_ever(s));
  const std::string edited = "param n = 3\ntensor x(n)\ntensor y(n)\nrandom x seed 1 density 1\ny(i) = 2 * x(i)\n";
  s.app().document().editor().replace_all(edited);
  const auto shows_y = [&] {
    const session::KernelView* kernel = s.app().selected.kernel();
    return s.app().document().snapshot().tensors.contains("y") && kernel && kernel->drawn;
  };
  REQUIRE(frames_until(s, shows_y));
  CHECK(s.app().document().running_since().has_value());
  s.app().carry_out("window cancel");
  REQUIRE(s.run_until_idle());
  CHECK(shows_y());
  CHECK(s.run("expect verdict legal\n") == "");
  CHECK(s.app().document().snapshot().wave == session::Wave::ran);
}

TEST_CASE("running: another program is opened at once, whatever the one before is doing") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(runs_for_ever(s));
  REQUIRE(s.app().open("cholesky"));
  REQUIRE(s.run_until_idle());
  CHECK(s.run("expect verdict legal\n") == "");
}

TEST_CASE("settings: what was chosen is on disk while the explorer still runs") {
  const testing::Folder folder;
  Script s({.state_folder = folder.path().string()}, {1280, 800, 1});
  s.app().settings.toured = true;
  REQUIRE(s.run("open viterbi\ntheme light\ncommand window preset lattice\n") == "");
  for (int k = 0; k < 200; ++k) s.frame();
  const Settings kept = load_settings(folder.path().string());
  CHECK(kept.theme == "light");
  CHECK(kept.preset == "lattice");
}

TEST_CASE("iterations: before the first step the deepest equation stands there, and a chip for each") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(s.run("open viterbi\ncommand window kernel forward\ncommand window first\n") == "");
  CHECK(s.run("expect iterations/subtitle nothing has run yet\n"
              "expect iterations/statement:1 V\n"
              "click iterations/statement:1\nexpect iterations/statement:1 chosen\n") == "");
  REQUIRE(s.find("iterations/statement:2"));
  CHECK(s.run("click iterations/statement:2\nexpect iterations/statement:2 chosen\n") == "");
  CHECK(s.find("iterations/statement:1")->state.empty());
}

TEST_CASE("replay: R plays the illegal order, and stops where something is read too early") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(s.run("open viterbi\ncommand window kernel forward\ncommand order i j k\n") == "");
  Replays& replays = s.app().replays;
  s.app().carry_out("window poisoned");
  CHECK(replays.playing);
  const auto& violations = s.app().selected.kernel()->drawn->account.violations;
  REQUIRE(violations.size() > 1);
  REQUIRE(frames_until(s, [&] { return !replays.playing; }));
  CHECK(replays.steps().execution == violations.front().reads + 1);
  s.app().carry_out("window play execution");
  REQUIRE(frames_until(s, [&] { return !replays.playing; }));
  CHECK(replays.steps().execution > violations.front().reads + 1);
}

}  // namespace trellis::gui
