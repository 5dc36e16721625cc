// Products of sizes, and digits of indices, against their values.
#include "engine/math/index_map.hpp"

#include <doctest/doctest.h>

#include "engine/math/sizes.hpp"
#include "tests/math/index_values.hpp"

namespace trellis::math {
namespace {

const Affine n = Affine::name("n"), m = Affine::name("m");

TEST_CASE("products of sizes are names, whose factors have values") {
  const Affine both = *product(n, m);
  CHECK(to_string(both) == "m*n");
  CHECK(to_string(*product(n + Affine(1), m + Affine(2))) == "m + m*n + 2*n + 2");
  CHECK(both.evaluate([](const std::string& name) { return std::optional<std::int64_t>(name == "n" ? 3 : 5); }) == 15);
  CHECK(both.substitute({{"n", Affine(4)}}) == 4 * m);
  CHECK(both.substitute({{"n", m + Affine(1)}}) == *product(m, m) + m);
  CHECK(both.mentions("m"));
  CHECK_FALSE(both.mentions("mn"));
  CHECK_FALSE(product(Affine::div(n, 2), m));
}

TEST_CASE("quotients of sizes are exact or none") {
  CHECK(exact_quotient(*product(n, m), n) == m);
  CHECK(exact_quotient(6 * n, Affine(3)) == 2 * n);
  CHECK(exact_quotient(*product(n + Affine(1), m + Affine(2)), m + Affine(2)) == n + Affine(1));
  CHECK(exact_quotient(Affine(0), n) == Affine(0));
  CHECK_FALSE(exact_quotient(n, m));
  CHECK_FALSE(exact_quotient(n + Affine(1), n));
  CHECK_FALSE(exact_quotient(Affine(7), Affine(2)));
  CHECK_FALSE(exact_quotient(n, Affine(0)));
}

TEST_CASE("digits of sums of digits have their values, and cancel where sizes allow") {
  const IndexMaps maps({{"i", n}, {"j", m}, {"k", *product(n, m)}});
  const Index i = Index::name("i"), j = Index::name("j"), k = Index::name("k");
  const Index joined = *maps.sum(*maps.scaled(i, m), j);
  CHECK(*maps.digit(joined, m, n, true) == i);
  CHECK(*maps.digit(joined, Affine(1), m, false) == j);
  const Index high = *maps.digit(k, m, n, true), low = *maps.digit(k, Affine(1), m, false);
  CHECK(*maps.sum(*maps.scaled(high, m), low) == k);
  for (const Index& x :
       {joined, k, *maps.sum(joined, {Affine(-1), {}}), *maps.scaled(k, Affine(-1)), *maps.sum(k, joined)})
    for (const Affine& over : {Affine(1), Affine(2), m, 2 * m})
      for (const Affine& span : {Affine(1), Affine(2), n, m})
        for (std::int64_t a = 0; a < 3; ++a)
          for (std::int64_t b = 0; b < 4; ++b) {
            const std::map<std::string, std::int64_t> values{
                {"n", 3}, {"m", 4}, {"i", a}, {"j", b}, {"k", (5 * a + 3 * b) % 12}};
            const auto digit = maps.digit(x, over, span, false);
            REQUIRE(digit);
            const auto size = [&](const Affine& s) {
              return *s.evaluate([&](const std::string& name) { return std::optional(values.at(name)); });
            };
            CHECK(value_of(*digit, values) == floor_mod(floor_div(value_of(x, values), size(over)), size(span)));
          }
}

}  // namespace
}  // namespace trellis::math
