// The search for schedules: what suggest and tune offer, and what becomes of it.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

const std::string dense_product =
    "param n = 160\ntensor A(n, n)\ntensor B(n, n)\nrandom A seed 1\nrandom B seed 2\nC(i,j) = A(i,k) * B(k,j)\n";

/// A processor with 32 vector registers of 64 bytes.
session::Options wide() {
  session::Options options;
  options.machine.wide_registers = true;
  return options;
}

std::vector<std::string> commands_in(const nlohmann::json& suggested) {
  std::vector<std::string> all;
  for (const auto& one : suggested["suggestions"]) all.push_back(one["command"]);
  return all;
}

}  // namespace

TEST_CASE("suggest offers a product in blocks that stay in registers, as one fix") {
  Transcript t(wide());
  t.say(dense_product + "plan off\n");
  const auto answer = t.say("suggest").last("suggest");
  const auto all = commands_in(answer);
  REQUIRE(!all.empty());
  CHECK_MESSAGE(contains(all.front(), "registers i j"), all.front());
  CHECK(answer["suggestions"][0]["doubt"] > 1);
  CHECK(t.say("fix 1\nrun\ncheck").ok());
  CHECK(contains(t.say("show loops").output, "registers"));
  Transcript small(wide());
  small.say("param n = 40\n" + dense_product.substr(dense_product.find('\n') + 1));
  for (const std::string& one : commands_in(small.say("suggest").last("suggest"))) CHECK(!contains(one, "registers"));
}

TEST_CASE("suggest finds the product in a solve with many right sides") {
  Transcript t(wide());
  const std::string solve =
      "param n = 400\nparam m = 300\ntensor L(n, n)\ntensor B(n, m)\ntensor X(n, m)\nrandom L seed 1 density 1\n"
      "random B seed 2 density 1\nX(i,j) = (B(i,j) - sum(k)(L(i,k) * X(k,j))) / (L(i,i) + 2) : k < i\n";
  t.say(solve);
  bool found = false;
  for (const std::string& one : commands_in(t.say("suggest").last("suggest"))) {
    found |= contains(one, "registers i j");
    CHECK(Transcript(wide()).say(solve + one + "\nshow c").ok());
  }
  CHECK(found);
}

TEST_CASE("suggest tiles no loops over sparse operands, and lets no order go against more storage than another") {
  Transcript t;
  t.say(
      "param n = 300\ntensor A(n, n): csr\ntensor B(n, n): csr\ntensor C(n, n): csr\nrandom A seed 1 density 0.02\n"
      "random B seed 2 density 0.02\nC(i,j) = A(i,k) * B(k,j)\norder i k j\n");
  for (const std::string& one : commands_in(t.say("suggest").last("suggest"))) {
    CHECK_MESSAGE(!contains(one, "tile"), one);
    CHECK_MESSAGE(!contains(one, "order"), one);  // this one goes along all three
  }
}

TEST_CASE("tune measures what suggest has, keeps the fastest, and is taken back by undo") {
  Transcript t;
  t.say(dense_product + "order i j k\n");
  const auto tuned = t.say("tune jit seconds 0.2");
  CHECK(tuned.ok());
  const auto json = tuned.last("tune");
  CHECK(json["backend"] == "jit");
  CHECK(json["now_ms"] > 0);
  REQUIRE(!json["suggestions"].empty());
  CHECK(json["suggestions"].size() <= 3);
  CHECK(json["suggestions"][0]["ms"] > 0);
  const std::string schedule = t.say("show schedule").output;
  if (json["kept"].is_null()) CHECK(schedule == "order i j k\n");
  else CHECK(contains(schedule, "order"));
  CHECK(t.say("run\ncheck").ok());
  CHECK(t.say("tune seconds 0").codes == "E0601");
}

TEST_CASE("schedule auto fast takes what suggest has, whatever it rounds") {
  Transcript t(wide());
  t.say(dense_product + "order i j k\n");
  CHECK(t.say("schedule auto fast\nrun\ncheck").ok());
  CHECK(contains(t.say("show schedule").output, "registers i j"));
}
