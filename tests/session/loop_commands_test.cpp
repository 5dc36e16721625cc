// Commands on kernels that are loop programs.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

const std::string prefix =
    "param n = 4; tensor x(n): i64; tensor y(n): i64; fill_with x [1, 2, 3, 4]\n"
    "kernel scan { loops { y(0) = x(0); for i in 1:n { y(i) = y(i-1) + x(i) } } }\n";

}  // namespace

TEST_CASE("a loop program runs, checks, prints and answers in JSON") {
  Transcript t;
  const auto answer = t.run(prefix + "run\ncheck\nprint y\n");
  CHECK(answer.ok());
  CHECK(answer.last("run")["kernels"][0]["kernel"] == "scan");
  CHECK(answer.last("check")["coverage"] == "full");
  CHECK(answer.last("check")["first_difference"].is_null());
  CHECK(t.value("y") == "[1 3 6 10]");
}

TEST_CASE("a loop program runs again on what it left") {
  Transcript t;
  t.run("tensor count: i64; loops { count += 1 }\nrun\nrun\n");
  CHECK(t.value("count") == "2");
  CHECK(t.say("check").ok());
}

TEST_CASE("a program of loops alone runs and prints its results") {
  Transcript t;
  CHECK(t.run("loops { for i in 0:3 { z(i) = i } }").output.find("z = [0 1 2]") != std::string::npos);
  CHECK(Transcript().run("loops { }").ok());
}

TEST_CASE("show gives the stages that a loop program has") {
  Transcript t;
  t.say(prefix);
  CHECK(t.say("show loops scan").output.find("y(i) = y(i-1) + x(i)") != std::string::npos);
  CHECK(t.say("show flow scan").ok());
  CHECK(t.say("show c scan").output.find("for (int64_t i = 1; i < n; i++)") != std::string::npos);
  CHECK(t.say("show memory scan").ok());
  CHECK(t.say("show schedule scan").ok());
  for (const char* stage : {"equations", "fragments", "graph", "placement"})
    CHECK(t.say("show " + std::string(stage) + " scan").codes == "E0268");
}

TEST_CASE("an index out of range stops the kernel with its place and values") {
  Transcript t;
  const auto answer = t.run(
      "param n = 3; tensor x(n); tensor p(n): i64; fill_with p [0, 2, 5]\nloops { for i { x(p(i)) = 1 } }\nrun\n");
  CHECK(answer.exit == session::Exit::kernel_failed);
  CHECK(answer.codes == "E0502");
  CHECK(answer.last("run")["diagnostics"][0]["column"] == 19);
  CHECK(Transcript().run("param n = 0; tensor x(n); loops { x(0) = 1 }\nrun\n").codes == "E0502");
}

TEST_CASE("an endless loop is stopped by the time limit") {
  session::Options options;
  options.limits.seconds = 0.2;
  Transcript t(options);
  CHECK(t.run("tensor s; loops { while s == 0 { s *= 2 } }\nrun\n").codes == "E0504");
}

TEST_CASE("loop programs and equations follow each other as kernels") {
  Transcript t;
  t.run(
      "param n = 3; tensor x(n); random x seed 1\nkernel a { y(i) = 2*x(i) }; kernel b { loops { for i { y(i) += 1 } } "
      "}; kernel c { z(i) = y(i) }\n"
      "run\ncheck\n");
  CHECK(t.value("z") == t.value("y"));
}

TEST_CASE("a loop runs in parallel as it says, or is refused") {
  const std::string world =
      "param n = 50; tensor x(n): i64; tensor p(n): i64; tensor s: i64; random x seed 1 density 1 range 0:9\n";
  Transcript t;
  CHECK(t.run(world + "loops { for i parallel { s += x(i) } }\nrun native threads 2\ncheck\n").ok());
  CHECK(t.say("show loops").output.find("forall i in 0:n reduces s parallel {") != std::string::npos);
  CHECK(Transcript().run(world + "loops { for i in 1:n parallel { x(i) = x(i-1) } }\nrun\n").codes == "E0107");
  CHECK(Transcript().run(world + "loops { forall i in 1:n { x(i) = x(i-1) } }\nrun\n").codes == "E0107");
  CHECK(Transcript().run(world + "loops { for i in 1:n vectorize { x(i) = x(i-1) } }\nrun\n").codes == "E0142");
  CHECK(Transcript().run(world + "loops { for i parallel { x(p(i)) = i } }\nrun\n").codes == "E0107");
  CHECK(Transcript()
            .run(world + "loops { for i parallel { let k = p(i) + 60 { x(i) = p(k) } } }\nrun native threads 2\n")
            .codes == "N0605 E0502");
}

TEST_CASE("order and schedule commands transform loop programs, or say why not") {
  const std::string world =
      "param n = 4; tensor A(n, n): i64; tensor B(n, n): i64; random B seed 1 density 1 range 0:9\n";
  Transcript t;
  CHECK(t.run(world + "loops { for i, j { A(i,j) = B(j,i) } }\norder j i\nrun\ncheck\n").ok());
  CHECK(t.say("show loops").output.find("j in 0:n {\n  for") != std::string::npos);
  CHECK_FALSE(Transcript()
                  .run(world + "loops { for i in 1:n, j in 0:n-1 { A(i,j) = A(i-1,j+1) + 1 } }\norder j i\nrun\n")
                  .ok());
}

TEST_CASE("orders of a loop program are judged and estimated, the fastest first") {
  const std::string world = "param n = 200; tensor A(n, n); tensor B(n, n); tensor C(n, n)\n";
  Transcript t;
  t.say(world + "kernel product { loops { for i, j { C(i,j) = 0; for k { C(i,j) += A(i,k) * B(k,j) } } } }\n");
  const auto listed = t.run("orders product\n").last("orders");
  CHECK(listed["total"] == 6);
  CHECK(listed["in_force"] == nlohmann::json{"i", "j", "k"});
  CHECK(listed["orders"][0]["cost"] == 1);
  for (std::size_t k = 1; k < 6; ++k)
    CHECK(listed["orders"][k]["cost"] >= listed["orders"][k - 1]["cost"].get<double>() - 0.05);
  for (const auto& order : listed["orders"]) CHECK(order["legal"] == true);
  const auto cost = [&](const nlohmann::json& names) {
    for (const auto& order : listed["orders"])
      if (order["order"] == names) return order["cost"].get<double>();
    return 0.0;
  };
  CHECK(cost({"i", "k", "j"}) < cost({"i", "j", "k"}));
  CHECK(cost({"i", "k", "j"}) < cost({"k", "j", "i"}));
  CHECK(t.run("orders product down\n").last("orders")["total"] == 48);
  CHECK(t.say("core product: j i k").codes == "E0268");
}

TEST_CASE("why an order of a loop program is refused, and the orders that fix it") {
  const std::string world = "param n = 5; tensor A(n, n): i64\n";
  const std::string program = "kernel wave { loops { for i in 1:n, j in 0:n-1 { A(i,j) = A(i-1,j+1) + 1 } } }\n";
  Transcript t;
  t.say(world + program);
  const auto listed = t.run("orders wave\n").last("orders");
  CHECK(listed["orders"][0]["legal"] == true);
  CHECK(listed["orders"][1]["reason"] == "would change the result: it reads A(i - 1,j + 1) after A(i,j) is written");
  CHECK(t.run("why wave: i j\n").last("why")["legal"] == true);
  const auto why = t.run("why wave: j i\n").last("why");
  CHECK(why["legal"] == false);
  CHECK(why["instance"]["read"] == "A");
  CHECK(why["extent"]["violations"] == 1);
  CHECK(why["extent"]["reads"] == 4);
  CHECK(why["fixes"][0]["command"] == "order i j");
  CHECK(why["fixes"][1]["command"] == "order j- i");
  CHECK(t.run("fix 2\nrun\ncheck\n").ok());
  CHECK(t.say("show loops wave").output.find("for j down in 0:n - 1 {") != std::string::npos);

  const auto refused = Transcript().run(world + program + "kernel wave { order j i }\nrun\n");
  CHECK_FALSE(refused.ok());
  Transcript other;
  other.say(world + "loops { for i in 1:n, j in 0:n-1 { A(i,j) = A(i-1,j+1) + 1 } }\norder j i\n");
  CHECK(other.say("run").codes == "E0140");
  CHECK(other.run("fix 1\nrun\ncheck\n").ok());
}

TEST_CASE("an order concerns each nest that has its loops, and no reduction's") {
  const std::string world = "param n = 4; tensor A(n, n): i64; tensor x(n): i64; tensor s: i64\n";
  Transcript t;
  t.say(world +
        "kernel two { loops { for i, j { A(i,j) = i + j }; for j, i { x(j) += A(i,j) } } }; kernel sums { loops { for "
        "i { x(i) = sum(j)(A(i,j)) } } }\n");
  CHECK(t.run("orders two\n").last("orders")["total"] == 2);
  CHECK(t.run("orders two down\n").last("orders")["total"] == 8);
  CHECK(t.run("orders sums\n").last("orders")["total"] == 1);
  CHECK(t.say("why sums: i j").codes == "E0608");
  CHECK(t.say("why two: j z").codes == "E0608");
  CHECK(Transcript().run("tensor s: i64; loops { s = 1 }\norders\n").last("orders")["total"] == 1);
}

TEST_CASE("what data decides is refused without counting it") {
  Transcript t;
  t.say(
      "param n = 4; tensor p(n): i64; tensor x(n): i64; tensor y(n, n): i64\n"
      "kernel data { loops { for i in 1:n, j in 0:n-1 { if p(i) > 0 { y(i,j) = y(i-1,j+1) + 1 } } } }; kernel scatter "
      "{ loops { for i, j in 0:n { x(p(i)) = j } } }\n");
  const auto why = t.run("why data: j i\n").last("why");
  CHECK(why["legal"] == false);
  CHECK_FALSE(why.contains("extent"));
  CHECK(t.run("why scatter: j i\n").last("why")["legal"] == false);
}

TEST_CASE("suggest and diff compare schedules of loop programs") {
  Transcript t;
  t.say(
      "param n = 600; tensor A(n, n); tensor B(n, n); tensor C(n, n)\n"
      "kernel product { loops { for i, j { C(i,j) = 0; for k { C(i,j) += A(i,k) * B(k,j) } } } }\n");
  const auto suggested = t.run("suggest product\n").last("suggest");
  CHECK(suggested["order"] == nlohmann::json{"i", "j", "k"});
  bool orders = false;
  for (const auto& s : suggested["suggestions"]) orders |= s["command"] == "order i k j";
  CHECK(orders);
  const auto differed = t.run("diff \"i j k\" \"i k j\" kernel product\n").last("diff");
  CHECK(differed["same"] == false);
  CHECK(differed["left"]["cost"] > differed["right"]["cost"]);
  CHECK(t.say("diff \"i j k\" \"i z k\" kernel product").codes == "E0320");
}

TEST_CASE("two nests in opposite orders stand in none that is listed, and that is said") {
  Transcript t;
  const std::string opposite =
      "param n = 4; tensor b(n,n); tensor d(n,n)\n"
      "loops { for i in 1:n, j in 0:n-1 { b(i,j) = b(i-1,j+1) + 1 }\n"
      "        for j in 1:n, i in 0:n-1 { d(i,j) = d(i+1,j-1) + 1 } }\n";
  const auto answer = t.say(opposite + "orders\n");
  CHECK(
      answer.output.ends_with("0 of 2 orders are legal\n"
                              "as they were written, the loops stand in none of these: j is inside i in one place, and "
                              "around it in another\n"));
  CHECK(answer.last("orders")["both_ways"] == nlohmann::ordered_json({"i", "j"}));
  CHECK(Transcript().say(prefix + "orders\n").last("orders").contains("both_ways") == false);
}

TEST_CASE("an execution of loops says that it is one") {
  Transcript t;
  CHECK(t.say(prefix + "step\n").output.starts_with("step 1 of 4    loops"));
}

TEST_CASE(
    "loops for which no order is asked are legal as they are written, whatever an order of their names would do") {
  Transcript t;
  t.run(
      "param n = 4; tensor x(n): i64; tensor y(n): i64; fill_with x [1, 2, 3, 4]\n"
      "loops { for i { y(i) = x(i) }; for k in 1:n { y(k) += y(k-1) }; for i down { y(i) *= y(0) } }\n");
  CHECK(t.run("why\n").last("why")["legal"] == true);
  CHECK(t.run("why i k\n").last("why")["legal"] == false);
  CHECK_FALSE(t.run("orders\n").last("orders").contains("in_force"));
}
