// core, diff.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "engine/explore/diff.hpp"
#include "engine/place/core.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

const std::string compared =
    "param n = 50; tensor A(n, n); tensor B(n, n)\nC(i,j) = sum(k)(A(i,k) * B(k,j))\norder i j k\n";
const std::string alignment = R"(tensor S(4, 5)
H(i,0) = 0 - i
H(0,j) = 0 - j : 1 <= j
H(i,j) = max(H(i-1,j-1) + S(i,j), H(i-1,j) - 1, H(i,j-1) - 1) : 1 <= i, 1 <= j
tensor H(4, 5)
)";

}  // namespace

TEST_CASE("core names a minimal set of dependences that forbids an order") {
  Transcript t;
  t.say(alignment);
  CHECK(t.say("core i j").output == "✓ order i j is legal\n");
  const auto answer = t.say("core i j-");
  CHECK(answer.ok());
  const auto json = answer.last("core");
  CHECK(json["legal"] == false);
  CHECK(json["descending"] == nlohmann::json{"j"});
  REQUIRE(json["core"].size() == 1);
  CHECK(json["core"][0]["read"] == "H(i,j-1)");
  CHECK(json["core"][0]["line"] == 4);
  CHECK(json["core"][0]["instance"]["read"] == "H");
  CHECK(answer.output.find("H(i,j-1) in line 4 reads what line") != std::string::npos);
  CHECK(t.say("core main: i j-").ok());
  CHECK(t.say("core i q").codes == "E0608");
}

TEST_CASE("every core is illegal by itself, and legal without any of its dependences") {
  for (const std::string& program :
       {alignment,
        std::string("param n = 4; tensor P(n, n); tensor first(n); tensor V(n, 4)\nV(i,0) = first(i)\n"
                    "V(i,j) = max(k)(V(k,j-1) * P(k,i)) : 1 <= j\n"),
        std::string("param n = 4; tensor A(n, n)\nL(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k))) / L(j,j) : k < j < i\n"
                    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n")}) {
    Transcript t;
    t.say(program);
    auto& state = t.session().state();
    text::Diagnostics diagnostics;
    const lang::Kernel* kernel = state.kernel({}, {}, diagnostics);
    REQUIRE(kernel);
    const auto analysis = state.analysis(*kernel, diagnostics);
    REQUIRE(analysis);
    int illegal = 0;
    explore::walk_orders(session::order_of(*kernel, *analysis), explore::Directions::both,
                         [&](const lang::Order& order, int distance) {
                           const std::string name = lang::to_string(order);
                           CAPTURE(name);
                           const auto core = place::core(*analysis, order);
                           CHECK(core.empty() == place::is_legal(*analysis, order));
                           for (std::size_t k = 0; k < core.size(); ++k) {
                             auto fewer = core;
                             fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
                             CHECK(place::is_legal_under(*analysis, order, fewer));
                           }
                           if (!core.empty()) CHECK(!place::is_legal_under(*analysis, order, core));
                           illegal += !core.empty();
                           return distance < 3 && illegal < 8;
                         });
    CHECK(illegal > 0);
  }
}

TEST_CASE("an order with too few loops is illegal whatever is read") {
  Transcript t;
  t.say(compared);
  CHECK(t.say("core i").output.find("too few loops") != std::string::npos);
}

TEST_CASE("texts are compared line by line") {
  CHECK(explore::unified_diff("a\nb\n", "a\nb\n").empty());
  CHECK(explore::unified_diff("", "").empty());
  CHECK(explore::unified_diff("a\nb\nc\n", "a\nx\nc\n") == "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
  CHECK(explore::unified_diff("", "a\n") == "@@ -1,0 +1,1 @@\n+a\n");
  CHECK(explore::unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n11\n") ==
        "@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-10\n+11\n");
  const std::string far = explore::unified_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "x\n1\n2\n3\n4\n5\n6\n7\ny\n");
  CHECK(far == "@@ -1,4 +1,4 @@\n-a\n+x\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+y\n");
}

TEST_CASE("diff compares orders, snapshots and the present state") {
  Transcript t;
  t.say(compared);
  const auto orders = t.say("diff \"i j k\" \"k i j\"");
  CHECK(orders.ok());
  CHECK(orders.output.find("--- i j k\n+++ k i j\n@@ ") == 0);
  CHECK(orders.output.find("\n-") != std::string::npos);
  CHECK(orders.output.find("\nestimated time ") != std::string::npos);
  CHECK(orders.last("diff")["left"]["name"] == "i j k");
  const auto sides = orders.last("diff");
  CHECK(std::min(sides["left"]["cost"].get<double>(), sides["right"]["cost"].get<double>()) == 1);
  CHECK(t.say("diff \"i j k\"").last("diff")["same"] == true);
  t.say("snapshot before\norder i k j");
  CHECK(t.say("diff before").last("diff")["right"]["name"] == "now");
  CHECK(t.say("diff before").last("diff")["same"] == false);
  t.say("snapshot after");
  CHECK(t.say("diff before after c").output.find("for (") != std::string::npos);
  CHECK(t.say("diff after").output.find("the loops are the same") != std::string::npos);
  CHECK(t.say("diff \"i j k; parallel i\" \"i j k\"").output.find("parallel") != std::string::npos);
  CHECK(t.say("show schedule").output == "order i k j\n");
}

TEST_CASE("diff says what it cannot compare") {
  Transcript t;
  t.say(compared);
  CHECK(t.say("diff").codes == "E0601");
  CHECK(t.say("diff nothing").codes == "E0620");
  CHECK(t.say("diff \"i z\"").codes == "E0320");
  CHECK(t.say("diff \"i j k\" \"i k j\" \"k j i\"").codes == "E0601");
  Transcript solve;
  solve.say("param n = 4; tensor L(n, n); tensor b(n)\nx(i) = b(i) - sum(j)(L(i,j) * x(j)) : j < i\n");
  CHECK(solve.say("diff \"i j\" \"i- j\"").codes.find("E0101") != std::string::npos);
}
