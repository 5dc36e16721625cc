// time: figures for each back end, and tensors as after one run.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

const std::string product = "param n = 20\ntensor A(n, n); tensor B(n, n)\nC(i,j) = sum(k)(A(i,k) * B(k,j))\nrandom A; random B\norder i k j\n";

}  // namespace

TEST_CASE("time measures both back ends against the machine") {
  Transcript t;
  t.say(product);
  const auto answer = t.say("time 3");
  CHECK(answer.ok());
  const auto json = answer.last("time");
  REQUIRE(json["backends"].size() == 2);
  CHECK(json["backends"][0]["backend"] == "jit");
  CHECK(json["backends"][1]["backend"] == "native");
  for (const auto& backend : json["backends"]) {
    CHECK(backend["kernel"] == "main");
    CHECK(backend["runs"] == 3);
    CHECK(backend["min_ms"].get<double>() > 0);
    CHECK(backend["min_ms"] <= backend["median_ms"]);
    CHECK(backend["mad_ms"].get<double>() >= 0);
    CHECK(backend["gb_per_s"].get<double>() > 0);
    CHECK(backend["gflop_per_s"].get<double>() > 0);
  }
  CHECK(json["kernels"][0]["bytes"] == 3 * 20 * 20 * 8);
  CHECK(json["kernels"][0]["flops"] == 2 * 20 * 20 * 20);
  CHECK(json["kernels"][0]["roof"]["gb_per_s"].get<double>() > 0);
  CHECK(json["kernels"][0]["roof"]["gflop_per_s"].get<double>() > 0);
  CHECK(answer.output.find("main, order i k j: 9.4 KiB, 16 kflop\n") == 0);
  CHECK(answer.output.find("native reaches") != std::string::npos);
}

TEST_CASE("time leaves the tensors as after one run, and can be undone") {
  Transcript t;
  t.say("tensor x(3); fill_with x [1, 2, 3]\nkernel twice { x(i) = 2 * i + y(i) }\nkernel z { s = sum(i)(x(i)) }\ntensor y(3)");
  CHECK(t.say("time jit 4").last("time")["backends"].size() == 2);
  CHECK(t.value("x") == "[0 2 4]");
  CHECK(t.value("s") == "6");
  CHECK(t.say("check").ok());
  t.say("undo");
  CHECK(t.value("x") == "[1 2 3]");
}

TEST_CASE("time without a number stops when the median stands still") {
  Transcript t;
  t.say(product);
  const int runs = t.say("time main jit").last("time")["backends"][0]["runs"];
  CHECK(runs >= 5);
  CHECK(runs <= 400);
}

TEST_CASE("what time cannot do is reported") {
  Transcript t;
  CHECK(t.say("time").codes == "E0604");
  t.say(product);
  CHECK(t.say("time 0").codes == "E0601");
  CHECK(t.say("time mian").codes == "E0605");
  CHECK(t.say("time threads").codes == "E0601");
  Transcript zero;
  zero.say("tensor a(2): i32\nq(i) = 1 / a(i)");
  CHECK(zero.say("time jit 2").exit == session::Exit::kernel_failed);
}

TEST_CASE("integer kernels have no floating operations") {
  Transcript t;
  t.say("param n = 4; tensor a(n): i32\ns = sum(i)(a(i))");
  CHECK(t.say("time jit 2").last("time")["backends"][0]["gflop_per_s"].is_null());
}
