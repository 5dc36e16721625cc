// Facts about estimates that hold whatever the machine's figures are: what is more takes longer, and what is known to
// be faster is.
#include "engine/cost/estimate.hpp"

#include <doctest/doctest.h>

#include "engine/compile.hpp"
#include "engine/lang/parse.hpp"

using namespace trellis;

namespace {

struct World {
  std::int64_t n = 200;
  std::map<std::string, double> entries = {};  ///< in each row of a csr matrix
  int threads = 1;
  std::int64_t m = 1000;
  std::map<std::string, std::vector<std::vector<double>>> degrees = {};  ///< by dimension
};

struct Estimated {
  Compilation compilation;
  cost::Estimate estimate;
};

Estimated estimated(const std::string& program, const World& world) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto resolved = lang::resolve(lang::parse(sources, sources.add("test.tr", program), diagnostics), diagnostics);
  REQUIRE(resolved);
  Compilation compilation = compile(*resolved, resolved->kernels.at(0), diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  cost::Data data;
  data.sizes["n"] = world.n;
  data.sizes["m"] = world.m;
  const double rows = static_cast<double>(world.n);
  for (const auto& [name, row] : world.entries) data.regions[name] = {rows, rows * row};
  if (!world.degrees.empty()) data.counted = std::make_shared<cost::Degrees>();
  for (const auto& [name, levels] : world.degrees)
    for (const std::vector<double>& level : levels)
      data.degrees[name].push_back(std::make_shared<const std::vector<double>>(level));
  cost::Machine machine;
  machine.threads = world.threads;
  cost::Estimate estimate = cost::estimate(compilation.flow, data, machine);
  return {std::move(compilation), std::move(estimate)};
}

double cycles(const std::string& program, const World& world) { return estimated(program, world).estimate.cycles; }

const std::string product = "tensor A(n, n); tensor B(n, n); tensor C(n, n)\nC(i,j) = sum(k)(A(i,k) * B(k,j))\n";
const std::string product_with_vector = "tensor A(n, n): csr; tensor x(n); tensor y(n)\ny(i) = sum(j)(A(i,j) * x(j))\n";
const std::string cholesky =
    "tensor A(n, n); tensor L(n, n)\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n";

}  // namespace

TEST_CASE("more iterations take longer, a triangle about half of a square's") {
  CHECK(cycles(product + "order i k j", {400}) > 6 * cycles(product + "order i k j", {200}));
  const std::string square = "tensor A(n, n); tensor s(n)\ns(i) = sum(j)(A(i,j))", triangle = square + " : j <= i";
  const double share = cycles(triangle, {400}) / cycles(square, {400});
  CHECK(share > 0.4);
  CHECK(share < 0.75);
}

TEST_CASE("rows are walked faster along than across, however they are stored") {
  CHECK(cycles(product + "order i k j", {}) < cycles(product + "order j k i", {}));
  const std::string columns =
      "tensor A(n, n): {dense, dense} @ (1, 0); tensor B(n, n): {dense, dense} @ (1, 0)\n"
      "tensor C(n, n): {dense, dense} @ (1, 0)\nC(i,j) = sum(k)(A(i,k) * B(k,j))\n";
  CHECK(cycles(columns + "order j k i", {}) < cycles(columns + "order i k j", {}));
}

TEST_CASE("lines from further away take longer: the same work on more data") {
  const std::string transposed = "tensor A(n, n); tensor B(n, n)\nB(i,j) = A(j,i)\norder i j";
  CHECK(cycles(transposed, {4000}) / (4000.0 * 4000) > 2 * cycles(transposed, {20}) / (20.0 * 20));
}

TEST_CASE("sums of floating numbers wait for each other, of integers not, in parts less") {
  const std::string sum = "tensor x(n); tensor s\ns = sum(i)(x(i))\n";
  CHECK(cycles(sum, {100000}) > 2 * cycles("tensor x(n): i64; tensor s: i64\ns = sum(i)(x(i))\n", {100000}));
  CHECK(cycles(sum + "vectorize i 8", {100000}) < cycles(sum, {100000}) / 2);
}

TEST_CASE("at n = 200 the sums of Cholesky's rows, one by one, are slower than updates along rows") {
  CHECK(cycles(cholesky + "order k i j", {200}) < cycles(cholesky + "order i j k", {200}));
  CHECK(cycles(cholesky + "order i k j", {200}) < cycles(cholesky + "order j i k", {200}));
}

TEST_CASE(
    "a walk takes as long as there are entries, a search for each coordinate longer, and the longer the more there "
    "are") {
  const World few{1000, {{"A", 4}}}, many{1000, {{"A", 64}}};
  CHECK(cycles(product_with_vector + "order i j", many) > 4 * cycles(product_with_vector + "order i j", few));
  CHECK(cycles(product_with_vector + "order j i", few) > 20 * cycles(product_with_vector + "order i j", few));
  CHECK(cycles(product_with_vector + "order j i", many) > cycles(product_with_vector + "order j i", few));
  CHECK(cycles(product_with_vector + "order j i\nmarch A j", few) < cycles(product_with_vector + "order j i", few));
}

TEST_CASE("two operands that are merged take as long as both together") {
  const std::string sum =
      "tensor a(n, n): csr; tensor b(n, n): csr; tensor s\ns = sum(i,j)(a(i,j) * b(i,j))\norder i j\n";
  const double both = cycles(sum, {1000, {{"a", 50}, {"b", 50}}});
  CHECK(both > cycles(sum, {1000, {{"a", 50}, {"b", 5}}}));
  CHECK(both < cycles(sum, {1000, {{"a", 50}, {"b", 100}}}));
}

TEST_CASE("a machine is read back as it was written, and not where a figure is missing or none") {
  cost::Machine machine;
  machine.caches = {48e3, 2e6, 64e6};
  machine.scattered = {2.5, 10, 60};
  machine.fork = 4321;
  machine.latency = 0.7;
  const std::string text = cost::to_string(machine);
  CHECK(cost::read_machine(text) == machine);
  CHECK(!cost::read_machine(""));
  const auto before_messages = cost::read_machine(text.substr(0, text.find("message")));
  REQUIRE(before_messages);
  CHECK(before_messages->fork == 4321);
  CHECK(before_messages->latency == cost::Machine().latency);
  CHECK(!cost::read_machine(text.substr(0, text.find("message")) + "message 2 -1\n"));
  CHECK(!cost::read_machine(text.substr(0, text.size() / 2)));
  CHECK(!cost::read_machine("caches 48000 -1 64e6" + text.substr(text.find('\n'))));
  CHECK(!cost::read_machine("caches 48000 1000 64e6" + text.substr(text.find('\n'))));
  cost::Machine busy;
  busy.sequential = {16, 44, 0.25};
  CHECK(!cost::read_machine(cost::to_string(busy)));
}

TEST_CASE("threads help where there is much to do, and hinder where there is little") {
  const std::string parallel = product + "order i k j\nparallel i";
  CHECK(cycles(parallel, {400, {}, 8}) < cycles(parallel, {400, {}, 2}));
  CHECK(cycles(parallel, {400, {}, 2}) < cycles(product + "order i k j", {400}));
  CHECK(cycles(parallel, {4, {}, 8}) > cycles(product + "order i k j", {4}));
}

TEST_CASE("statements share what all take, and the innermost takes the most") {
  const Estimated of = estimated(product_with_vector + "order i j", {400, {{"A", 20}}});
  double sum = 0, update = 0;
  for (const auto& [statement, part] : of.estimate.by_statement) sum += part;
  flow::for_each_stmt(of.compilation.flow.root, [&](const flow::Stmt& s) {
    if (const auto* a = s.as<flow::Assign>(); a && a->op) update = of.estimate.by_statement.at(s.id());
  });
  CHECK(sum == doctest::Approx(of.estimate.cycles));
  CHECK(update > 0.4 * sum);
  CHECK(update < sum);
}

namespace {

const std::string sparse_product =
    "tensor A(n, n): csr; tensor B(n, n): csr; tensor C(n, n): csr\nC(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\n";

/// n rows of ten entries each, or half of all entries in a tenth of the places.
std::vector<double> degrees(std::size_t n, bool crowded) {
  std::vector<double> of(n, crowded ? 50.0 / 9 : 10.0);
  for (std::size_t x = 0; crowded && x < n / 10; ++x) of[x] = 50;
  return of;
}

}  // namespace

TEST_CASE("long fibers are walked more often where both operands are crowded at the same coordinates") {
  constexpr std::size_t n = 1000;
  const World even{n, {{"A", 10}, {"B", 10}}};
  World known = even, crowded = even, apart = even;
  const auto evenly = degrees(n, false), crowds = degrees(n, true);
  known.degrees = {{"A", {evenly, evenly}}, {"B", {evenly, evenly}}};
  crowded.degrees = {{"A", {evenly, crowds}}, {"B", {crowds, evenly}}};
  apart.degrees = {{"A", {evenly, crowds}}, {"B", {evenly, crowds}}};
  const double time = cycles(sparse_product, even);
  CHECK(cycles(sparse_product, known) == doctest::Approx(time));
  CHECK(cycles(sparse_product, apart) == doctest::Approx(time));
  CHECK(cycles(sparse_product, crowded) > 2 * time);
  CHECK(cycles(sparse_product, crowded) < 3 * time);
}

TEST_CASE("a row's walk is as long as the others of the same row make it come by") {
  constexpr std::size_t n = 1000;
  const std::string pairs =
      "tensor A(n, n): csr; tensor x(n); tensor s\ns = sum(i,j,k)(A(i,j) * A(i,k) * x(j) * x(k))\norder i j k\n";
  const World even{n, {{"A", 10}}};
  World crowded = even;
  crowded.degrees = {{"A", {degrees(n, true), degrees(n, false)}}};
  CHECK(cycles(pairs, crowded) > 1.5 * cycles(pairs, even));
}

TEST_CASE("a diagonal is a line an iteration") {
  const std::string diagonal = "tensor A(n, n); tensor s(n)\ns(i) = A(i,i)\n",
                    row = "tensor A(n, n); tensor s(n)\ns(i) = A(0,i)\n";
  CHECK(cycles(diagonal, {4000}) < 100 * cycles(row, {4000}));
}

TEST_CASE("few entries of long rows are collected in a table, many of short rows in a bytemap") {
  const std::string rows =
      "tensor A(n, n): csr; tensor B(n, m): csr; tensor C(n, m): csr\nC(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\n";
  const std::string table = rows + "workspace w for C(i,:) hash\n";
  const World wide{2000, {{"A", 10}, {"B", 8}}, 1, 4'000'000}, narrow{1000, {{"A", 20}, {"B", 20}}, 1, 1000};
  CHECK(cycles(rows, narrow) < cycles(table, narrow));
  CHECK(cycles(table, wide) < cycles(rows, wide));
}

TEST_CASE("short rows of many columns are listed and sorted, long ones of few columns are not") {
  const std::string rows =
      "tensor A(n, n): csr; tensor B(n, m): csr; tensor C(n, m): csr\nC(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\n";
  const std::string table = rows + "workspace w for C(i,:) hash\n", lists = rows + "workspace w for C(i,:) sort\n";
  const World wide{1'000'000, {{"A", 3}, {"B", 3}}, 1, 1'000'000}, narrow{1000, {{"A", 20}, {"B", 20}}, 1, 1000};
  CHECK(cycles(lists, wide) < cycles(rows, wide));
  CHECK(cycles(lists, wide) < cycles(table, wide));
  CHECK(cycles(rows, narrow) < cycles(lists, narrow));
}
