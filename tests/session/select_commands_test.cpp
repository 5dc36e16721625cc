// select, pin, unpin, and what steps of replays select.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/session/typing/complete.hpp"
#include "tests/session/transcript.hpp"

using trellis::session::Selection;
using trellis::testing::Transcript;
using trellis::text::NodeId;
using trellis::text::Stage;

namespace {

const std::string two_kernels =
    "param n = 3; tensor A(n, n): csr; tensor x(n)\nfill_with A [[1,0,0],[0,2,0],[0,0,3]]\nfill_with x [1, 2, 3]\n"
    "kernel p { y(i) = A(i,j) * x(j)\norder i j }\nkernel q { z(i) = 2 * x(i) }\n";

const Selection& selection(Transcript& t) { return t.session().state().focus.selection; }

std::vector<std::string> completed(Transcript& t, const std::string& text) {
  return trellis::session::complete(t.session().state(), text, text.size()).words;
}

}  // namespace

TEST_CASE("select says where to look, and nothing of it is undone") {
  Transcript t;
  t.say(two_kernels);
  const auto done = t.say("history").last("history")["done"].size();
  const auto json = t.say("select kernel p").last("select")["selection"];
  CHECK(json["kernel"] == "p");
  REQUIRE(t.say("select instance i = 1, j = 2").ok());
  CHECK(selection(t).instance == trellis::loop::LoopValues{{"i", 1}, {"j", 2}});
  REQUIRE(t.say("select element A(1,2)").ok());
  CHECK(*selection(t).element == Selection::Element{"A", {1, 2}});
  const auto said = t.say("select node c:12");
  CHECK(said.last("select")["selection"]["node"]["stage"] == "c");
  CHECK(trellis::session::remarks_of(said.replies.back()).find("selected: kernel p, node c:12, i=1, j=2, A(1,2)") !=
        std::string::npos);
  CHECK(*selection(t).node == NodeId{Stage::c, 12});
  CHECK(t.say("history").last("history")["done"].size() == done);
  t.say("select kernel q");  // an iteration of p is none of q
  CHECK(selection(t).instance.empty());
  t.say("select nothing");
  CHECK(selection(t) == Selection{});
}

TEST_CASE("what cannot be selected is refused, and the selection stays") {
  Transcript t;
  t.say(two_kernels + "select element A(0,1)");
  const Selection before = selection(t);
  CHECK(t.say("select kernel r").codes == "E0605");
  CHECK(t.say("select instance k=1").codes == "E0608");
  CHECK(t.say("select instance i=").codes == "E0601");
  CHECK(t.say("select element B(0,0)").codes == "E0615");
  CHECK(t.say("select element A(0,3)").codes == "E0613");
  CHECK(t.say("select element A(0)").codes == "E0613");
  CHECK(t.say("select element A(0,x)").codes == "E0601");
  CHECK(t.say("select node d:1").codes == "E0603");
  CHECK(t.say("select node c").codes == "E0601");
  CHECK(t.say("select node c:-1").codes == "E0601");
  CHECK(t.say("select everything").codes == "E0601");
  CHECK(t.say("select").codes == "E0601");
  CHECK(t.say("pin").codes == "E0601");
  CHECK(selection(t) == before);
}

TEST_CASE("pins stay, each once, until they are let go") {
  Transcript t;
  t.say(two_kernels + "select node loops:3\npin\npin c:12\npin c:12\nselect nothing");
  CHECK(selection(t).pins == std::vector<NodeId>{{Stage::loops, 3}, {Stage::c, 12}});
  const auto left = t.say("unpin loops:3");
  CHECK(trellis::session::remarks_of(left.replies.back()).find("pinned: c:12") != std::string::npos);
  t.say("step q");
  CHECK(selection(t).pins.size() == 1);
  t.say("unpin");
  CHECK(selection(t).pins.empty());
}

TEST_CASE("each step of a replay is selected, and `select step` goes on in the same one") {
  Transcript t;
  t.say(two_kernels);
  t.say("step 2 q");
  CHECK(selection(t).kernel == "q");
  CHECK(selection(t).stage == Stage::loops);
  CHECK(selection(t).step == 2);
  CHECK(selection(t).instance == trellis::loop::LoopValues{{"i", 1}});
  CHECK(*selection(t).element == Selection::Element{"z", {1}});
  CHECK(t.say("select step 1").last("select")["replay"] == "execution");
  CHECK(selection(t).step == 1);

  t.say("lattice step p");
  CHECK(selection(t).stage == Stage::lattice);
  CHECK(selection(t).instance.front() == std::pair<std::string, std::int64_t>("i", 0));
  CHECK(t.say("select step 3").last("select")["at"] == 3);
  CHECK(t.say("lattice goto 1").last("lattice")["at"] == 1);
  CHECK(t.say("lattice goto 1000").codes == "E0631");

  t.say("place run p");
  CHECK(selection(t).stage == Stage::placement);
  CHECK(selection(t).node->stage == Stage::fragments);
  CHECK(t.say("place goto 1").last("place")["at"] == 1);
  CHECK(selection(t).step == 1);
  CHECK(t.say("select step 0").last("select")["replay"] == "placement");
  CHECK(t.say("place goto 100").codes == "E0631");
  CHECK(t.say("place goto -1").codes == "E0631");
  CHECK(t.say("place goto").codes == "E0601");
}

TEST_CASE("an instance of an illegal order is selected with the element that is read too early") {
  Transcript t;
  t.say("param n = 4; tensor V(n, n)\nrandom V seed 1\nW(i,j) = V(i,j) + W(i+1,j-1) : 1 <= j, i+1 < n\norder i j");
  REQUIRE(t.say("show instance").ok());
  CHECK(*selection(t).element == Selection::Element{"W", {1, 1}});
  CHECK(selection(t).instance == trellis::loop::LoopValues{{"i", 0}, {"j", 2}});
}

TEST_CASE("completion knows what can be selected") {
  Transcript t;
  t.say(two_kernels);
  CHECK(completed(t, "select ") ==
        std::vector<std::string>{"element", "instance", "kernel", "node", "nothing", "step"});
  CHECK(completed(t, "select kernel ") == std::vector<std::string>{"p", "q"});
  CHECK(completed(t, "select instance ") == std::vector<std::string>{"i=", "j="});
  CHECK(completed(t, "select node lo") == std::vector<std::string>{"loops:"});
  CHECK(completed(t, "pin c") == std::vector<std::string>{"c:"});
  const auto ways = completed(t, "place ");
  CHECK(std::ranges::find(ways, "goto") != ways.end());
}
