#include <doctest/doctest.h>

#include "engine/check/reference.hpp"
#include "tests/place/kernels.hpp"
#include "tests/place/sources.hpp"

using namespace trellis;
using namespace trellis::place;

namespace {

std::string point(const text::Point& p) {
  std::string out;
  for (const auto& [name, value] : p) out += (out.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return out;
}

/// "V(1,1) at i=0 j=2 k=1, written at i=1 j=1, with s=2 m=3"
std::string instance(const Failure& f) {
  std::string element;
  for (std::int64_t e : f.instance.element) element += (element.empty() ? "" : ",") + std::to_string(e);
  return f.instance.read + "(" + element + ") at " + point(f.instance.at) + ", written at " +
         point(f.instance.written_at) + ", with " + point(f.instance.sizes);
}

}  // namespace

TEST_CASE("a failure names the smallest instance") {
  Failure f = failure(back_substitution, "i j");
  CHECK(f.reason == "reads x before it is computed");
  CHECK(f.need == "needs all of x(i+1:)");
  CHECK(f.loop == "i");
  CHECK(f.fault == "computes x(i) before x(i+1)");
  CHECK(instance(f) == "x(1) at i=0 j=1, written at i=1, with n=2");
  f = failure(viterbi, "i j k");
  CHECK(f.reason == "reads V before it is computed");
  CHECK(f.need == "needs all of column j-1");
  CHECK(f.fault == "finishes row i before it starts row i+1");
  CHECK(instance(f) == "V(1,1) at i=0 j=2 k=1, written at i=1 j=1, with s=2 m=3");
}

TEST_CASE("a reduction that is used before it is complete is a chain of two") {
  Failure f = failure(viterbi, "k j i");
  CHECK(f.reason == "needs the whole max in V(i,j) before it is complete");
  CHECK(f.need == "V(i,j) needs the whole of it");
  CHECK(f.fault == "each max is complete only after its last k");
  CHECK(f.instance.read == "V");
}

TEST_CASE("instances hold when the equations are evaluated") {
  for (const auto& [source, order] : {std::pair{back_substitution, "i j"},
                                      {viterbi, "i j k"},
                                      {viterbi, "k j i"},
                                      {viterbi, "k i j"},
                                      {prefix_sum, "i-"},
                                      {interval, "i j k"},
                                      {interval, "k i j"}}) {
    CAPTURE(source);
    CAPTURE(order);
    const Analysis analysis = analysed(source);
    CHECK(check::confirms(analysis.program, analysis.kernel, failure(source, order).instance));
  }
}

TEST_CASE("a loop that the order does not list is missed only when no other can take its place") {
  CHECK(nest(lower_solve, "i j") != "");
  Failure f = failure(cholesky, "j k");
  CHECK(f.kind == Failure::Kind::unlisted);
  CHECK(f.reason == "lists no loop for i, and no other loop can take its place");
}

TEST_CASE("sweeps both ways need two names") {
  const std::string both =
      "tensor a(n); tensor x(n); tensor y(n)\n"
      "x(0) = a(0)\nx(i) = x(i-1) + a(i) : 1 <= i\n"
      "y(n-1) = x(n-1)\ny(i) = y(i+1) + x(i) : i < n-1\n";
  CHECK(failure(both, "i").kind == Failure::Kind::direction);
  CHECK(failure(both, "i-").reason ==
        "needs loop i both ways: x upwards, y downwards; give i another name in one of them");
}

TEST_CASE("no legal order: both lines, and an index of its own for one of them") {
  const auto report = [](const std::string& source) {
    text::Diagnostics found;
    const Analysis analysis = analysed(source);
    order_for(analysis, {}, found);
    REQUIRE(found.all().size() == 1);
    return found.all()[0];
  };
  const text::Diagnostic sweeps = report(
      "tensor a(n); tensor x(n); tensor y(n)\n"
      "x(0) = a(0)\nx(i) = x(i-1) + a(i) : 1 <= i\n"
      "y(n-1) = x(n-1)\ny(i) = y(i+1) + x(i) : i < n-1\n");
  CHECK(sweeps.code == "E0105");
  CHECK(sweeps.message == "no loop order of kernel main is legal: it needs loop i both ways");
  CHECK(sweeps.label == "y needs it downwards");
  CHECK(sweeps.notes.at(0).message == "x needs it upwards");
  CHECK(sweeps.fixes.at(0).command == "y(j) = y(j+1) + x(j) : j < n - 1");
  const text::Diagnostic crossed =
      report("tensor V(n, n)\nV(i,j) = (1 <= i && j < n-2 ? V(i-1,j+2) : 1) + (i < n-2 && 1 <= j ? V(i+2,j-1) : 1)\n");
  CHECK(crossed.fixes.empty());
  CHECK(crossed.notes.at(0).message == "`orders down` says why, order by order");
}
