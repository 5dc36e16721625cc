// time: figures for each back end, and tensors as after one run.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

const std::string timed =
    "param n = 20\ntensor A(n, n); tensor B(n, n)\nC(i,j) = sum(k)(A(i,k) * B(k,j))\nrandom A; random B\norder i k j\n";

}  // namespace

TEST_CASE("time measures both back ends against the machine") {
  Transcript t;
  t.say(timed);
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

TEST_CASE("time counts no operations where sparse storage says how many there are") {
  Transcript t;
  t.say("param n = 20\ntensor A(n, n): csr\ntensor x(n)\ny(i) = sum(j)(A(i,j) * x(j))\nrandom A; random x");
  const auto json = t.say("time jit 3").last("time");
  CHECK(json["backends"][0]["median_ms"].get<double>() > 0);
  CHECK(json["kernels"][0].value("flops", nlohmann::json()).is_null());
}

TEST_CASE("time leaves the tensors as after one run, and can be undone") {
  Transcript t;
  t.say(
      "tensor x(3); fill_with x [1, 2, 3]\nkernel twice { x(i) = 2 * i + y(i) }\nkernel z { s = sum(i)(x(i)) }\ntensor "
      "y(3)");
  CHECK(t.say("time jit 4").last("time")["backends"].size() == 2);
  CHECK(t.value("x") == "[0 2 4]");
  CHECK(t.value("s") == "6");
  CHECK(t.say("check").ok());
  CHECK(t.say("undo").last("undo")["statements"] == nlohmann::json{"time jit 4"});
  CHECK(t.session().state().data.held("x")->get(tensor::Index{0}).as_double() == 1);
}

TEST_CASE("time without a number stops when the median stands still") {
  Transcript t;
  t.say(timed);
  const int runs = t.say("time main jit").last("time")["backends"][0]["runs"];
  CHECK(runs >= 5);
  CHECK(runs <= 400);
}

TEST_CASE("what time cannot do is reported") {
  Transcript t;
  CHECK(t.say("time").codes == "E0604");
  t.say(timed);
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

TEST_CASE("orders time measures each legal order and changes no tensor") {
  Transcript t;
  t.say(
      "param n = 12; tensor L(n, n); tensor b(n); random L; random b\nx(i) = (b(i) - sum(j)(L(i,j) * x(j))) / (1 + "
      "L(i,i)) : j < i\n");
  const auto answer = t.say("orders down time");
  CHECK(answer.ok());
  const auto json = answer.last("orders");
  CHECK(json["backend"] == "jit");
  for (const auto& order : json["orders"]) CHECK(order["median_ms"].is_number() == order["legal"].get<bool>());
  CHECK(answer.output.find("medians with jit") != std::string::npos);
  CHECK(!t.session().state().data.has("x"));
  CHECK(t.say("orders time native").last("orders")["backend"] == "native");
  CHECK(t.say("orders jit").codes == "E0605");
}

TEST_CASE("orders time says why nothing can be measured") {
  Transcript t;
  CHECK(t.say("tensor x(n)\ny(i) = x(i)\norders time").codes.find("E0602") != std::string::npos);
  Transcript faulty;
  CHECK(faulty.say("tensor a(2): i32\nq(i) = 1 / a(i)\norders time").codes.find("E0502") != std::string::npos);
}

TEST_CASE("orders time tells how far it is") {
  Transcript t;
  std::string told;
  t.session().state().progress = [&](const session::Progress& how_far) { told += to_string(how_far) + "\n"; };
  t.say("param n = 3; tensor A(n, n)\nB(i,j) = A(j,i)\norders time");
  CHECK(told == "timing order 1 of 2: i j\ntiming order 2 of 2: j i\n");
}

TEST_CASE("orders time shows each row when it is there and keeps them when it is stopped") {
  const std::string program = "param n = 3; tensor a(n)\ns = sum(i,j,k)(a(i)*a(j)*a(k))\n";
  Transcript t;
  std::vector<std::size_t> filled;
  std::string rows;
  t.session().state().filling = [&](const session::OrdersListed& listed) {
    filled.push_back(listed.filled.value());
    session::Reply reply;
    reply.result = listed;
    rows = session::output_of(reply);
    CHECK(listed.table.orders[filled.size() - 1].median_ms.has_value());
  };
  const auto whole = t.enter({program, "orders time"});
  CHECK(filled == std::vector<std::size_t>{1, 2, 3, 4, 5, 6});
  CHECK(whole.output.substr(whole.output.find("✓")) == rows + "6 of 6 orders are legal; medians with jit\n");

  Transcript stopped;
  stopped.session().state().filling = [&](const session::OrdersListed& listed) {
    if (listed.filled == 2u) stopped.session().interrupt();
  };
  const auto part = stopped.enter({program, "orders time"});
  CHECK(part.exit == session::Exit::interrupted);
  CHECK(part.output.find("6 of 6 orders are legal; medians with jit; stopped, 4 are left\n") != std::string::npos);
  const auto orders = part.last("orders")["orders"];
  REQUIRE(orders.size() == 6);
  for (std::size_t k = 0; k < 6; ++k) CHECK(orders[k]["median_ms"].is_number() == (k < 2));
  CHECK(stopped.enter({"run", "print s"}).ok());
}

TEST_CASE("suggest offers what is legal and estimated to be cheaper") {
  Transcript t;
  t.say("param n = 2000; tensor A(n, n); tensor B(n, n)\nC(i,j) = sum(k)(A(i,k) * B(k,j))\norder i j k\n");
  const auto answer = t.say("suggest");
  CHECK(answer.ok());
  const auto json = answer.last("suggest");
  CHECK(json["kernel"] == "main");
  CHECK(json["order"] == nlohmann::json{"i", "j", "k"});
  REQUIRE(json["suggestions"].size() >= 1);
  for (const auto& s : json["suggestions"]) {
    CHECK(!s["reason"].get<std::string>().empty());
    CHECK(s["cost"].get<double>() * s["doubt"].get<double>() < json["cost"]);
    const std::string command = s["command"];
    const auto lines = std::ranges::count(command, ';') + 1;
    CHECK(t.say(command + "\nshow c\nundo " + std::to_string(lines)).ok());
  }
  const std::string first = json["suggestions"][0]["command"];
  CHECK(t.say("fix 1").last("fix")["applied"] == first);
  CHECK(t.say("show schedule").output.starts_with(first.substr(0, first.find(';'))));
  CHECK(t.say("undo\nshow schedule").output == "order i j k\n");
}

TEST_CASE("suggest leaves the session as it is, and never offers an illegal order") {
  Transcript t;
  t.say(
      "param n = 500; param m = 400; tensor P(n, n); tensor first(n)\nV(i,0) = first(i)\nV(i,j) = max(k)(V(k,j-1) * "
      "P(k,i)) : 1 <= j\ntensor V(n, m)\n");
  t.say("order j i k\nsuggest");
  CHECK(t.say("history").last("history")["done"].size() == 8);
  const auto suggested = t.say("suggest").last("suggest");
  for (const auto& s : suggested["suggestions"]) {
    const std::string command = s["command"];
    if (command.substr(0, 6) == "order ") CHECK(t.say("why " + command.substr(6)).last("why")["legal"] == true);
  }
  CHECK(t.say("suggest nothing").codes == "E0605");
}
