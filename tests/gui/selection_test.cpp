// The selection is the session's: what the console does is seen in the window, and the other way round.
#include <doctest/doctest.h>

#include "gui/script.hpp"

namespace trellis::gui {

TEST_CASE(
    "selection: commands of the console choose the kernel and pin, and an edit does not bring an older one back") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(s.run("open viterbi\ncommand select kernel trace\nexpect kernel:trace chosen\n"
                "command select kernel forward\nexpect kernel:forward chosen\n") == "");
  CHECK(s.app().selected.pins().empty());
  REQUIRE(s.run("command pin c:3\n") == "");
  CHECK_FALSE(s.app().selected.pins().empty());
  REQUIRE(s.run("command unpin\n") == "");
  CHECK(s.app().selected.pins().empty());

  REQUIRE(s.run("command window goto execution 5\nclick kernel:trace\nexpect kernel:trace chosen\n"
                "command param steps = 7\nexpect kernel:trace chosen\n") == "");
}

TEST_CASE("selection: what the window pins stands in the session's selection, and Esc lets go of it there too") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(s.run("open viterbi\ncommand window pin c:3\n") == "");
  CHECK(s.app().document().snapshot().selection.pins == std::vector<text::NodeId>{{text::Stage::c, 3}});
  REQUIRE(s.run("key Escape\n") == "");
  CHECK(s.app().selected.pins().empty());
  CHECK(s.app().document().snapshot().selection.pins.empty());
  CHECK(s.run("command window pin nonsense\nwait\n") == "");
  CHECK(s.app().console.entries.back().failed);
}

TEST_CASE("steps: those of the console and of the window are the same, kernel by kernel") {
  Script s({}, {1600, 1000, 1});
  REQUIRE(s.run("open viterbi\ncommand window kernel forward\ncommand window goto execution 7\ncommand step\n") == "");
  CHECK(s.app().replays.steps().execution == 8);
  REQUIRE(s.run("command goto 3 trace\nexpect kernel:trace chosen\n") == "");
  CHECK(s.app().replays.steps().execution == 3);
}

}  // namespace trellis::gui
