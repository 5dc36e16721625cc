// What ranks want of what goes through sparse operands: counted beforehand, and what threads then send.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/distribute/print.hpp"
#include "engine/distribute/wants.hpp"
#include "engine/session/running/needed_through.hpp"
#include "tests/distribute/filled.hpp"
#include "tests/distribute/on_threads.hpp"

using namespace trellis;
using namespace trellis::distribute;
using namespace trellis::distribute::testing;

namespace {

/// On so many ranks, each operand with one element in `each`: how many exchanges sent less than their sections have.
int foretold(const std::string& source, std::vector<std::int64_t> grid, std::int64_t each, bool by_a = false) {
  CAPTURE(source);
  const Made m = made(source);
  REQUIRE_MESSAGE(m.plan, m.errors);
  const Numbers sizes{{"n", 13}, {"m", 4}};
  const Plan& plan = *m.compilation->distributed;
  loop::Bindings bindings = filled(m, sizes);
  scatter(m, bindings, each);
  text::Diagnostics diagnostics;
  const auto of_rank = session::compiled_for_ranks(*m.compilation, diagnostics);
  REQUIRE(of_rank);
  auto cuts = cut(plan, std::move(grid), sizes, [&](const Partition&, std::int64_t parts) {
    const bool weighs = by_a && bindings.tensors.contains("A");
    return weighs ? std::optional(weighted_cuts(weights_of(bindings.tensors.at("A"), 0), parts)) : std::nullopt;
  });
  REQUIRE(cuts);
  std::map<std::pair<std::string, std::size_t>, Pattern> patterns;
  cuts->wants = session::wants_through(plan, *cuts, *of_rank, false, [&](const std::string& name, std::size_t along) {
    return &(patterns[{name, along}] = pattern_of(bindings.tensors.at(name), along));
  });
  REQUIRE(cuts->wants);
  const OnThreads ran = run_on_threads(*m.compilation, *cuts, bindings.parameters, bindings.tensors);
  REQUIRE(ran.problem == "");
  int fewer = 0;
  for (std::size_t k = 0; k < plan.exchanges.size(); ++k) {
    CAPTURE(k);
    const auto sent = volume(plan, *cuts, plan.exchanges[k]);
    REQUIRE(sent);
    CHECK(is_exact(*cuts, plan.exchanges[k]));
    CHECK(sent->elements == ran.sent[k].elements);
    CHECK(sent->messages == ran.sent[k].messages);
    fewer += wants(plan, *cuts, plan.exchanges[k]) != nullptr;
  }
  return fewer;
}

const std::string matrix = "param n = 13\nparam m = 4\ntensor A(n, n): csr\n";

}  // namespace

TEST_CASE("of a product with a vector ranks want what their rows have, however rows are cut") {
  const std::string product = "tensor x(n)\ny(i) = sum(j)(A(i,j) * x(j))\nranks p\ndistribute i over p\n";
  for (const std::int64_t ranks : {1, 2, 3, 5, 13, 16})
    for (const std::int64_t each : {1, 3, 9, 400}) {
      CHECK(foretold(matrix + product, {ranks}, each) == 1);
      CHECK(foretold(matrix + product, {ranks}, each, true) == 1);
    }
}

TEST_CASE("by columns, of rows of a matrix, on a grid, and where several operands lead") {
  CHECK(foretold("param n = 13\ntensor A(n, n): csc\ntensor x(n)\ny(j) = sum(i)(A(i,j) * x(i))\norder j i\n"
                 "ranks p\ndistribute j over p\n",
                 {4}, 5) == 1);
  const std::string rows = "tensor X(n, m)\nY(i,k) = sum(j)(A(i,j) * X(j,k))\norder i j k\n";
  CHECK(foretold(matrix + rows + "ranks p\ndistribute i over p\n", {4}, 5) == 1);
  // What is cut along two levels is sent as its sections say.
  CHECK(foretold(matrix + rows + "ranks p q\ndistribute i over p\ndistribute k over q\n", {3, 2}, 5) == 0);
  for (const char* const both : {"*", "+"})
    foretold(matrix + "tensor B(n, n): csr\ntensor x(n)\ny(i) = sum(j)((A(i,j) " + std::string(both) +
                 " B(i,j)) * x(j))\nranks p\ndistribute i over p\n",
             {4}, 4);
}
