// The brute-force checker, checked itself: against the known results of the recurrences that are written down here, and
// against a literal enumeration of loop trees.
#include <doctest/doctest.h>

#include <set>

#include "tests/random/generate.hpp"
#include "tests/random/legality.hpp"
#include "tests/random/program_case.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

std::string legal_orders(const std::string& source, Directions directions) {
  std::string complaint;
  auto program = read_case(source, &complaint);
  INFO(complaint);
  REQUIRE(program);
  Instances instances = expand(program->program, program->kernel(), sizes_between(program->program, 1, 4));
  REQUIRE(instances.problem == "");
  std::string found;
  for (const lang::Order& order : all_orders(program->kernel().variables(), directions)) {
    if (is_legal(instances, order)) found += (found.empty() ? "" : " | ") + lang::to_string(order);
  }
  return found;
}

std::string ascending(const std::string& source) { return legal_orders(source, Directions::ascending); }
std::string both(const std::string& source) { return legal_orders(source, Directions::both); }

const char* all_six = "i j k | i k j | j i k | j k i | k i j | k j i";

const std::string cholesky =
    "tensor A(n, n); tensor L(n, n)\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n";

TEST_CASE("brute force: factorisations run in all six orders") {
  CHECK(ascending(cholesky) == all_six);
  CHECK(ascending("tensor A(n, n); tensor L(n, n); tensor U(n, n)\n"
                  "U(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j)) : k < i <= j\n"
                  "L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i") == all_six);
  CHECK(ascending("tensor A(n, n); tensor L(n, n); tensor D(n)\n"
                  "D(j) = A(j,j) - sum(k)(L(j,k) * L(j,k) * D(k)) : k < j\n"
                  "L(i,j) = (A(i,j) - sum(k)(L(i,k) * D(k) * L(j,k))) / D(j) : k < j < i") == all_six);
}

TEST_CASE("brute force: a solve runs forwards or backwards as its triangle says") {
  CHECK(ascending("tensor L(n, n); tensor b(n); tensor x(n)\n"
                  "x(i) = (b(i) - sum(j)(L(i,j) * x(j))) / L(i,i) : j < i") == "i j | j i");
  CHECK(both("tensor U(n, n); tensor b(n); tensor x(n)\n"
             "x(i) = (b(i) - sum(j)(U(i,j) * x(j))) / U(i,i) : j > i") == "i- j | i- j- | j- i | j- i-");
}

TEST_CASE("brute force: of the ascending orders Viterbi runs with j outermost only") {
  CHECK(ascending("tensor V(n, n); tensor A(n, n); tensor B(n, n); tensor p(n)\n"
                  "V(i,0) = p(i) * B(i,0)\n"
                  "V(i,j) = max(k)(V(k,j-1) * A(k,i)) * B(i,j) : j >= 1") == "j i k | j k i");
}

TEST_CASE("brute force: Needleman and Wunsch runs in both orders, borders included") {
  CHECK(ascending("tensor H(n+1, n+1); tensor s(n, n)\n"
                  "H(i,0) = -2*i\nH(0,j) = -2*j : j >= 1\n"
                  "H(i,j) = max(H(i-1,j-1) + s(i-1,j-1), H(i-1,j) - 2, H(i,j-1) - 2) : i >= 1, j >= 1") == "i j | j i");
}

TEST_CASE("brute force: one reading per cell of a definition that no order can serve") {
  auto overlapping = read_case("tensor X(n); X(i) = 1; X(0) = 2");
  auto outside = read_case("tensor X(n); tensor Y(n); X(i) = Y(i+1)");
  auto circular = read_case("tensor X(n); tensor Y(n); X(i) = Y(i); Y(i) = X(i)");
  REQUIRE((overlapping && outside && circular));
  auto problem = [](const Case& c) { return expand(c.program, c.kernel(), sizes_between(c.program, 1, 3)).problem; };
  CHECK(problem(*overlapping) == "overlap");
  CHECK(problem(*outside) == "range");
  CHECK(problem(*circular) == "cycle");
}

TEST_CASE("brute force: the fast search and the literal enumeration of loop trees agree") {
  Dice dice(first_seed(2));
  const int wanted = randomised::wanted(1800);
  int compared = 0, legal = 0;
  for (int attempt = 0; attempt < 60 * wanted && compared < wanted; ++attempt) {
    auto program = read_case(to_string(generate(dice)));
    if (!program || program->kernel().variables().size() > 3) continue;
    Instances instances = expand(program->program, program->kernel(), sizes_between(program->program, 1, 3));
    if (!instances.problem.empty() || instances.pieces.size() > 3) continue;
    lang::Order order = random_order(dice, program->kernel().variables());
    bool expected = exists_tree(instances, order);
    INFO(program->source, "order ", lang::to_string(order));
    CHECK(is_legal(instances, order) == expected);
    ++compared;
    legal += expected;
  }
  CHECK(compared == wanted);
  CHECK(legal > wanted / 4);
  CHECK(legal < wanted);
}

}  // namespace
}  // namespace trellis::randomised
