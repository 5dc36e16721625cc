// Orders with tiles against exhaustive search: of the known recurrences every order with each tile loop outside of its
// variable, under all partitions of small sizes; of random ones some.
#include <doctest/doctest.h>

#include "engine/place/dependences.hpp"
#include "engine/place/place.hpp"
#include "engine/place/tiles.hpp"
#include "tests/random/generate.hpp"
#include "tests/random/legality.hpp"
#include "tests/random/program_case.hpp"
#include "tests/random/tiled_instances.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

struct TiledRecurrence {
  const char *name, *source, *tiled, *descending;
  int whole, legal;  ///< orders
};

const char* const tensors_of_all =
    "param n = 4\ntensor A(n,n)\ntensor B(n,n)\ntensor C(n,n)\ntensor D(n,n)\ntensor L(n,n)\ntensor U(n,n)\ntensor "
    "X(n,n)\n"
    "tensor E(n,n,n)\ntensor F(3,n)\ntensor Q(n,n)\ntensor R(n,n)\ntensor c(n)\ntensor d(n)\ntensor x(n)\n";

// docs/design/blocks.md has the numbers of orders.
const TiledRecurrence tiled_recurrences[] = {
    {"Cholesky",
     "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))/L(j,j) : k<j, j<i\n"
     "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)*L(i,k))) : k<i\n",
     "ijk", "", 90, 90},
    {"LU",
     "U(i,j) = A(i,j) - sum(k)(L(i,k)*U(k,j)) : k<i, i<=j\n"
     "L(i,j) = (A(i,j) - sum(k)(L(i,k)*U(k,j)))/U(j,j) : k<j, j<i\n",
     "ijk", "", 90, 90},
    {"LDL'",
     "d(j) = A(j,j) - sum(k)(L(j,k)*L(j,k)*d(k)) : k<j\n"
     "L(i,j) = (A(i,j) - sum(k)(L(i,k)*d(k)*L(j,k)))/d(j) : k<j, j<i\n",
     "ijk", "", 90, 90},
    {"solve", "X(i,j) = (B(i,j) - sum(k)(L(i,k)*X(k,j)))/L(i,i) : k<i\n", "ijk", "", 90, 90},
    {"Floyd-Warshall", "D[k](i,j) = min(D[k-1](i,j), D[k-1](i,k)+D[k-1](k,j))\n", "ijk", "", 90, 16},
    {"modified Gram-Schmidt",
     "R(k,k) = sqrt(sum(i)(X[k-1](i,k)*X[k-1](i,k)))\nQ(i,k) = X[k-1](i,k)/R(k,k)\n"
     "R(k,j) = sum(i)(Q(i,k)*X[k-1](i,j)) : k<j\nX[k](i,j) = X[k-1](i,j) - Q(i,k)*R(k,j) : k<j\n",
     "ijk", "", 90, 15},
    {"classical Gram-Schmidt",
     "R(k,j) = sum(i)(Q(i,k)*A(i,j)) : k<j\n"
     "R(j,j) = sqrt(sum(i)((A(i,j) - sum(k)(Q(i,k)*R(k,j)))*(A(i,j) - sum(k)(Q(i,k)*R(k,j))))) : k<j\n"
     "Q(i,j) = (A(i,j) - sum(k)(Q(i,k)*R(k,j)))/R(j,j) : k<j\n",
     "ijk", "", 90, 24},
    {"matrix chain", "C(i,i) = c(i)\nC(i,j) = min(k)(C(i,k)+C(k+1,j)) + B(i,j) : i<=k, k<j, i<j\n", "ijk", "i", 90, 30},
    {"Nussinov", "C(i,i) = 0\nC(i,j) = max(C(i+1,j-1)+B(i,j), max(k)(C(i,k)+C(k+1,j))) : i<=k, k<j, i<j\n", "ijk", "i",
     90, 30},
    {"Gauss-Seidel",
     "x[t](i) = (c(i) - sum(j)(A(i,j)*x[t](j)) - sum(k)(A(i,k)*x[t-1](k)))/A(i,i) : j<i, k>i, t>=0, t<3\n", "ij", "",
     180, 30},
    {"Needleman-Wunsch",
     "C(0,0) = 0\nC(i,0) = C(i-1,0) - 2 : i>=1\nC(0,j) = C(0,j-1) - 2 : j>=1\n"
     "C(i,j) = max(C(i-1,j-1)+B(i,j), C(i-1,j)-2, C(i,j-1)-2) : i>=1, j>=1\n",
     "ij", "", 6, 6},
    {"Floyd-Warshall, steps as a dimension",
     "E(0,i,j) = D(i,j)\nE(k,i,j) = min(E(k-1,i,j), E(k-1,i,k)+E(k-1,k,j)) : 1<=k\n", "ijk", "", 90, 16},
    {"Gauss-Seidel, sweeps as a dimension",
     "F(0,i) = d(i)\nF(t,i) = (c(i) - sum(j)(A(i,j)*F(t,j)) - sum(k)(A(i,k)*F(t-1,k)))/A(i,i) : j<i, k>i, 1<=t\n", "ij",
     "", 180, 30},
    {"Viterbi", "C(i,0) = c(i)*B(i,0)\nC(i,j) = max(k)(C(k,j-1)*A(k,i))*B(i,j) : j>=1\n", "ijk", "", 90, 6},
    {"product", "C(i,j) = sum(k)(A(i,k)*B(k,j))\n", "ijk", "", 90, 90},
};

/// Every sequence of the variables and their tiles with tiles outside of their variables.
std::vector<lang::Order> tiled_orders(const std::vector<std::string>& variables, const std::string& tiled,
                                      const std::string& descending) {
  std::vector<std::string> names = variables;
  for (const char v : tiled) names.push_back(lang::tile_text(std::string(1, v), 2));
  std::vector<lang::Order> result;
  for (lang::Order& order : all_orders(names, Directions::ascending)) {
    const auto place = [&](const std::string& name) { return std::ranges::find(order, name, &lang::LoopName::name); };
    const bool outside = std::ranges::all_of(
        tiled, [&](char v) { return place(lang::tile_text(std::string(1, v), 2)) < place(std::string(1, v)); });
    for (lang::LoopName& loop : order)
      loop.descending = descending.find(lang::variable_of(loop.name)) != std::string::npos;
    if (outside) result.push_back(std::move(order));
  }
  return result;
}

/// All partitions of a few numbers, the same one for all variables, and some where unrelated ones have others.
std::vector<Partitions> ways_to_partition(const std::vector<TiledVariable>& tiled, int n) {
  int numbers = 0;
  for (const TiledVariable& t : tiled) numbers = std::max(numbers, t.partition + 1);
  const std::vector<Partition> all = all_partitions(n);
  std::vector<Partitions> ways;
  for (std::size_t k = 0; k < all.size(); ++k) {
    ways.emplace_back(static_cast<std::size_t>(numbers), all[k]);
    if (numbers == 1) continue;
    ways.emplace_back();
    for (int p = 0; p < numbers; ++p)
      ways.back().push_back(all[(k * 3 + static_cast<std::size_t>(p) * 5) % all.size()]);
  }
  return ways;
}

TEST_CASE("tiles: of the known recurrences the orders that exhaustive search finds legal, all of them certified") {
  for (const TiledRecurrence& r : tiled_recurrences) {
    CAPTURE(r.name);
    const auto program = read_case(std::string(tensors_of_all) + r.source);
    REQUIRE(program);
    text::Diagnostics diagnostics;
    const auto base = place::analyse(program->program, program->kernel(), diagnostics);
    REQUIRE(base);
    const auto orders = tiled_orders(program->kernel().variables(), r.tiled, r.descending);
    CHECK(static_cast<int>(orders.size()) == r.whole);
    const auto analysis = place::tiled(*base, orders.front());
    REQUIRE(analysis);
    const auto tiled = tiled_variables(*analysis);
    const Instances plain = expand(program->program, program->kernel(), {{{"n", 4}}});
    const Instances instances = with_tiles(plain, tiled, ways_to_partition(tiled, 4));
    int legal = 0;
    for (std::size_t k = 0; k < orders.size(); ++k) {
      CAPTURE(lang::to_string(orders[k]));
      const bool accepted = place::is_legal(*analysis, orders[k]);
      legal += accepted;
      if (!is_taken(static_cast<int>(k))) continue;
      // Explicit iterations know no timesteps: of those the number of legal orders is what is compared.
      if (program->kernel().timesteps.empty()) CHECK(accepted == is_legal(instances, orders[k]));
      // What is placed has a certificate, or it is a bug of ours, which `place` says.
      if (accepted) CHECK(std::holds_alternative<place::Placed>(place::place(*analysis, orders[k])));
    }
    CHECK(legal == r.legal);
  }
}

std::string dispute(const Case& program, const lang::Order& order) {
  text::Diagnostics diagnostics;
  const auto base = place::analyse(program.program, program.kernel(), diagnostics);
  if (!base) return "";
  const auto analysis = place::tiled(*base, order);
  if (!analysis) return "";
  const auto tiled = tiled_variables(*analysis);
  const bool accepted = place::is_legal(*analysis, order);
  const place::Placement placement = place::place(*analysis, order);
  if (accepted == std::holds_alternative<place::Rejected>(placement)) return "is_legal and place disagree";
  const Instances plain = expand(program.program, program.kernel(), sizes_between(program.program, 2, 4));
  if (!plain.problem.empty()) return "";
  bool expected = is_legal(with_tiles(plain, tiled, ways_to_partition(tiled, 4)), order);
  if (expected && !accepted) {  // some orders go wrong only at larger sizes
    const Instances larger = expand(program.program, program.kernel(), sizes_between(program.program, 5, 7));
    expected = larger.problem.empty() && is_legal(with_tiles(larger, tiled, ways_to_partition(tiled, 7)), order);
  }
  return accepted == expected ? ""
         : accepted           ? "accepted, but no loop tree serves it"
                              : "refused, but a loop tree serves it";
}

TEST_CASE("random programs: an order with tiles is accepted exactly when brute force finds a loop tree for it") {
  const int wanted = randomised::wanted(180);
  const std::uint64_t seed = first_seed(1);
  int tried = 0;
  for (std::uint64_t number = seed; tried < wanted && number < seed + 60 * static_cast<std::uint64_t>(wanted);
       ++number) {
    Dice dice(number);
    const Draft draft = generate(dice);
    const auto program = read_case(to_string(draft));
    if (!program || program->kernel().variables().size() > 3) continue;
    const lang::Order order = random_tiled_order(dice, program->kernel().variables());
    if (!lang::has_tiles(order)) continue;
    ++tried;
    const std::string found = dispute(*program, order);
    if (found.empty()) continue;
    const Draft small = shrink(draft, [&](const Draft& d) {
      const auto smaller = read_case(to_string(d));
      return smaller && !dispute(*smaller, order).empty();
    });
    FAIL_CHECK("seed ", number, ", order ", lang::to_string(order), "\n", to_string(small), found);
  }
  CHECK(tried == wanted);
}

}  // namespace
}  // namespace trellis::randomised
