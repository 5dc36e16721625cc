#include <doctest/doctest.h>

#include "gui/script.hpp"

namespace trellis::gui {
namespace {

/// A window with the kernel that decodes hidden states, in an order that is illegal.
struct IllegalWindow {
  Script script{{}, {}};
  IllegalWindow() {
    go("command window preset illegal\nopen viterbi\ncommand window kernel forward\ncommand order i j k");
  }
  void go(const std::string& lines) {
    const std::string problem = script.run(lines);
    CHECK(problem == "");
  }
  std::string state(const std::string& id) const {
    const Item* item = script.find(id);
    return item ? item->state : "nowhere";
  }
};

}  // namespace

TEST_CASE("loops: a bar an index, the one that fails marked, and the verdict in a sentence") {
  IllegalWindow window;
  window.go(
      "expect loops/subtitle 2 of 6 orders are legal\n"
      "expect loop:i 0 : states\n"
      "expect loop:i illegal\n"
      "expect loops/sentence Loop i finishes row i before it starts row i+1.");
  CHECK(window.state("loop:j").find("illegal") == std::string::npos);
  window.go(
      "command order j i k\nexpect loop:j for\nexpect loop:i forall\nexpect loops/sentence Proven for all sizes: 7 "
      "dependences respected");
}

TEST_CASE("loops: while a bar is dragged every place says its verdict, and letting go on one takes its order") {
  IllegalWindow window;
  window.go(
      "hold loop:i slot:1\nexpect slot:0 i j k\nexpect slot:0 illegal\nexpect slot:1 j i k\nexpect slot:1 "
      "legal\nexpect slot:2 j k i");
  CHECK(window.script.find("loops/dragged") != nullptr);
  window.go("release\nwait\nexpect verdict legal\nexpect not slot:1\nexpect loop:j for");
  CHECK(window.script.app().document().editor().text().find("  order j i k\n") != std::string::npos);
}

TEST_CASE("loops: Escape leaves the order as it was") {
  IllegalWindow window;
  window.go("hold loop:i slot:1\nkey Escape\nexpect not slot:1\nrelease\nwait\nexpect verdict illegal");
}

TEST_CASE("loops: the dragged bar covers no place") {
  IllegalWindow window;
  window.go("hold loop:i slot:2");
  const Item* dragged = window.script.find("loops/dragged");
  REQUIRE(dragged);
  for (const char* id : {"slot:0", "slot:1", "slot:2"}) CHECK_FALSE(dragged->rect.meets(window.script.find(id)->rect));
}

TEST_CASE("loops: keys select bars and move them") {
  IllegalWindow window;
  window.go(
      "click loop:i\nkey Alt+Down\nwait\nexpect verdict legal\nexpect loop:i selected\nkey Down\nexpect loop:k "
      "selected\nkey Alt+Up\nwait");
  CHECK(window.script.app().document().editor().text().find("  order j k i\n") != std::string::npos);
}

TEST_CASE("loops: buttons schedule the selected loop, by the number in the field") {
  IllegalWindow window;
  window.go(
      "command order j i k\nclick loop:i\nclick factor\ntype 2\nclick do:split\nwait\nexpect loop:io for\nexpect "
      "loop:ii");
  CHECK(window.script.app().document().editor().text().find("  split i into io ii 2\n") != std::string::npos);
  window.go("click loop:j\nclick do:reverse\nwait\nexpect verdict illegal");
}

TEST_CASE("loops: verdicts are hidden from who is to predict them") {
  IllegalWindow window;
  window.go("command window predict\nhold loop:i slot:1\nexpect not loops/subtitle");
  CHECK(window.state("slot:1").empty());
  CHECK(window.state("slot:0") == "as it is");
}

}  // namespace trellis::gui
