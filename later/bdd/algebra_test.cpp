// Algebras against truth tables, and of more operands than a table would have room for.
#include "engine/coiterate/algebra.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <random>

namespace trellis::coiterate {
namespace {

/// A function of six literals, in both ways.
struct Both {
  Algebra algebra;
  std::uint64_t table;  ///< bit r: of the row in which literal k is present where bit k of r is set
};

constexpr int literals = 6;

std::uint64_t table_of(int literal) {
  std::uint64_t table = 0;
  for (int row = 0; row < 64; ++row)
    if (row >> literal & 1) table |= std::uint64_t{1} << row;
  return table;
}

std::uint64_t with(std::uint64_t table, int literal, bool present) {
  std::uint64_t result = 0;
  for (int row = 0; row < 64; ++row) {
    const int asked = present ? row | 1 << literal : row & ~(1 << literal);
    if (table >> asked & 1) result |= std::uint64_t{1} << row;
  }
  return result;
}

Algebra union_of(int count) {
  Algebra all = Algebra::nowhere();
  for (int k = 0; k < count; ++k) all = all | Algebra::literal(k);
  return all;
}

}  // namespace

TEST_CASE("algebras are equal exactly where their truth tables are") {
  std::mt19937 random(7);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
  for (int round = 0; round < 300; ++round) {
    std::vector<Both> pool{{Algebra::nowhere(), 0}, {Algebra::everywhere(), ~std::uint64_t{0}}};
    for (int k = 0; k < literals; ++k) pool.push_back({Algebra::literal(k), table_of(k)});
    for (int step = 0; step < 20; ++step) {
      const Both a = pool[below(pool.size())], b = pool[below(pool.size())];
      const int literal = static_cast<int>(below(literals));
      switch (below(4)) {
        case 0: pool.push_back({a.algebra & b.algebra, a.table & b.table}); break;
        case 1: pool.push_back({a.algebra | b.algebra, a.table | b.table}); break;
        case 2: pool.push_back({!a.algebra, ~a.table}); break;
        default: pool.push_back({a.algebra.with(literal, (step & 1) != 0), with(a.table, literal, (step & 1) != 0)});
      }
    }
    for (const Both& a : pool) {
      for (const Both& b : pool) REQUIRE((a.algebra == b.algebra) == (a.table == b.table));
      const auto free = literals - std::ssize(a.algebra.literals());
      REQUIRE(a.algebra.cases() * static_cast<double>(1 << free) == std::popcount(a.table));
      Algebra covered = Algebra::nowhere();
      for (const Cover::Term& term : cover(a.algebra, 64).terms) {
        Algebra all = Algebra::everywhere();
        for (const auto& [k, present] : term) all = all & (present ? Algebra::literal(k) : !Algebra::literal(k));
        covered = covered | all;
      }
      REQUIRE(covered == a.algebra);
    }
  }
}

TEST_CASE("unions and products of many operands stay what they are") {
  const Algebra all = union_of(60);
  CHECK(all.literals().size() == 60);
  CHECK(all.with(17, true).is_everywhere());
  CHECK(all.with(59, false) == union_of(59));
  Algebra product = Algebra::everywhere();
  for (int k = 0; k < 40; k += 2) product = product & (Algebra::literal(k) | Algebra::literal(k + 1));
  CHECK(product.cases() == doctest::Approx(3486784401.0));  // 3^20
  Algebra none = product.with(6, false).with(7, false);
  CHECK(none.is_nowhere());
  std::vector<std::string> names(40, "a");
  CHECK(to_string(product, names).ends_with(" ∪ …"));
}

}  // namespace trellis::coiterate
