#include <doctest/doctest.h>

#include "tests/place/kernels.hpp"
#include "tests/place/sources.hpp"

using namespace trellis::place;

namespace {

/// "x(i) > x(i-1)": the edge from an access that writes to one that reads.
bool meets(const std::string& source, const std::string& from, const std::string& to) {
  const Analysis analysis = analysed(source);
  for (const GraphEdge& e : analysis.graph.edges) {
    const auto label = [&](int node) { return analysis.graph.nodes[static_cast<std::size_t>(node)].label; };
    if (label(e.from) == from && label(e.to) == to) return e.exact;
  }
  FAIL("no edge from ", from, " to ", to);
  return false;
}

}  // namespace

TEST_CASE("an edge is exact when that very read meets a write") {
  const std::string halves = "tensor x(2*n)\nx(i) = x(i-1) + x(i+n) : 1 <= i < n";
  CHECK(meets(halves, "x(i)", "x(i-1)"));
  CHECK(!meets(halves, "x(i)", "x(i+n)"));
  CHECK(meets(back_substitution, "x(i)", "x(j)"));
}
