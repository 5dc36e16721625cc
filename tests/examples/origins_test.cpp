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

constexpr const char* sparse_program = R"(
param n = 5
tensor A(n, n): dcsr
tensor B(n, n): dcsr
tensor C(n, n): csr
C(i,j) = A(i,j) + B(i,j)
order i j
)";

void check_origins(const std::string& source, const char* stage) {
  CAPTURE(stage);
  session::Session session({});
  int shown = 0;
  session.feed("program", source + "show " + stage + "\n", [&](const session::Reply& reply) {
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
  CHECK(shown > 3);
}

}  // namespace

TEST_CASE("every span of every stage names its origins") {
  for (const char* stage : {"equations", "fragments", "graph", "placement", "loops", "cfir", "c"}) check_origins(program, stage);
  for (const char* stage : {"algebra", "lattice", "cfir", "c"}) check_origins(sparse_program, stage);
}

}  // namespace trellis::testing
