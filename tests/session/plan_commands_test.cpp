// plan.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

const std::string chain = R"(param n = 100
tensor A(n, n): csr
tensor B(n, n): csr
tensor v(n)
random A seed 1 density 0.1
random B seed 2 density 0.1
kernel chain { y(i) = sum(j,k)(A(i,j) * B(j,k) * v(k)) }
)";

}  // namespace

TEST_CASE("plan draws the queries of a kernel, and leaves all as it was") {
  Transcript t;
  t.say(chain);
  const std::string before = t.say("show loops chain").output;
  const auto answer = t.say("plan chain");
  CHECK(answer.ok());
  CHECK(testing::contains(answer.output, "│ t1(j) = sum(k)(B(j,k) * v(k))"));
  CHECK(testing::contains(answer.output, "│ y(i) = sum(j)(A(i,j) * t1(j))"));
  CHECK(testing::contains(answer.output, " 100 ──> "));
  CHECK(testing::contains(answer.output, "│ dense, order i j, 100 entries"));
  CHECK_FALSE(testing::contains(answer.output, "second"));
  CHECK(t.say("show loops chain").output == before);
}

TEST_CASE("plan why says what came second and what would change that") {
  Transcript t;
  t.say(chain);
  const auto answer = t.say("plan why chain");
  CHECK(testing::contains(answer.output, "second, about "));
  CHECK(testing::contains(answer.output, "flips at "));
  CHECK(testing::contains(answer.output, "rounds: products are associated anew"));
  const auto json = answer.last("plan");
  CHECK(json["kernel"] == "chain");
  REQUIRE(json["chosen"]["queries"].size() == 2);
  CHECK(json["chosen"]["queries"][0]["reads"] == nlohmann::json({"B", "v"}));
  CHECK(json["chosen"]["queries"][1]["order"] == "i j");
  CHECK(json["chosen"]["ms"] < json["second"]["ms"]);
  CHECK(json["operands"][0]["entries"] > 900);
}

TEST_CASE("once a kernel has run, what its results store stands beside what was expected") {
  Transcript t;
  t.say(chain);
  CHECK_FALSE(testing::contains(t.say("plan chain").output, "stored"));
  t.say("run chain");
  CHECK(testing::contains(t.say("plan chain").output, "100 entries expected, 100 stored"));
  CHECK(t.say("plan chain").last("plan")["chosen"]["queries"][1]["stored"] == 100);
}

TEST_CASE("plan goes by what tensors hold, and says which hold nothing") {
  Transcript t;
  t.say("tensor A(50, 50): csr\ntensor x(50)\ny(i) = A(i,j) * x(j)\n");
  CHECK(testing::contains(t.say("plan").output, "A holds nothing yet and counts as full"));
  t.say("random A density 0.1\n");
  CHECK_FALSE(testing::contains(t.say("plan").output, "holds nothing"));
}

TEST_CASE("of what is no query, the reason is said below what it runs as") {
  const auto refused = [](const std::string& program) {
    Transcript t;
    t.say(program);
    const auto answer = t.say("plan");
    CHECK(answer.ok());
    CHECK(testing::contains(answer.output, "kernel main runs as it is written: "));
    return answer.output;
  };
  CHECK(testing::contains(refused("tensor x(4)\nx(i) = x(i-1) + 1 : 1 <= i\n"), "some points alone"));
  CHECK(testing::contains(refused("tensor a(4)\ntensor x(4)\nx(i) = a(i) * i\n"), "the index i is used as a number"));
  CHECK(testing::contains(refused("tensor A(8, 8): bcsr(2, 2)\ntensor x(8)\ny(i) = A(i,j) * x(j)\n"), "layout"));
  CHECK(testing::contains(refused("tensor A(8, 8)\ny(i) = sum(j < i)(A(i,j))\n"), "some points alone"));
}

TEST_CASE("plan says what a kernel runs as, beside what else was looked at, and what would change that") {
  Transcript t;
  t.say("param n = 600\ntensor A(n, n): csr\nrandom A seed 1 density 0.05\nS(i,j) = A(i,j) + A(j,i)\n");
  const auto before = t.say("plan");
  CHECK(testing::contains(before.output, "kernel main runs as the first of these"));
  CHECK(testing::contains(before.output, "A_csc instead of A"));
  CHECK(testing::contains(before.output, "█"));
  CHECK_FALSE(testing::contains(before.output, "its last run took"));
  const nlohmann::json ways = before.last("plan")["choice"]["ways"];
  REQUIRE(ways.size() >= 2);
  CHECK(ways[0]["ms"] <= ways[1]["ms"]);
  t.say("run");
  CHECK(testing::contains(t.say("show loops").output, "A_csc"));  // the first one
  const auto after = t.say("plan why");
  CHECK(testing::contains(after.output, "its last run took"));
  CHECK(testing::contains(after.output, "beside an estimate of"));
  CHECK(after.last("plan")["choice"]["measured_ms"] > 0);
  t.say("order i j");
  CHECK(testing::contains(t.say("plan").output, "runs as it is written: an order stands in its schedule"));
  t.say("undo\nplan off");
  CHECK(testing::contains(t.say("plan").output, "runs as it is written: plan off stands in its schedule"));
}

TEST_CASE("a plan turns where its second way would win") {
  Transcript t;
  t.say(
      "param n = 2000\nparam m = 300\ntensor X(n, n): csr\ntensor q(m): i64 range(0, n)\nrandom X seed 1 density 0.01\n"
      "random q seed 2\nZ(i,b) = X(i,q(b))\n");
  const nlohmann::json choice = t.say("plan why").last("plan")["choice"];
  REQUIRE(!choice["flips"].empty());
  const std::string flip = choice["flips"][0];
  CHECK(testing::contains(flip, choice["ways"][1]["what"].get<std::string>() + " would win with some "));
}
