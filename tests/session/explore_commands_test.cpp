// show, orders, why, fix, order, parallel.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/environment.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Answer;
using testing::contains;
using testing::Environment;
using testing::Transcript;

namespace {

const std::string viterbi = R"(
param n = 3; param m = 3
tensor start(n); tensor A(n, n); tensor B(n, m)
V(i, 0) = start(i)
V(i, j) = max(k)(V(k, j-1) * A(k, i) * B(i, j)) : 1 <= j
)";

const std::string back_substitution = R"(
param n = 3
tensor L(n, n); tensor b(n)
kernel back { x(i) = b(i) - sum(k)(L(k, i) * x(k)) : k > i; order i- k }
kernel double { z(i) = 2 * x(i) }
)";

}  // namespace

TEST_CASE("orders lists each order with its verdict") {
  Transcript t;
  t.say(viterbi);
  const auto answer = t.say("orders");
  const auto json = answer.last("orders");
  CHECK(json["total"] == 6);
  CHECK(json["listed"] == 6);
  int legal = 0;
  for (const auto& order : json["orders"]) {
    CHECK(order["order"].size() == 3);
    CHECK(order["descending"].empty());
    CHECK(order["legal"].get<bool>() == order["reason"].is_null());
    CHECK(order["median_ms"].is_null());
    CHECK(order["legal"].get<bool>() == order["cost"].is_number());
    legal += order["legal"].get<bool>() ? 1 : 0;
  }
  CHECK(legal == 2);
  CHECK(json["orders"][0]["legal"] == true);
  CHECK(json["orders"][0]["cost"] == 1);
  CHECK(json["orders"][2]["legal"] == false);
  CHECK(answer.output.find("  in force\n") != std::string::npos);
  CHECK(answer.output.find("2 of 6 orders are legal") != std::string::npos);
  CHECK(answer.output.find("✓ j i k") != std::string::npos);
  CHECK(answer.output.find("✗ i j k") != std::string::npos);
  CHECK(t.say("orders down").last("orders")["total"] == 48);
  CHECK(t.say("orders up").codes == "E0605");
}

TEST_CASE("why names the instance, the extent and legal orders") {
  Transcript t;
  t.say(viterbi);
  const auto answer = t.say("why i j k");
  CHECK(answer.ok());
  const auto json = answer.last("why");
  CHECK(json["order"] == nlohmann::json{"i", "j", "k"});
  CHECK(json["legal"] == false);
  CHECK(json["instance"]["read"] == "V");
  CHECK(json["instance"]["at"].contains("i"));
  CHECK(json["instance"]["element"].size() == 2);
  CHECK(json["instance"]["written_at"].contains("i"));
  CHECK(json["extent"]["violations"].get<int>() > 0);
  CHECK(json["extent"]["violations"] <= json["extent"]["reads"]);
  CHECK(json["fixes"].at(0)["command"].get<std::string>().substr(0, 6) == "order ");
  CHECK(json["fixes"].at(0)["swaps"].get<int>() >= 1);
  CHECK(t.say("why j k i").output == "✓ order j k i is legal\n");
  CHECK(t.say("why j k i").last("why")["legal"] == true);
  CHECK(t.say("why i q").codes == "E0608");
  CHECK(t.say("why 3").codes == "E0601");
}

TEST_CASE("an illegal order is an error with fixes, and fix applies one") {
  Transcript t;
  t.say(viterbi + "order i j k");
  const auto refused = t.say("run");
  CHECK(refused.exit == session::Exit::wrong_program);
  CHECK(refused.codes.find("E0101") != std::string::npos);
  CHECK(refused.last("run")["diagnostics"].back()["fixes"].size() >= 1);
  const auto fixed = t.say("fix 1");
  CHECK(fixed.ok());
  CHECK(fixed.last("fix")["applied"].get<std::string>().substr(0, 6) == "order ");
  CHECK(t.say("run\ncheck").ok());
  CHECK(t.say("fix 1").codes == "E0609");
}

TEST_CASE("fix applies to the kernel that the error was about") {
  Transcript t;
  t.say(back_substitution);
  CHECK(t.say("why back: i k").last("why")["legal"] == false);
  CHECK(t.say("fix 9").codes == "E0609");
  const auto fixed = t.say("fix 1");
  CHECK(fixed.last("fix")["kernel"] == "back");
  const std::string applied = fixed.last("fix")["applied"];
  CHECK(t.say("show schedule back").output == applied + "\n");
  CHECK(t.say("show schedule double").output.find("chosen by the compiler") != std::string::npos);
  CHECK(t.say("run\ncheck").ok());
}

TEST_CASE("a fix that leaves the program wrong is refused, like the same typed") {
  Transcript t;
  t.say("param n = 4; tensor reach(n, n)");
  CHECK(t.say("reach(i,j) = R(rounds,i,j) ? 1 : 0").codes == "E0305");
  CHECK(contains(t.say("fix 1").codes, "E0201"));  // there is no R
  CHECK(t.say("x(i) = 2 * i : 0 <= i < 3\nrun\nprint x").ok());
}

TEST_CASE("why without a kernel is about the one whose indices these are") {
  Transcript t;
  t.say(
      "param n = 4; tensor A(n, n); tensor b(n); tensor y(n); tensor z(n); tensor W(n, n)\n"
      "kernel first { y(p) = b(p) }\n"
      "kernel wave { W(i,j) = W(i-1,j+1) + A(i,j) : 1 <= i, j < n-1 }\n"
      "kernel last { z(q) = 2*b(q) }");
  const auto illegal = t.say("why j i");
  CHECK(illegal.last("why")["legal"] == false);
  CHECK(!contains(illegal.codes, "N0604"));
  CHECK(t.say("core j i").last("core")["kernel"] == "wave");
  t.say("why j i");
  CHECK(t.say("fix 1").last("fix")["kernel"] == "wave");
  CHECK(t.say("why p").output == "✓ order p is legal\n");
  CHECK(contains(t.say("why p q").messages(), "the indices are: q"));
}

TEST_CASE("why says which of several kernels with the same indices it is about, and how to name the others") {
  Transcript t;
  t.say(
      "param n = 4; tensor A(n, n); tensor B(n, n); tensor C(n, n); tensor s(n); tensor d(n)\n"
      "kernel up { B(i,j) = A(i,j) + 1 }\nkernel down { C(i,j) = A(i,j) - 1 }\nkernel sum { s(i) = sum(j)(A(i,j)) }");
  const auto answer = t.say("why j i");
  CHECK(answer.codes == "N0604");
  CHECK(contains(answer.messages(), "this is about kernel sum"));
  CHECK(contains(answer.messages(), "`why up: j i`, `why down: j i`"));
  CHECK(t.say("why up: j i").codes.empty());
  t.say("kernel one { d(i) = A(i,0) }");
  CHECK(t.say("why i").codes.empty());  // the others have a loop more
}

TEST_CASE("a size that is missing can be given by fix") {
  Transcript t;
  CHECK(t.say("tensor x(n)\ny(i) = x(i)\nrun").codes.find("E0602") != std::string::npos);
  CHECK(t.say("fix 1\nrun").ok());
  CHECK(t.value("y") == "[0 0 0 0 0]");
}

TEST_CASE("a read outside the tensor offers the equation restricted, and fix puts it in its place") {
  Transcript t;
  const auto refused =
      t.say("param n = 4; tensor b(n); tensor x(n)\nfill_with b [1, 2, 3, 4]\nx(i) = b(i-1) + b(i+1)\nrun");
  CHECK(refused.codes == "E0104");  // of both reads
  REQUIRE(t.say("fix 1\nrun\ncheck").ok());
  CHECK(t.value("x") == "[0 4 6 0]");
  CHECK(t.say("tensor y(n)\ny(i) = sum(j)(b(i+j) * b(j))\nrun").codes.find("E0104") != std::string::npos);
  const auto fixed = t.say("fix 1");
  CHECK(fixed.last("fix")["applied"].get<std::string>().find(" : i + j < n") != std::string::npos);
  REQUIRE(t.say("run\ncheck").ok());
  CHECK(t.value("y") == "[30 20 11 4]");
}

TEST_CASE("an order of the command line is shown where it was written") {
  session::Options options;
  options.orders["main"] = *lang::parse_order("i j k");
  Transcript t(options);
  t.say(viterbi);
  const auto answer = t.say("run");
  const auto diagnostic = answer.last("run")["diagnostics"].back();
  CHECK(diagnostic["code"] == "E0101");
  CHECK(text::render(answer.replies.back().diagnostics.all().back(), t.session().sources(), text::Colour::off)
            .find("--set main.order=i j k\n") != std::string::npos);
}

TEST_CASE("show storage says what loops go along, and how results come to be stored") {
  Transcript t;
  t.say("param n = 6; tensor A(n, n): csr; tensor x(n); tensor y(n); tensor C(n, n): csr\nrandom A; random x");
  CHECK(t.say("y(i) = A(i,j) * x(j)\nshow storage").output ==
        "for i: every coordinate\n  for j: goes along A(i,j)\n"
        "y: dense, written where it stands\n");
  const auto product = t.say("kernel product { C(i,j) = A(i,k) * A(k,j)\norder i k j }\nshow storage product").output;
  CHECK(product.find("for k: goes along A(i,k)") != std::string::npos);
  CHECK(product.find("C: each C(i,:) is collected in ") != std::string::npos);
  CHECK(t.say("show storag").messages().find("did you mean `storage`?") != std::string::npos);
}

TEST_CASE("show prints each stage, with spans") {
  Transcript t;
  t.say(viterbi + "order j i k");
  for (const char* stage : {"equations", "fragments", "graph", "placement", "loops", "algebra", "lattice", "flow", "c",
                            "cost", "schedule", "storage", "memory"}) {
    CAPTURE(stage);
    const auto answer = t.say(std::string("show ") + stage);
    CHECK(answer.ok());
    CHECK(answer.output.size() > 10);
    CHECK(answer.output.back() == '\n');
    const auto json = answer.last("show");
    CHECK(json["stage"] == stage);
    CHECK(json["text"].get<std::string>().size() > 10);
    CHECK(json["spans"].is_array());
  }
  CHECK(t.say("show graph").last("show")["model"].contains("nodes"));
  CHECK(t.say("show graph").last("show")["model"].contains("edges"));
  CHECK(t.say("show placement").last("show")["model"]["events"].size() > 3);
  CHECK(t.say("show schedule").output == "order j i k\n");
  CHECK(t.say("show loop").messages().find("did you mean `loops`?") != std::string::npos);
  CHECK(t.say("show c nowhere").codes == "E0605");
  CHECK(t.say("tensor T(3)\nshow storage T").messages().find("`show formats T`") != std::string::npos);
}

TEST_CASE("show asm prints machine code with its lines of C, or what is missing for it") {
  Transcript t;
  t.say("tensor a(4); tensor b(4)\nkernel half { h(i) = a(i) / b(i) }\nkernel first { f = a(0) }");
  const Answer answer = t.say("show asm half");
  REQUIRE(answer.ok());
  const std::size_t line = answer.output.find("#     h[i] = a[i] / b[i];\n"),
                    division = answer.output.find("div", line + 30);
  CHECK(answer.output.starts_with("half:\n"));
  CHECK(line != std::string::npos);
  CHECK(division != std::string::npos);
  const auto json = answer.last("show");
  CHECK(json["stage"] == "asm");
  CHECK(json["kernel"] == "half");
  CHECK(json["spans"].size() > 3);

  CHECK(t.say("show asm thirds").codes == "E0605");
  CHECK(t.say("show asm half first").codes == "E0601");
  {
    const Environment absent("OBJDUMP", "no-such-objdump");
    const Answer refused = t.say("show asm half");
    CHECK(refused.codes == "E0507");
    CHECK(contains(refused.messages(), "no machine code of half"));
    CHECK(contains(refused.messages(), "install binutils"));
  }
  const Environment absent("CC", "no-such-cc");
  const Answer refused = t.say("show asm half");
  CHECK(refused.codes == "E0507");
  CHECK(contains(refused.messages(), "`no-such-cc` could not be started"));
}

TEST_CASE("show placement explains an illegal order too") {
  Transcript t;
  t.say(viterbi + "order i j k");
  const auto answer = t.say("show placement");
  CHECK(answer.ok());
  CHECK(answer.last("show")["model"]["certificate"].is_null());
  CHECK(answer.last("show")["model"]["events"].size() > 0);
  CHECK(t.say("show loops").codes.find("E0101") != std::string::npos);
}

TEST_CASE("parallel runs a loop that carries nothing, and is refused where it carries") {
  const std::string scan = "param n = 3; tensor b(n)\nx(0) = b(0)\nx(i) = x(i-1) + b(i) : 1 <= i\norder i\n";
  CHECK(Transcript()
            .run("tensor x(5); fill_with x [1, 2, 3, 4, 5]\ny(i) = 2 * x(i)\norder i; parallel i\nrun native threads "
                 "2\ncheck")
            .ok());
  CHECK(Transcript().run(scan + "parallel i\nrun").codes.find("E0107") != std::string::npos);
}

TEST_CASE("schedule commands answer only when something is wrong") {
  Transcript t;
  CHECK(t.say(viterbi + "order j i k").replies.empty());
  CHECK(t.say("order j i z").codes == "E0320");
  CHECK(t.say("show schedule").output == "order j i k\n");
}
