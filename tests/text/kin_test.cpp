// Kin: from an equation down to C and back, and cousins where a line of descent passes a stage by.
#include <doctest/doctest.h>

#include "engine/text/kin.hpp"

using namespace trellis::text;

namespace {

const NodeId equation{Stage::equations, 0}, other{Stage::equations, 1}, loop{Stage::loops, 3},
    lattice{Stage::lattice, 1}, flow{Stage::flow, 7}, line{Stage::c, 12};

/// Lattice and flow are both made of the loop; C is made of the flow.
Kin family() {
  Kin kin;
  kin.add(loop, {equation});
  kin.add(lattice, {loop});
  kin.add(flow, {loop});
  kin.add(line, {flow});
  kin.add(other, {});
  return kin;
}

}  // namespace

TEST_CASE("kin are what a node came from, what came from it, and cousins of stages that are missing") {
  const Kin kin = family();
  CHECK(kin.of(equation) == std::set<NodeId>{equation, loop, lattice, flow, line});
  CHECK(kin.of(lattice) == std::set<NodeId>{equation, loop, lattice, flow, line});
  CHECK(kin.of(other) == std::set<NodeId>{other});
  Kin crowded = family();
  crowded.add({Stage::flow, 8}, {loop});
  CHECK(crowded.of(flow) == std::set<NodeId>{equation, loop, lattice, flow, line});  // not its sibling
}

TEST_CASE("of a stage that was passed by, kin are what the last stage before it became") {
  const NodeId fragment{Stage::fragments, 0}, second{Stage::fragments, 1}, drawn{Stage::graph, 4},
      other_box{Stage::graph, 5};
  Kin kin;
  kin.add(fragment, {equation});
  kin.add(second, {equation});
  kin.add(drawn, {fragment});
  kin.add(other_box, {second});
  kin.add(loop, {fragment});
  kin.add(line, {loop});
  CHECK(kin.of(line) == std::set<NodeId>{equation, fragment, drawn, loop, line});
  CHECK(kin.of(drawn) == std::set<NodeId>{equation, fragment, drawn, loop, line});
}

TEST_CASE("where stages hardly know a node, the one around it lights up as well, more faintly") {
  Kin kin = family();
  const NodeId brace{Stage::c, 13};
  kin.add(brace, {});
  CHECK(kin.lit({line, brace}).weak.empty());
  const Kin::Lit lit = kin.lit({brace, line});
  CHECK(lit.strong == std::set<NodeId>{brace});
  CHECK(lit.weak == kin.of(line));
  CHECK(kin.lit({}).strong.empty());
}

TEST_CASE("the nodes at a character, innermost first") {
  const Text text{"for i { y }", {{0, 11, loop, {}}, {8, 9, flow, {}}}};
  CHECK(nodes_at(text, 8) == std::vector<NodeId>{flow, loop});
  CHECK(nodes_at(text, 2) == std::vector<NodeId>{loop});
  CHECK(nodes_at(text, 11).empty());
}
