// Every node of every stage comes from somewhere: each span of what `show` prints names its origins, down to the source.
#include <doctest/doctest.h>

#include <set>

#include "engine/trellis.hpp"

namespace trellis::testing {
namespace {

constexpr const char* program = R"(
param n = 5
tensor A(n, n)
tensor L(n, n)
tensor p(n): i64
random A seed 1 spd
L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i
L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i
p(i) = argmin(j)(A(i,j))
order j k i
)";

}  // namespace

TEST_CASE("every span of every stage names its origins") {
  for (const char* stage : {"equations", "fragments", "graph", "placement", "loops", "cfir", "c"}) {
    CAPTURE(stage);
    session::Session session({});
    int shown = 0;
    session.feed("program", std::string(program) + "show " + stage + "\n", [&](const session::Reply& reply) {
      const auto* result = std::get_if<session::Shown>(&reply.result);
      if (!result) return;
      for (const text::TextSpan& span : result->text.spans) {
        const std::string what = result->text.characters.substr(span.begin, span.end - span.begin);
        CAPTURE(what);
        CHECK(!span.origin.empty());
        CHECK(span.end <= result->text.characters.size());
        for (const text::NodeId& origin : span.origin) CHECK(origin.stage < span.node.stage);
        ++shown;
      }
    });
    CHECK(shown > 5);
  }
}

}  // namespace trellis::testing
