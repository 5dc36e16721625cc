// Two schedules side by side: what differs, who leads, and what only one of them has done.
#include <doctest/doctest.h>

#include "gui/script.hpp"
#include "gui/two_sides.hpp"

namespace trellis::gui {
namespace {

/// Cholesky by rows as side A, by columns as side B.
struct Compared {
  Script script{{}, {1600, 1000, 1}};

  Compared() {
    REQUIRE(script.run("open cholesky\ncommand order j k i\ncommand window preset compare\ncommand order i j k\n"
                       "expect fact:order A i j k, B j k i") == "");
  }
  std::string state(const std::string& id) const {
    const Item* item = script.find(id);
    return item ? item->state : "no item " + id;
  }
  std::size_t at(char side) { return script.app().replays.steps(side).execution; }
  const Item* only(char side) const {
    const std::string state = std::string("only ") + side;
    for (const Item& item : const_cast<Script&>(script).app().ui.items())
      if (item.pane == "differs" && item.state == state) return &item;
    return nullptr;
  }
};

}  // namespace

TEST_CASE("compare: lines face each other, and what stands in place of something else stands beside it") {
  const std::vector<SideLine> lines = side_lines("a\nb\nc\nd\n", "a\nx\ny\nd\ne\n");
  const std::vector<FacingLines> rows = facing(lines);
  REQUIRE(rows.size() == 5);
  CHECK((rows[0].a == rows[0].b && rows[0].a->text == "a"));
  CHECK((rows[1].a->text == "b" && rows[1].b->text == "x"));
  CHECK((rows[2].a->text == "c" && rows[2].b->text == "y"));
  CHECK((rows[4].a == nullptr && rows[4].b->text == "e" && rows[4].b->side == 'B'));
}

TEST_CASE("compare: the lines of the sides stand beside each other, or below each other where that is too wide") {
  Compared compared;
  REQUIRE(compared.only('A'));
  REQUIRE(compared.only('B'));
  CHECK(compared.only('A')->rect.right() <= compared.only('B')->rect.x);
  CHECK(compared.only('A')->rect.y == compared.only('B')->rect.y);
  REQUIRE(compared.script.run("size 1100 1000") == "");
  CHECK(compared.only('A')->rect.x == compared.only('B')->rect.x);
  CHECK(compared.only('A')->rect.bottom() <= compared.only('B')->rect.y);
}

TEST_CASE("compare: the other side goes to where it does the same, and what only one has done bears its mark") {
  Compared compared;
  // L(4,3) by rows: all of the rows above are done, by columns all of the columns before.
  REQUIRE(compared.script.run("command window goto execution 60\nexpect timeline/happens i=4, j=3, k=0") == "");
  CHECK(compared.script.run("expect timeline:B/happens j=3, k=0, i=4") == "");
  CHECK(compared.state("values/cell:L(3,3)") == "only A");
  CHECK(compared.state("values:B/cell:L(7,0)").find("only B") != std::string::npos);
  CHECK(compared.state("values/cell:L(2,1)").find("only") == std::string::npos);
  CHECK(compared.state("values:B/cell:L(2,1)").find("only") == std::string::npos);
  CHECK(compared.script.find("timeline/alone")->label.starts_with("only A has done"));
  CHECK(compared.script.find("timeline:B/alone")->label != "only B has done 0 steps");
  REQUIRE(compared.script.run("command window last execution") == "");
  CHECK(compared.script.find("timeline:B/alone")->label == "only B has done 0 steps");
}

TEST_CASE("compare: Tab hands the lead to the other side, whose steps this one follows") {
  Compared compared;
  REQUIRE(compared.script.run("click timeline/step\nexpect timeline/side leads\nexpect timeline:B/side B\n"
                              "command window goto execution 60\nkey Tab") == "");
  CHECK(compared.state("timeline:B/side") == "leads");
  CHECK(compared.state("timeline/side") == "");
  CHECK(compared.script.app().panes.active() == "timeline:B");
  const std::size_t a = compared.at('A'), b = compared.at('B');
  REQUIRE(compared.script.run("key Right\nkey Right") == "");
  CHECK(compared.at('B') == b + 2);
  CHECK(compared.at('A') != a);
  CHECK(compared.script.run("key Tab\nexpect timeline/side leads\nexpect differs/subtitle A leads") == "");
}

}  // namespace trellis::gui
