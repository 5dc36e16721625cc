// Two accesses of a flat dimension, in digits and as numbers: whatever the sizes, tuples are equal, and less, where the
// numbers are.
#include "engine/math/digit_tuples.hpp"

#include <doctest/doctest.h>

#include <random>

#include "engine/math/sizes.hpp"
#include "tests/math/index_values.hpp"

namespace trellis::math {
namespace {

Affine product_of(const std::vector<Affine>& factors) {
  Affine all = 1;
  for (const Affine& f : factors) all = *product(all, f);
  return all;
}

struct Problem {
  explicit Problem(unsigned seed) : random(seed) {}

  std::mt19937 random;
  std::map<std::string, Affine> spans;
  std::vector<std::vector<std::string>> variables;
  std::vector<Index> indices;
  Values sizes;

  int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

  /// A flat dimension of a few factors, indexed by a variable for each group of them; some are digits of larger ones.
  void index(std::vector<Affine> factors) {
    const IndexMaps maps({});
    if (below(10) < 3) std::shuffle(factors.begin(), factors.end(), random);
    Index all;
    Affine over = 1;
    auto& own = variables.emplace_back();
    for (std::size_t end = factors.size(); end > 0;) {
      const std::size_t begin = static_cast<std::size_t>(below(static_cast<int>(end)));
      const Affine span = product_of(
          {factors.begin() + static_cast<std::ptrdiff_t>(begin), factors.begin() + static_cast<std::ptrdiff_t>(end)});
      own.push_back("v" + std::to_string(spans.size()));
      Index part = Index::name(own.back());
      spans.emplace(own.back(), span);
      if (below(10) < 4) {
        const Affine extra = Affine::name(std::string(1, static_cast<char>('a' + below(4))));
        spans[own.back()] = *product(span, extra);
        part = *maps.digit(part, extra, span, true);
      }
      all = *maps.sum(all, *maps.scaled(part, over));
      over = *product(over, span);
      end = begin;
    }
    indices.push_back(all);
  }

  void points(std::size_t access, std::vector<Values>& into) const {
    into = {sizes};
    for (const std::string& v : variables[access]) {
      std::vector<Values> next;
      for (const Values& one : into)
        for (std::int64_t at = 0; at < value_of(spans.at(v), sizes); ++at) {
          next.push_back(one);
          next.back()[v] = at;
        }
      into = std::move(next);
    }
  }
};

std::vector<std::int64_t> tuple_at(const DigitTuples& tuples, int access, const Values& values) {
  std::vector<std::int64_t> result;
  const auto tuple = tuples.tuple(access);
  for (const auto& at : *tuple) {
    result.push_back(0);
    if (!at) continue;
    const auto number = static_cast<std::size_t>(at->number);
    const std::int64_t weight = value_of(tuples.weights(at->variable)[number], values);
    result.back() =
        floor_mod(floor_div(values.at(at->variable), weight), value_of(tuples.spans(at->variable)[number], values));
  }
  return result;
}

TEST_CASE("elements of flat dimensions are equal, and less, digit by digit") {
  int exact = 0, any = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    Problem problem(seed);
    std::vector<Affine> factors;
    for (int k = problem.below(2) + 2; k > 0; --k)
      factors.push_back(Affine::name(std::string(1, static_cast<char>('a' + problem.below(4)))));
    for (const char* name : {"a", "b", "c", "d"}) problem.sizes[name] = problem.below(3) + 1;
    problem.index(factors);
    problem.index(factors);
    DigitTuples tuples;
    for (const auto& [v, span] : problem.spans) tuples.add_variable(v, span);
    for (const Index& index : problem.indices) tuples.add("T", index);
    tuples.solve();
    if (!tuples.tuple(0) || !tuples.tuple(1)) {
      ++any;
      continue;
    }
    ++exact;
    std::vector<Values> first, second;
    problem.points(0, first);
    problem.points(1, second);
    bool right = true;
    for (const Values& one : first)
      for (const Values& other : second) {
        const auto a = value_of(problem.indices[0], one), b = value_of(problem.indices[1], other);
        const auto s = tuple_at(tuples, 0, one), t = tuple_at(tuples, 1, other);
        right = right && (a == b) == (s == t) && (a < b) == (s < t);
      }
    CAPTURE(seed);
    CHECK(right);
  }
  CHECK(exact > 50);
  CHECK(any > 4);  // sizes that are shuffled have no common cuts
}

TEST_CASE("a dimension without common cuts may be any element, and offsets are no digits") {
  const Affine n = Affine::name("n"), m = Affine::name("m");
  const IndexMaps maps({{"k", *product(n, m)}, {"i", n}, {"j", m}});
  DigitTuples tuples;
  for (const auto& [v, span] : {std::pair{"k", *product(n, m)}, {"i", n}, {"j", m}}) tuples.add_variable(v, span);
  const int flat = tuples.add("c", Index::name("k"));
  const int joined = tuples.add("c", *maps.sum(*maps.scaled(Index::name("i"), m), Index::name("j")));
  const int moved = tuples.add("c", *maps.sum(Index::name("k"), {Affine(-1), {}}));
  tuples.solve();
  CHECK(*tuples.tuple(flat) == DigitTuples::Tuple{DigitTuples::Coordinate{"k", 0}, DigitTuples::Coordinate{"k", 1}});
  CHECK(*tuples.tuple(joined) == DigitTuples::Tuple{DigitTuples::Coordinate{"i", 0}, DigitTuples::Coordinate{"j", 0}});
  CHECK_FALSE(tuples.tuple(moved));
  CHECK(tuples.spans("k") == std::vector<Affine>{n, m});
  CHECK(tuples.weights("k") == std::vector<Affine>{m, Affine(1)});
  tuples.add("c", *maps.sum(*maps.scaled(Index::name("j"), n), Index::name("i")));
  tuples.solve();
  CHECK_FALSE(tuples.tuple(flat));
}

}  // namespace
}  // namespace trellis::math
