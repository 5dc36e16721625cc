#include <doctest/doctest.h>

#include <limits>

#include "engine/math/affine.hpp"

using namespace trellis::math;

namespace {

const Affine i = Affine::name("i"), j = Affine::name("j"), k = Affine::name("k"), n = Affine::name("n");

std::optional<std::int64_t> at(const Affine& affine, std::map<std::string, std::int64_t> values) {
  return affine.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
    auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  });
}

}  // namespace

TEST_CASE("affine expressions print as the language writes them") {
  CHECK(to_string(n - i + 1) == "n - i + 1");
  CHECK(to_string(3 - i) == "3 - i");
  CHECK(to_string(-i - 1) == "-i - 1");
  CHECK(to_string(2 * i + -3 * j) == "2*i - 3*j");
  CHECK(to_string(Affine(0)) == "0");
  CHECK(to_string(Affine::mod(i + j, 2)) == "(i + j)%2");
  CHECK(to_string(Affine::div(k, 4)) == "k/4");
  CHECK(to_string(n - 4 * Affine::div(k, 4)) == "n - 4*(k/4)");
  CHECK(to_string(-Affine::div(k, 4)) == "-(k/4)");
}

TEST_CASE("equal sums are equal however they were built") {
  CHECK(i + j - i == j);
  CHECK(i - i == Affine(0));
  CHECK(Affine::div(i, 2) + Affine::mod(j, 3) == Affine::mod(j, 3) + Affine::div(i, 2));
  CHECK(Affine::div(i, 2) - Affine::div(i, 2) == Affine(0));
  CHECK((n - i).as_name() == std::nullopt);
  CHECK((n - i + i).as_name() == "n");
}

TEST_CASE("what divides comes out of a quotient") {
  CHECK(Affine::div(4 * i + 8, 4) == i + 2);
  CHECK(Affine::mod(4 * i + j, 4) == Affine::mod(j, 4));
  CHECK(Affine::div(Affine(-7), 2) == Affine(-4));
  CHECK(Affine::mod(Affine(-7), 2) == Affine(1));
  CHECK(Affine::div(n, 1) == n);
  CHECK(Affine::mod(n, 1) == Affine(0));
}

TEST_CASE("quotients evaluate rounding down") {
  for (std::int64_t x = -9; x <= 9; ++x) {
    for (const Affine& numerator : {i, i - 1, 3 * i + 5, 2 - i}) {
      std::int64_t value = at(numerator, {{"i", x}}).value();
      std::int64_t rest = at(Affine::mod(numerator, 4), {{"i", x}}).value();
      CHECK(rest >= 0);
      CHECK(rest < 4);
      CHECK(4 * at(Affine::div(numerator, 4), {{"i", x}}).value() + rest == value);
    }
  }
}

TEST_CASE("an unknown name or an overflow has no value") {
  CHECK_FALSE(at(i + j, {{"i", 1}}));
  CHECK_FALSE(at(2 * i, {{"i", std::numeric_limits<std::int64_t>::max()}}));
  CHECK(at(Affine::div(i, 2), {{"i", std::numeric_limits<std::int64_t>::min()}}) == -4611686018427387904);
}

TEST_CASE("substitution reaches into quotients") {
  Affine e = 2 * i + Affine::mod(i + j, 4);
  CHECK(e.substitute({{"i", 4 * k}}) == 8 * k + Affine::mod(j, 4));
  CHECK(e.mentions("j"));
  CHECK_FALSE(e.mentions("k"));
  CHECK(e.coefficient("i") == 2);
  std::set<std::string> names;
  e.collect_names(names);
  CHECK(names == std::set<std::string>{"i", "j"});
}

TEST_CASE("constraints and domains") {
  Constraint c{i, Relation::less, n - 1};
  CHECK(to_string(c) == "i < n - 1");
  auto value = [](const std::string& name) { return std::optional<std::int64_t>(name == "i" ? 2 : 4); };
  CHECK(c.holds(value) == true);
  CHECK(c.substitute({{"i", n}}).holds(value) == false);
  CHECK_FALSE(c.holds([](const std::string&) { return std::nullopt; }));
  Domain d{{"i", "k"}, {{Affine(0), Relation::less_equal, i}, c}};
  CHECK(to_string(d) == "{i, k : 0 <= i, i < n - 1}");
}
