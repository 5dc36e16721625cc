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

TEST_CASE("what is no query is refused with the reason") {
  const auto refused = [](const std::string& program) {
    Transcript t;
    t.say(program);
    const auto answer = t.say("plan");
    CHECK(testing::contains(answer.codes, "E0645"));
    return answer.messages();
  };
  CHECK(testing::contains(refused("tensor x(4)\nx(i) = x(i-1) + 1 : 1 <= i\n"), "some points alone"));
  CHECK(testing::contains(refused("tensor a(4)\ntensor x(4)\nx(i) = a(i) * i\n"), "the index i is used as a number"));
  CHECK(testing::contains(refused("tensor A(8, 8): bcsr(2, 2)\ntensor x(8)\ny(i) = A(i,j) * x(j)\n"), "layout"));
  CHECK(testing::contains(refused("tensor A(8, 8)\ny(i) = sum(j < i)(A(i,j))\n"), "some points alone"));
}
