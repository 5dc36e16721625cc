// `distribute i over p by parts A`: parts of graphs, rows in other numbers, and where their numbers matter.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "engine/distribute/renumber.hpp"
#include "engine/distribute/row_graph.hpp"
#include "engine/distribute/wants.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/renumber.hpp"
#include "engine/tensor/verify.hpp"
#include "tests/distribute/made.hpp"

using namespace trellis;
using namespace trellis::distribute;
using namespace trellis::distribute::testing;

namespace {

/// So many rows, of which those that are neighbours in the order 0, k, 2 k, … modulo n have entries in common.
Pattern scattered_chain(std::int64_t n, std::int64_t k) {
  std::vector<std::vector<std::int64_t>> rows(static_cast<std::size_t>(n));
  for (std::int64_t x = 0; x < n; ++x) {
    auto& row = rows[static_cast<std::size_t>(x * k % n)];
    row.push_back(x * k % n);
    if (x > 0) row.push_back((x - 1) * k % n);
    if (x + 1 < n) row.push_back((x + 1) * k % n);
  }
  Pattern pattern{{0}, {}};
  for (const auto& row : rows) {
    pattern.columns.insert(pattern.columns.end(), row.begin(), row.end());
    pattern.first.push_back(std::ssize(pattern.columns));
  }
  return pattern;
}

const std::string product_by_parts =
    "param n = 6\ntensor A(n, n): csr\ntensor x(n)\nranks p\ndistribute i over p by parts A\n";

}  // namespace

TEST_CASE("parts of a chain are pieces of it, whatever its rows are called, and the same each time") {
  const Pattern chain = scattered_chain(1001, 377);
  const auto part = parts_of(chain, 7);
  REQUIRE(part);
  CHECK(parts_of(chain, 7) == part);
  CHECK(std::set(part->begin(), part->end()).size() == 7);
  CHECK(ghosts_of(chain, *part, 7) <= 2 * 10);
  CHECK(ghosts_of(chain, parts_between(even_cuts(1001, 7)), 7) > 100);
  CHECK(largest_part(weights_of(chain), *part, 7) < 1.05);
}

TEST_CASE("a numbering has each part in one piece, its rows in their order") {
  const std::vector<std::int64_t> part{1, 0, 2, 0, 1, 0};
  const Numbering numbering = numbering_of(part, 4);
  CHECK(numbering.from == std::vector<std::int64_t>{1, 3, 5, 0, 4, 2});
  CHECK(numbering.to == std::vector<std::int64_t>{3, 0, 5, 1, 4, 2});
  CHECK(places_of(part, 4) == std::vector<std::int64_t>{0, 3, 5, 6, 6});
  CHECK(parts_between({0, 3, 5, 6, 6}) == std::vector<std::int64_t>{0, 0, 0, 1, 1, 2});
}

TEST_CASE("what is known of a tensor's rows is found once for each number of parts") {
  auto matrix = tensor::Tensor::create(format::ScalarType::f64, {4, 4}, format::Format::dense(2),
                                       format::Value::of(format::ScalarType::f64, 0));
  RowGraph graph(*matrix, 1);
  CHECK(graph.is_of(*matrix, 1));
  CHECK(!graph.is_of(*matrix, 0));
  CHECK(!graph.is_of(matrix->clone(), 1));
  const auto two = graph.parts(2);
  REQUIRE(two);
  CHECK(graph.parts(3) != two);
  CHECK(graph.parts(2) == two);
  CHECK(two->places.back() == 4);
  CHECK(graph.weights() == std::vector<std::int64_t>{5, 5, 5, 5});
}

TEST_CASE("elements at wanted coordinates: between bounds, by their remainder, and along a slope") {
  using math::Affine;
  const Affine x = Affine::name(element_name(0)), y = Affine::name(element_name(1)), n = Affine::name("n");
  const auto count = [&](std::vector<math::Constraint> more, std::vector<std::int64_t> wanted) {
    math::Domain domain{{element_name(0), element_name(1)},
                        {{Affine(0), math::Relation::less_equal, x},
                         {x, math::Relation::less, n},
                         {y, math::Relation::greater_equal, Affine(0)},
                         {n, math::Relation::greater, y}}};
    domain.constraints.insert(domain.constraints.end(), more.begin(), more.end());
    return count_among(domain, {{"n", 10}}, 0, wanted);
  };
  const std::vector<std::int64_t> some{0, 3, 4, 9, 12};
  CHECK(count({}, some) == 4 * 10);
  CHECK(count({{x, math::Relation::greater_equal, Affine(3)}, {2 * x, math::Relation::less_equal, Affine(9)}}, some) ==
        2 * 10);
  CHECK(count({{-x, math::Relation::less, Affine(-3)}}, some) == 2 * 10);
  CHECK(count({{x, math::Relation::equal, Affine(4)}}, some) == 10);
  CHECK(count({{x, math::Relation::not_equal, Affine(4)}}, some) == 3 * 10);
  CHECK(count({{y, math::Relation::less, x}}, some) == 0 + 3 + 4 + 9);
  CHECK(count({{n, math::Relation::less, Affine(10)}}, some) == 0);
  CHECK(count({}, {}) == 0);
}

TEST_CASE("graphs of no rows, of no edges, and of fewer rows than parts have parts as well") {
  CHECK(parts_of({{0}, {}}, 4) == std::vector<std::int64_t>{});
  CHECK(parts_of({{0, 0, 0}, {}}, 1) == std::vector<std::int64_t>{0, 0});
  CHECK(parts_of({{0, 0, 0}, {}}, 5) == std::vector<std::int64_t>{0, 1});
  const auto alone = parts_of({{0, 0, 0, 0, 0, 0}, {}}, 2);
  REQUIRE(alone);
  CHECK(largest_part({1, 1, 1, 1, 1}, *alone, 2) < 1.5);
  CHECK(parts_of({{0, 1, 2, 3}, {0, 1, 2}}, 2).has_value());  // a diagonal alone
}

TEST_CASE("rows and columns in other numbers, in every format") {
  const std::vector<std::int64_t> rows{2, 0, 1}, columns{1, 3, 0, 2};
  auto dense = tensor::Tensor::create(format::ScalarType::i32, {3, 4}, format::Format::dense(2),
                                      format::Value::of(format::ScalarType::i32, 0));
  for (const auto& [i, j, v] : std::vector<std::tuple<int, int, int>>{{0, 1, 5}, {1, 0, 6}, {1, 3, 7}, {2, 2, 8}})
    dense->set(std::vector<std::int64_t>{i, j}, format::Value::of(format::ScalarType::i32, v));
  for (const char* name : {"dense", "csr", "csc", "coo", "dcsr"}) {
    CAPTURE(name);
    const auto stored = tensor::convert(*dense, *format::Format::named(name, 2), tensor::ExplicitFills::dropped);
    REQUIRE(stored);
    const auto moved = tensor::renumbered(*stored, {&rows, &columns});
    REQUIRE(moved);
    CHECK(tensor::verify(*moved).empty());
    CHECK(moved->entries() == stored->entries());
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 4; ++j)
        CHECK(moved->get(std::vector{rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]}) ==
              dense->get(std::vector{i, j}));
    const auto same_columns = tensor::renumbered(*stored, {&rows, nullptr});
    CHECK(same_columns->get(std::vector<std::int64_t>{1, 2}) == dense->get(std::vector<std::int64_t>{2, 2}));
  }
}

TEST_CASE("where numbers of rows matter, that is said with the place") {
  const auto refused = [](const std::string& equations, const std::string& place, const std::string& why) {
    const Made m = made(product_by_parts + equations);
    INFO(equations);
    CHECK(!m.plan);
    mentions(m.errors, "E0165");
    mentions(m.errors, place);
    mentions(m.errors, why);
  };
  const std::string next = "what lies next to a row is another row in another numbering";
  refused("y(i) = A(i,j) * x(j) + x(i-1) : 1 <= i\n", "`x(i-1)`", next);
  refused("y(i) = A(i,j) * x(j) + x(n-1-i)\n", "", next);
  refused("y(i) = A(i,j) * x(j) + x(0)\n", "`x(0)`", "another row");
  refused("y(i) = A(i,j) * x(j) * i\n", "i", "it asks for the number of a row");
  refused("y(i) = A(i,j) * x(j) + (i < 3 ? x(i) : 0)\n", "i < 3", "it asks for the number of a row");
  refused("y(i) = A(i,j) * x(j) : i < 3\n", "(i)`", "the loop over i does not come by all rows, 0:n");
  refused("tensor q(n): i32 range(0, n)\ny(i) = A(i,j) * x(j) + x(q(i))\n", "(q(i))", "another row");
  refused("y(i) = argmin(j)(A(i,j) * x(j))\n", "", "it asks for the number of a row");
}

TEST_CASE("what rows are numbered by is a sparse matrix over them") {
  const auto refused = [](const std::string& source, const std::string& why) {
    const Made m = made("param n = 6\nparam m = 5\ntensor x(n)\n" + source);
    INFO(source);
    mentions(m.errors, "E0165");
    mentions(m.errors, why);
  };
  const std::string asked = "ranks p\ndistribute i over p by parts A\n";
  refused("tensor A(n, n)\ny(i) = A(i,j) * x(j)\n" + asked, "it is no sparse matrix");
  refused("tensor A(m, n): csr\ny(i) = A(i,j) * x(j)\n" + asked, "it is not square");
  refused("tensor A(m, m): csr\ny(i) = 2 * x(i)\n" + asked, "i does not run over its rows");
  CHECK(made("param n = 6\ntensor A(n, n): csr\ntensor x(n)\ny(i) = 2 * x(i)\n" + asked).plan);  // A need not be read
}

TEST_CASE("what the loops do not touch by rows keeps its numbers") {
  const Made m =
      made(product_by_parts +
           "tensor E(n, n): {dense, band}\ntensor z(n)\ny(i) = A(i,j) * x(j)\nkernel k { w(i) = E(i,j) * z(j) }\n");
  REQUIRE(m.plan);
  Cuts cuts;
  cuts.numberings = {std::make_shared<const Numbering>(numbering_of({1, 0, 2, 0, 1, 0}, 3))};
  const auto goes_into_numbers_of_ranks = [&](const std::string& tensor) {
    const auto along = numbers_along(*m.plan, cuts, *m.program.tensor(tensor), Into::ranks);
    return std::ranges::all_of(along, [&](const auto* numbers) { return numbers == &cuts.numberings[0]->to; });
  };
  for (const char* touched : {"A", "x", "y"}) CHECK(goes_into_numbers_of_ranks(touched));
  for (const char* untouched : {"E", "z"}) CHECK_FALSE(goes_into_numbers_of_ranks(untouched));
}
