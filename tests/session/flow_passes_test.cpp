// `show flow`: as it is compiled, after one pass, and what each pass changed.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "engine/session/typing/complete.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {
namespace {

const std::string product_of_rows =
    "param n = 3\ntensor A(n, n): csr\ntensor x(n)\nrandom A seed 1\nrandom x seed 2\ny(i) = A(i,j) * x(j)\n";

}  // namespace

TEST_CASE("show flow each says what each pass changed, with its reason") {
  Transcript t;
  const Answer answer = t.say(product_of_rows + "show flow each");
  REQUIRE(answer.ok());
  CHECK(answer.output.starts_with("# nothing is changed by share_positions known_ends forward_appends"));
  CHECK(contains(answer.output, "# carry_positions: the next row begins where this one ends\n@@ -"));
  CHECK(contains(answer.output, "\n-loop i in 0:n\n"));
  CHECK(contains(answer.output, "\n+loop i in 0:n carries pA at A.2\n"));
  const auto json = answer.last("show");
  CHECK(json["stage"] == "passes");
  int changed = 0;
  for (const auto& pass : json["passes"]) {
    CHECK(pass["reason"] != "");
    CHECK(pass["lines"].empty() == !pass["changed"].get<bool>());
    changed += pass["changed"].get<bool>();
  }
  CHECK(changed >= 4);
}

TEST_CASE("show flow after a pass, and the flow as it is compiled") {
  Transcript t;
  t.say(product_of_rows);
  CHECK(!contains(t.say("show flow after promote_accumulators").output, "carries"));
  CHECK(contains(t.say("show flow after carry_positions").output, "loop i in 0:n carries pA at A.2\n"));
  const std::string compiled = t.say("show flow").output;
  CHECK(t.say("show flow after run_in_vectors main").output == compiled);
  CHECK(t.say("show cfir").output == compiled);  // its name until now
  const Answer wrong = t.say("show flow after carry_position");
  CHECK(wrong.codes == "E0603");
  CHECK(contains(wrong.messages(), "did you mean `carry_positions`?"));
  CHECK(t.say("show flow after").codes == "E0601");
}

TEST_CASE("completion: passes after `show flow after`") {
  Transcript t;
  t.say(product_of_rows);
  const auto offered = [&](const std::string& text) {
    return session::complete(t.session().state(), text, text.size()).words;
  };
  CHECK(offered("show flow ") == std::vector<std::string>{"after", "each", "main"});
  CHECK(offered("show flow after carry_p") == std::vector<std::string>{"carry_positions"});
  CHECK(offered("show loops a").empty());
}

}  // namespace trellis::testing
