// step, back, goto, next, place, lattice: replays that the cursor stands in.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using trellis::testing::contains;
using trellis::testing::Transcript;

namespace {

const std::string sums =
    "param n = 4; tensor x(n); tensor s(n); fill_with x [1, 2, 3, 4]\ns(0) = x(0)\ns(i) = s(i-1) + x(i) : 1 <= i\n";

}  // namespace

TEST_CASE("an execution is stepped through, forwards and back") {
  Transcript t;
  REQUIRE(t.say(sums).ok());
  auto answer = t.say("step");
  REQUIRE(answer.ok());
  auto json = answer.last("step");
  CHECK(json["at"] == 1);
  CHECK(json["of"] == 4);
  CHECK(json["legal"] == true);
  CHECK(json["writes"]["tensor"] == "s");
  CHECK(json["writes"]["value"] == 1.0);
  CHECK(answer.output.find("[1]") != std::string::npos);
  CHECK(answer.output.find("·") != std::string::npos);  // s(1) is not written yet
  json = t.say("step 2").last("step");
  CHECK(json["at"] == 3);
  CHECK(json["writes"]["value"] == 6.0);
  CHECK(json["loops"]["i"] == 2);
  json = t.say("back").last("back");
  CHECK(json["at"] == 2);
  CHECK(json["writes"]["value"] == 3.0);
  CHECK(t.say("goto end").last("goto")["at"] == 4);
  CHECK(t.say("goto i=1").last("goto")["at"] == 2);
  CHECK(t.say("goto start").last("goto")["at"] == 0);
  CHECK(t.say("next write s").last("next")["at"] == 1);
  CHECK(!t.session().state().data.has("s"));  // the session's tensors stay as they are
}

TEST_CASE("a step's number may name the kernel that is gone to") {
  Transcript t;
  t.say(
      "param n = 3; tensor x(n)\nfill_with x [1, 2, 3]\nkernel first { y(i) = x(i) }\nkernel second { z = sum(i)(x(i)) "
      "}\n");
  auto json = t.say("goto 2 first").last("goto");
  CHECK(json["at"] == 2);
  CHECK(json["of"] == 3);
  CHECK(json["writes"]["tensor"] == "y");
  CHECK(t.say("goto 1").last("goto")["writes"]["tensor"] == "y");  // it stays there
  CHECK(t.say("goto 2 second").last("goto")["writes"]["tensor"] == "z");
  CHECK(t.say("goto 2 third").codes == "E0605");
  CHECK(t.say("goto 2 first 3").codes == "E0601");
}

TEST_CASE("there is no step outside an execution") {
  Transcript t;
  t.say(sums);
  CHECK(t.say("back").codes == "E0631");
  CHECK(t.say("goto 5").codes == "E0631");
  CHECK(t.say("goto i=9").codes == "E0631");
  CHECK(t.say("goto i=").codes == "E0601");
  CHECK(t.say("goto").codes == "E0601");
  CHECK(t.say("step 0").codes == "E0601");
  CHECK(t.say("step 1 nothing").codes == "E0605");
  CHECK(t.say("goto end\nstep").codes == "E0631");
  CHECK(t.say("next violation").codes == "E0631");
  CHECK(t.say("next time").codes == "E0601");
}

TEST_CASE("an illegal order is followed to the reads that come too early") {
  Transcript t;
  t.say("param n = 3; tensor V(n, n); V(i,j) = 1 : j == 0\nV(i,j) = sum(k)(V(k,j-1)) : 1 <= j\norder i j k");
  auto answer = t.say("next violation");
  REQUIRE(answer.ok());
  const auto json = answer.last("next");
  CHECK(json["legal"] == false);
  bool early = false;
  for (const auto& read : json["reads"]) early |= read["early"] == true;
  CHECK(early);
  CHECK(answer.output.find("too early") != std::string::npos);
  CHECK(t.say("show instance").last("show")["at"] == json["at"]);
  CHECK(t.say("next violation").last("next")["at"] > json["at"]);
}

TEST_CASE("show instance draws the order that was asked about last, until the program changes") {
  Transcript t;
  t.say("param n = 3; tensor V(n, n); V(i,j) = 1 : j == 0\nV(i,j) = sum(k)(V(k,j-1)) : 1 <= j\norder j i k");
  CHECK(t.say("show instance").codes == "E0631");
  CHECK(t.say("why i j k").last("why")["legal"] == false);
  const auto json = t.say("show instance").last("show");
  CHECK(json["order"] == std::vector<std::string>{"i", "j", "k"});
  CHECK(json["legal"] == false);
  CHECK(t.say("next violation").last("next")["order"] == json["order"]);
  CHECK(t.say("fix 1").ok());  // still offered
  t.say("why i j k; order i k j");
  CHECK(t.say("show instance").last("show")["order"] == std::vector<std::string>{"i", "k", "j"});
}

TEST_CASE("show instance draws the smallest instance, the one that why names") {
  Transcript t;
  t.say("param n = 4; tensor A(n, n); tensor V(n, n); V(i,0) = 1\nV(i,j) = max(k)(V(k,j-1) * A(k,i)) : 1 <= j");
  for (const char* order : {"i j k", "i k j", "k i j", "k j i", "i- j k", "i j- k", "k- i- j"}) {
    CAPTURE(order);
    const auto instance = t.say(std::string("why ") + order).last("why")["instance"];
    const auto shown = t.say("show instance").last("show");
    bool read = false;
    for (const auto& one : shown["reads"]) read |= one["early"] == true && one["index"] == instance["element"];
    CHECK(read);
  }
}

TEST_CASE("what changes the program or its data begins the execution anew") {
  Transcript t;
  t.say(sums + "step 3");
  CHECK(t.say("step").last("step")["at"] == 4);
  t.say("fill_with x [10, 20, 30, 40]");
  const auto json = t.say("step").last("step");
  CHECK(json["at"] == 1);
  CHECK(json["writes"]["value"] == 10.0);
}

TEST_CASE("executions that are too large to draw are refused, or cut off") {
  Transcript t;
  t.say("param n = 100; tensor A(n, n); y(i) = A(i,j) * 2");
  CHECK(t.say("step").codes.find("E0630") != std::string::npos);
  Transcript long_one;
  long_one.say("param n = 60; tensor x(n); y(i) = sum(j,k)(x(i) * x(j) * x(k))");
  const auto json = long_one.say("step").last("step");
  CHECK(json["complete"] == false);
  CHECK(json["of"] == 20000);
}

TEST_CASE("the placement is replayed event by event") {
  Transcript t;
  t.say(sums);
  auto answer = t.say("place step");
  REQUIRE(answer.ok());
  CHECK(answer.last("place")["events"].size() == 1);
  answer = t.say("place run");
  CHECK(answer.last("place")["at"] == answer.last("place")["of"]);
  CHECK(answer.output.find("✓ s1") != std::string::npos);
  CHECK(answer.output.find("# ready s(i)") != std::string::npos);
  CHECK(t.say("place step").codes == "E0631");
  CHECK(t.say("place back").ok());
  CHECK(t.say("place sideways").codes == "E0601");
  CHECK(Transcript().say("tensor y(3)\nloops { for i in 0:3 { y(i) = i } }\nplace step").codes.find("E0630") !=
        std::string::npos);
}

TEST_CASE("a walk through lattices names the case and what runs out") {
  Transcript t;
  t.say(
      "param n = 6; tensor a(n): {compressed}; tensor b(n): {compressed}\nfill_with a [1, 0, 2, 3, 0, 0]; fill_with b "
      "[0, 4, 5, 0, 0, 0]\n"
      "tensor y(n): {compressed}; y(i) = a(i) + b(i)");
  std::string cases;
  for (int k = 0; k < 6; ++k) {
    const auto json = t.say("lattice step").last("lattice");
    REQUIRE(!json.is_null());
    const auto& step = json["step"];
    if (step.contains("coordinate")) {
      cases += std::to_string(step["coordinate"].get<int>());
      for (const auto& cursor : step["cursors"])
        if (cursor["here"] == true) cases += cursor["tensor"].get<std::string>();
      cases += " ";
    } else {
      cases += "end of " + (step["runs_out"].is_null() ? "range" : step["runs_out"].get<std::string>()) + " ";
    }
  }
  CHECK(cases == "0a 1b 2ab end of b(i) 3a end of a(i) ");
  CHECK(t.say("lattice step").codes == "E0631");
  CHECK(Transcript().say("tensor x(3); y(i) = x(i) + 1\nlattice step").codes.find("E0631") != std::string::npos);
}

TEST_CASE(
    "a walk through lattices shows operands that are reversed, sliced, stretched, unordered or not unique, and "
    "workspaces") {
  const std::string start = "param n = 4; tensor a(2*n): {compressed}; fill_with a [0, 5, 6, 0, 7, 0, 0, 0]\n";
  const auto first = [](const std::string& program) {
    Transcript t;
    return t.say(program + "\nlattice step").output;
  };
  CHECK(contains(first(start + "s = sum(i < n)(a(n-1-i)) : 0 <= i"), "i=1"));
  CHECK(contains(first(start + "s = sum(i < n)(a(n-1-i)) : 0 <= i"), "1  [2]"));
  CHECK(contains(first(start + "s = sum(i < n)(a(2*i)) : 0 <= i"), "i=1"));
  CHECK(contains(first(start + "s = sum(i < n)(a(i/2)) : 0 <= i"), "i=2"));
  const std::string entries = "param n = 3; tensor A(n,n): coo; fill_with A [[0, 2, 0], [0, 0, 0], [1, 0, 4]]\n";
  const std::string rows = first(entries + "y(i) = sum(j)(A(i,j))\norder i j");
  CHECK(contains(rows, "A(i,:)  [0]"));
  Transcript t;
  const std::string product =
      "param n = 3; tensor A(n,n): csr; tensor B(n,n): csr; tensor C(n,n): csr\n"
      "fill_with A [[0, 2, 0], [0, 0, 0], [1, 0, 0]]; fill_with B [[3, 0, 0], [0, 4, 0], [0, 0, 0]]\n"
      "C(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\n";
  std::string all = t.say(product + "lattice step").output;
  for (int k = 0; k < 12; ++k) all += t.say("lattice step").output;
  CHECK(contains(all, "inserts "));
  CHECK(contains(all, "appends C(0,1) = 8"));
}

TEST_CASE(
    "a step of a kernel over sparse tensors is one of its control flow, and tells zeros, gaps and what comes later "
    "apart") {
  Transcript t;
  t.say(
      "param n = 4; tensor a(n): {compressed}; tensor y(n): {compressed(wide)}; fill_with a [0, 5, 0, 7]\ny(i) = a(i) "
      "- 5 * "
      "a(i) / 5");
  const std::string first = t.say("step").output;
  CHECK(contains(first, "step 1 of 3    control flow    order i    i=1\ny(1) = 0  from a(1)\n"));
  CHECK(contains(first, "coiterate i in 0:n"));
  CHECK(contains(first, ">       append y(i)"));
  CHECK(contains(first, "  ·  [0]  ·   ·"));
  CHECK(contains(first, "  -  (5)  -   7"));
  CHECK(contains(first, "a  crd  [1]  3     pos 0 to 2"));
  CHECK(contains(first, "- not stored   · not written yet"));
  CHECK(t.say("step").last("step")["replays"] == "control flow");
  const std::string last = t.say("goto end").output;
  CHECK(contains(last, "y has all of its entries"));
  CHECK(contains(last, "  -   0   -   0"));
  Transcript dense;
  dense.say(sums);
  CHECK(dense.say("step").last("step")["replays"] == "loops");
}

TEST_CASE("a step of a lattice tells what the case reads and writes, and which values") {
  Transcript t;
  t.say(
      "param n = 4; tensor a(n): {compressed}; tensor b(n)\nfill_with a [0, 5, 0, 7]; fill_with b [1, 2, 3, 4]\ns = "
      "sum(i)(a(i) * b(i))");
  const std::string said = t.say("lattice step").output;
  CHECK(contains(said, "● a(i)  [1]  3"));
  CHECK(contains(said, "reads a(1) = 5, reads b(1) = 2"));
  const auto json = t.say("lattice step").last("lattice");
  CHECK(json["step"]["coordinate"] == 3);
  CHECK(json["step"]["cursors"][0]["crd"] == std::vector<int>{1, 3});
  CHECK(json["step"]["touches"][0]["place"] == 1);
}

TEST_CASE("lattice step says how pointers march, and what has waited in a list") {
  const std::string world =
      "param n = 4; tensor A(n, n): csc; tensor L(n, n): csc\n"
      "fill_with A [[9, 1, 0, 1], [1, 9, 1, 0], [0, 1, 9, 1], [1, 0, 1, 9]]\n"
      "kernel factor {\n"
      "  L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
      "  L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n";
  const auto all_steps = [](Transcript& t) {
    std::string all;
    for (int k = 0; k < 40; ++k) all += t.say("lattice step").output;
    return all;
  };
  Transcript masked;
  REQUIRE(masked.say(world + "  mask L auto\n  order i k j\n}\nrun").ok());
  const std::string marching = all_steps(masked);
  CHECK_MESSAGE(testing::contains(marching, "marches to L(1,0)"), marching);
  CHECK_MESSAGE(testing::contains(marching, "marches 1 entry on to L(3,0)"), marching);
  Transcript lists;
  REQUIRE(lists.say(world + "  order j k i\n}\nrun").ok());
  const std::string waiting = all_steps(lists);
  CHECK_MESSAGE(testing::contains(waiting, "j=1 k=0 (k waited for 1) i=3"), waiting);
}
