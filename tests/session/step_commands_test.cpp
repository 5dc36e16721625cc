// step, back, goto, next, place, lattice: replays that the cursor stands in.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using trellis::testing::Transcript;

namespace {

const std::string sums = "param n = 4; tensor x(n); tensor s(n); fill_with x [1, 2, 3, 4]\ns(0) = x(0)\ns(i) = s(i-1) + x(i) : 1 <= i\n";

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
  CHECK(t.say("print s").output.find("0 0 0 0") != std::string::npos);  // the session's tensors stay as they are
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
  CHECK(Transcript().say("tensor y(3)\nloops { for i in 0:3 { y(i) = i } }\nplace step").codes.find("E0630") != std::string::npos);
}

TEST_CASE("a walk through lattices names the case and what runs out") {
  Transcript t;
  t.say("param n = 6; tensor a(n): {compressed}; tensor b(n): {compressed}\nfill_with a [1, 0, 2, 3, 0, 0]; fill_with b [0, 4, 5, 0, 0, 0]\n"
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
  CHECK(Transcript().say("tensor x(3); y(i) = x(i) + 1\nlattice step").codes.find("E0630") != std::string::npos);
}
