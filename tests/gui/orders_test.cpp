#include <doctest/doctest.h>

#include <cmath>

#include "gui/script.hpp"
#include "tests/folder.hpp"

namespace trellis::gui {
namespace {

void go(Script& script, const std::string& lines) {
  const std::string problem = script.run(lines);
  CHECK(problem == "");
}

const std::string illegal =
    "command window preset illegal\nopen viterbi\ncommand window kernel forward\ncommand order i j k\n";

std::string order_text_of(Script& script) { return script.app().document().editor().text(); }

}  // namespace

TEST_CASE("orders: the map has a node an order, with its verdict, and says how far the nearest legal one is") {
  Script script{{}, {}};
  go(script, illegal +
                 "expect orders/subtitle 2 of 6 are legal\n"
                 "expect \"orders/order:i j k\" yours\n"
                 "expect \"orders/order:i j k\" illegal: reads V before it is computed\n"
                 "expect \"orders/order:j i k\" legal\n"
                 "expect way one swap");
  // A regular hexagon would be as wide as it is high; here an order and its reverse lie opposite each other.
  const Point a = script.find("orders/order:i j k")->rect.centre(),
              b = script.find("orders/order:k j i")->rect.centre();
  const Point c = script.find("orders/order:j i k")->rect.centre(),
              d = script.find("orders/order:k i j")->rect.centre();
  CHECK(std::abs(a.x + b.x - c.x - d.x) <= 2);
  CHECK(std::abs(a.y + b.y - c.y - d.y) <= 2);
}

TEST_CASE("orders: a click on the map takes an order, arrows walk to a neighbour and Enter takes it") {
  Script script{{}, {}};
  go(script, illegal +
                 "click \"orders/order:j i k\"\nwait\nexpect verdict legal\nexpect not way\nexpect \"orders/order:j i "
                 "k\" yours");
  go(script, "command window pane orders\nkey Left\nkey Enter\nwait");
  CHECK(order_text_of(script).find("  order j k i\n") != std::string::npos);
}

TEST_CASE("orders: Explain shows the order that the pointer or the keys are on, until they leave it") {
  Script script{{}, {}};
  go(script, illegal + "hover \"orders/order:j i k\"\nwait\nexpect explain/preview legal");
  go(script, "hover \"orders/order:i j k\"\nwait\nexpect not explain/preview");
  go(script, "click as:table\nhover \"orders/order:k j i\"\nwait\nexpect explain/preview illegal");
  go(script, "hover explain/heading\nwait\nexpect not explain/preview");
  go(script, "command window pane orders\nkey Down\nwait\nexpect explain/preview legal");
  // What takes the keys away takes it back, and so does a layout without the pane.
  go(script, "command window pane program\nwait\nexpect not explain/preview");
  go(script,
     "command window pane orders\nwait\nexpect explain/preview legal\ncommand window preset learn\n"
     "command window pane explain\nwait\nexpect not explain/preview");
}

TEST_CASE("orders: a node unfolds into its loops upwards and downwards") {
  Script script{{}, {}};
  // Of an illegal order as well.
  go(script, illegal + "click orders/unfold\nwait\nwait\nexpect \"orders/order:i j k-\" illegal\nclick orders/unfold");
  go(script,
     "click \"orders/order:j i k\"\nwait\nclick orders/unfold\nwait\nwait\n"
     "expect \"orders/order:j i- k\" legal\nexpect \"orders/order:j- i k\" illegal");
  go(script, "command window pane orders\nkey Down\nkey Enter\nwait");
  CHECK(order_text_of(script).find('-', order_text_of(script).find("order j")) != std::string::npos);
  go(script, "key D\nexpect not orders/unfolded");
}

TEST_CASE("orders: places on the map stay when the order changes") {
  Script script{{}, {}};
  go(script, illegal);
  const Rect before = script.find("orders/order:j i k")->rect;
  go(script, "command order j k i");
  CHECK(script.find("orders/order:j i k")->rect == before);
}

TEST_CASE("orders: the table has legal orders first, and measuring adds medians") {
  Script script{{}, {}};
  go(script, illegal + "click as:table\nexpect \"orders/order:j i k\" by estimate");
  CHECK(script.find("orders/order:j i k")->rect.y < script.find("orders/order:i j k")->rect.y);
  CHECK(script.find("orders/order:j i k")->state.find("measured") == std::string::npos);
  go(script, "click measure\nwait\nexpect \"orders/order:j i k\" measured\nexpect orders/medians jit");
  go(script, "click \"orders/order:j k i\"\nwait\nexpect \"orders/order:j k i\" yours");
}

TEST_CASE("orders: nothing is given away to who is to predict") {
  Script script{{}, {}};
  go(script, illegal + "command window predict\nexpect not way\nexpect not orders/subtitle");
  CHECK(script.find("orders/order:j i k")->state.empty());
}

TEST_CASE("orders: of five loops there are rings, the nearer orders further in") {
  Script script{{}, {1600, 1000}};
  const testing::Folder folder;
  const std::string program =
      folder.file("five.tr", "param n = 3\ntensor x(n,n,n,n,n)\nx(a,b,c,d,e) = 1\norder a b c d e\n");
  go(script, "command window preset illegal\nopen " + program + "\nexpect orders/subtitle 120 of 120 are legal");
  const auto from_mine = [&](const char* id) {
    const Point mine = script.find("orders/order:a b c d e")->rect.centre(), other = script.find(id)->rect.centre();
    return std::hypot(other.x - mine.x, other.y - mine.y);
  };
  CHECK(from_mine("orders/order:b a c d e") + 1 < from_mine("orders/order:b c a d e"));
}

TEST_CASE("suggestions: asked for when they are shown, and applied into the program") {
  Script script{{}, {}};
  go(script,
     "command window preset tune\nopen viterbi\ncommand window kernel forward\ncommand order i j k\nexpect "
     "suggest/nothing illegal");
  go(script, "open edges\ncommand window kernel sobel\nwait\nwait\nexpect try:1 order dy dx y x\nexpect try:1 faster");
  go(script, "click apply:1\nwait");
  CHECK(order_text_of(script).find("  order dy dx y x\n") != std::string::npos);
}

TEST_CASE("timing: nothing until it is asked for, then each back end by itself, against the roof what the roof is of") {
  Script script{{}, {}};
  go(script,
     "command window preset tune\nopen viterbi\ncommand window kernel forward\nexpect timing/nothing not timed "
     "yet\nclick timing/time\nwait");
  // Where one measures it is native, unless somebody chooses.
  go(script, "expect timing/native:median s\nexpect timing/native:runs 0\nexpect timing/subtitle order j i k");
  REQUIRE(script.find("timing/native:bytes"));
  CHECK(script.find("timing/native:bytes")->label.find('%') != std::string::npos);
  CHECK_FALSE(script.find("timing/jit:median"));
  go(script, "command window backend jit\nclick timing/time\nwait\nexpect timing/jit:median s");
  REQUIRE(script.find("timing/jit:bytes"));
  CHECK(script.find("timing/jit:bytes")->label.find('%') == std::string::npos);
  go(script, "command order j k i\nexpect timing/stale before the last change");
  // What names a back end keeps it.
  go(script, "command time forward jit native\nwait\nexpect timing/jit:median s\nexpect timing/native:median s");
}

TEST_CASE("what differs: facts of both sides, and lines that only one has") {
  Script script{{}, {}};
  go(script,
     "open viterbi\ncommand window kernel forward\ncommand window preset compare\nexpect differs/nothing the "
     "same\nexpect fact:order same");
  go(script,
     "command order j k i\nexpect fact:order A j k i, B j i k\nexpect fact:order differs\nexpect fact:temporaries A "
     "tV2(states)");
  bool a = false, b = false;
  for (const Item& item : script.app().ui.items()) a = a || item.state == "only A", b = b || item.state == "only B";
  CHECK(a);
  CHECK(b);
  go(script, "expect loops:B/loop:i forall");
}

}  // namespace trellis::gui
