// The certificate finds what a wrong transformation does, whoever made it.

#include "engine/schedule/certificate.hpp"
#include "tests/schedule/steps.hpp"

using namespace trellis;
using namespace trellis::schedule;
using trellis::schedule::testing::nest;

namespace {

/// What is wrong with running the second nest for the first, whose statements have the same numbers; or "certified".
std::string judge(const std::string& before, const std::string& after, const Moves& moves = {}) {
  math::Solver& solver = loop::testing::solver();
  const auto proof = certify(analyse(nest(before), {}, solver), nest(after), moves, solver);
  if (const auto* broken = std::get_if<Broken>(&proof))
    return broken->what.substr(broken->what.find(' ', broken->what.find("statement ") + 10) + 1);
  return std::holds_alternative<Violation>(proof) ? "violated" : "certified";
}

const std::string scan = "for i in 1:n {\n  x(i) = x(i-1)\n}\n";

}  // namespace

TEST_CASE("a nest is certified to do what itself does") { CHECK(judge(scan, scan) == "certified"); }

TEST_CASE("the certificate catches a reversed loop") {
  CHECK(judge(scan, "for i down in 1:n {\n  x(i) = x(i-1)\n}\n") == "violated");
}

TEST_CASE("the certificate catches lost, repeated and invented iterations") {
  CHECK(judge("for i in 0:n {\n  x(i) = 0\n}\n", "for i in 1:n {\n  x(i) = 0\n}\n") == "does not run");
  CHECK(judge("for i in 1:n {\n  x(i) = 0\n}\n", "for i in 0:n {\n  x(i) = 0\n}\n") == "runs where it did not");
  CHECK(judge("x(0) = 1\n", "x(0) = 2\n") == "certified");  // values are the transformation's own
  CHECK(judge("x(0) = 1\n", "x(1) = 1\n") == "touches something else");
}

TEST_CASE("the certificate catches a wrong split") {
  const std::string before = "for i in 0:n {\n  x(i) = 0\n}\n";
  const auto split = [](const std::string& bound) {
    return "for i in 0:(n+1)/2 {\n  for j in 0:" + bound + " {\n    x(2*i + j) = 0\n  }\n}\n";
  };
  const auto tagged = [&](const std::string& bound) {
    math::Solver& solver = loop::testing::solver();
    const loop::Stmt old = nest(before), now = nest(split(bound));
    const int assign = sites(old).front().statement, moved = sites(now).front().statement;
    const Moves moves{{moved, {{"i", 2 * math::Affine::name("i") + math::Affine::name("j")}}}};
    Nest analysed = analyse(old, {}, solver);
    analysed.sites.front().statement = moved;
    CHECK(assign != moved);
    const auto proof = certify(analysed, now, moves, solver);
    return std::holds_alternative<Certificate>(proof);
  };
  CHECK(tagged("min(2, n - 2*i)"));
  CHECK_FALSE(tagged("2"));                // beyond the end when n is odd
  CHECK_FALSE(tagged("min(3, n - 2*i)"));  // twice
  CHECK_FALSE(tagged("min(1, n - 2*i)"));  // every other one is lost
}
