// Iterations, values and timeline: what they show of an illegal order, and where a click leads.
#include <doctest/doctest.h>

#include "gui/marks.hpp"
#include "gui/script.hpp"

namespace trellis::gui {
namespace {

/// Viterbi in an illegal order, at its smallest instance.
struct Shown {
  Script script{{}, {1600, 1000, 1}};

  explicit Shown(const std::string& order = "order i j k") {
    REQUIRE(script.run("command window preset illegal\nopen viterbi\ncommand " + order + "\nwait") == "");
  }
  std::string state(const std::string& id) const {
    const Item* item = script.find(id);
    return item ? item->state : "no item " + id;
  }
  std::string label(const std::string& id) const {
    const Item* item = script.find(id);
    return item ? item->label : "no item " + id;
  }
};

}  // namespace

TEST_CASE("iterations: the instance shows who is now and who is needed, in the equation's own indices") {
  Shown shown;
  CHECK(shown.state("point:i=0 j=1") == "done");
  CHECK(shown.state("point:i=0 j=2") == "now");
  CHECK(shown.state("point:i=1 j=1") == "needed now");
  CHECK(shown.state("point:i=1 j=2") == "to come");
  // Axes stay where they are when the order turns.
  const Rect before = shown.script.find("point:i=3 j=1")->rect;
  REQUIRE(shown.script.run("command order j i k\nwait") == "");
  CHECK(shown.script.run("command window goto execution 40\nwait") == "");
  REQUIRE(shown.script.find("point:i=3 j=1"));
  CHECK(shown.script.find("point:i=3 j=1")->rect == before);
  CHECK_FALSE(shown.script.find("legend:needed now"));
}

TEST_CASE("iterations: a click on a place goes to its step") {
  Shown shown;
  REQUIRE(shown.script.click("point:i=1 j=1"));
  REQUIRE(shown.script.run_until_idle());
  CHECK(shown.state("point:i=1 j=1") == "now");
  CHECK(shown.state("point:i=0 j=2") == "done");
}

TEST_CASE("values: what is read too early, what is computed, and what else the statement needs") {
  Shown shown;
  CHECK(shown.state("cell:V(1,1)").starts_with("too early"));
  CHECK(shown.state("cell:V(1,1)").ends_with("not written"));
  CHECK(shown.state("cell:V(0,2)").starts_with("computed now"));
  CHECK(shown.state("cell:A(1,0)") == "read");
  CHECK(shown.state("cell:V(2,1)") == "needed, not written");
  CHECK(shown.state("cell:V(3,2)") == "not written");
  CHECK(shown.label("cell:V(0,1)") == "V(0,1) = .137");
}

TEST_CASE("values: at the end what is wrong is outlined and counted") {
  Shown shown;
  CHECK(shown.script.find("legend:ends up wrong"));
  REQUIRE(shown.script.run("size 1600 2200\ncommand window last execution\nwait") == "");
  CHECK(shown.state("cell:V(0,2)").find("wrong") != std::string::npos);
  CHECK(shown.state("cell:V(0,0)").find("wrong") == std::string::npos);
  REQUIRE(shown.script.run(
              "command window first execution\ncommand window poisoned\ncommand window next event\nwait") == "");
  CHECK(shown.state("cell:V(1,1)").find("undefined") != std::string::npos);
}

TEST_CASE(
    "values: run to its end, the wrong tensor stands beside the right one, and a choice among tainted ones is "
    "tainted") {
  Shown shown;
  REQUIRE(shown.script.run("size 1600 2200\nkey R\nwait\ncommand window last execution\nwait") == "");
  // One that is in question stays large, whatever is computed.
  CHECK(shown.state("values/tensor:V") == "as it came out: 22 of 32 wrong");
  CHECK(shown.state("values/tensor:right:V") == "as it should be");
  CHECK(shown.label("cell:V(0,2)") == "V(0,2) = ?");
  CHECK(shown.state("cell:right:V(0,2)") == "wrong");
  CHECK(shown.state("cell:right:V(2,2)") == "");
  CHECK(shown.state("cell:from(0,2)") == "");
  CHECK(shown.state("cell:from(0,3)") == "undefined");
  CHECK(shown.state("cell:from(1,3)") == "wrong, undefined");
  REQUIRE(shown.script.run("key R\nwait") == "");
  CHECK_FALSE(shown.script.find("values/tensor:right:V"));
}

TEST_CASE("timeline: what happens in words, which violation it is, and the present under the pointer") {
  Shown shown;
  CHECK(shown.label("happens") == "i=0, j=2, k=1: tV2 ← V(1,1) A(1,0) tV2");
  CHECK(shown.label("violation") == "violation 1 of 36");
  CHECK(shown.label("violations at") == "at states=4, steps=8");
  CHECK(shown.label("timeline/where") == "15 / 420");
  REQUIRE(shown.script.click("next violation"));
  REQUIRE(shown.script.run_until_idle());
  CHECK(shown.label("violation") == "violation 2 of 36");
  REQUIRE(shown.script.click("timeline/steps"));
  REQUIRE(shown.script.run_until_idle());
  CHECK(shown.label("timeline/where") == "211 / 420");
  // The wheel zooms around the pointer, so that the step under it stays.
  REQUIRE(shown.script.run("wheel timeline/steps 6\nclick timeline/steps\nwait") == "");
  CHECK(shown.label("timeline/where") == "211 / 420");
}

TEST_CASE("replay: who predicts sees neither what is too early nor what comes") {
  Shown shown;
  REQUIRE(shown.script.run("command window predict\nwait") == "");
  CHECK_FALSE(shown.script.find("violation"));
  CHECK(shown.state("point:i=1 j=1") == "hidden");
  CHECK(shown.state("cell:V(1,1)").find("too early") == std::string::npos);
}

TEST_CASE("iterations: with a fourth index one slice is seen, which can be chosen until the next step") {
  Script script({}, {1600, 1000, 1});
  REQUIRE(script.run("command window preset illegal") == "");
  script.app().document().open("four.tr",
                               "param n = 3\ntensor A(n,n,n,n)\nrandom A seed 1\nB(i,j,k,l) = 2 * A(i,j,k,l)\n");
  REQUIRE(script.run_until_idle());
  const auto run = [&](const std::string& lines) { CHECK(script.run(lines) == ""); };
  run("command window goto execution 2\nexpect iterations/slice:l l=1\nexpect iterations/slice:l now\n"
      "expect \"iterations/point:i=0 j=0\" now");
  run("click iterations/slice:l:forth\nexpect iterations/slice:l l=2\nexpect iterations/slice:l chosen\n"
      "expect \"iterations/point:i=0 j=0\" to come");
  run("click iterations/slice:l:forth\nexpect iterations/slice:l l=0");
  run("command window pane iterations\nkey PageDown\nexpect iterations/slice:l l=1\nkey PageUp\n"
      "expect iterations/slice:l l=0\nclick iterations/slice:now\nexpect iterations/slice:l l=1");
  run("key PageDown\ncommand window goto execution 1\nexpect iterations/slice:l l=0\n"
      "expect iterations/slice:l now");
}

TEST_CASE("values: a tensor that is too large to step through is a picture of blocks") {
  Script script({}, {1600, 1000, 1});
  REQUIRE(script.run("command window preset illegal") == "");
  script.app().document().open("large.tr", "param n = 200\ntensor A(n, n)\nrandom A seed 1\nB(i,j) = 2 * A(i,j)\n");
  REQUIRE(script.run_until_idle());
  REQUIRE(script.find("values/picture:A"));
  REQUIRE(script.click("values/picture:A"));
  REQUIRE(script.run_until_idle());
  REQUIRE(script.find("values/pictured"));
  const auto words = [&] { return script.find("values/pictured")->label; };
  CHECK(words().starts_with("200 × 200, too large to step through"));
  CHECK(script.find("values/pictured")->state == "A");
  REQUIRE(script.run("drag values/cells values/cells") == "");
}

TEST_CASE("values: a picture is of smaller blocks the nearer one comes, and of elements in the end") {
  Script script({}, {1600, 1000, 1});
  REQUIRE(script.run("command window preset illegal") == "");
  script.app().document().open(
      "large.tr",
      "param n = 3000\ntensor A(n, n): csr\ntensor B(n, n): csr\nrandom A seed 1 density 0.001\n"
      "B(i,j) = 2 * A(i,j)\n");
  REQUIRE(script.run_until_idle());
  REQUIRE(script.click("values/picture:A"));
  REQUIRE(script.run_until_idle());
  const auto block = [&] {
    const std::string words = script.find("values/pictured")->label;
    const std::size_t at = words.find("a cell is ");
    return at == std::string::npos ? 1 : std::stoi(words.substr(at + 10));
  };
  std::vector<int> blocks{block()};
  CHECK(blocks[0] >= 4);
  for (int notches = 0; notches < 60; ++notches) {
    REQUIRE(script.run("wheel values/cells 1 ctrl") == "");
    if (block() != blocks.back()) blocks.push_back(block());
  }
  CHECK(std::ranges::is_sorted(blocks, std::greater()));
  CHECK(blocks.back() == 1);
  CHECK(blocks.size() >= 3);
  // All of it again.
  REQUIRE(script.run("click values/fit") == "");
  CHECK(block() == blocks[0]);
}

TEST_CASE("marks: numbers are short enough for a cell") {
  const auto f64 = [](double number) { return short_number(format::Value::of(format::ScalarType::f64, number)); };
  CHECK(f64(0.7491) == ".749");
  CHECK(f64(-0.25) == "-.25");
  CHECK(f64(0.000412) == "4e-4");
  CHECK(f64(0) == "0");
  CHECK(f64(2) == "2");
  CHECK(f64(12345) == "12.3k");
  CHECK(f64(2.5e7) == "25M");
  CHECK(f64(1e20) == "1e20");
  CHECK(short_number(format::Value::of_integer(format::ScalarType::i64, 1234)) == "1234");
  CHECK(short_number(format::Value::truth(true)) == "1");
}

}  // namespace trellis::gui
