#include "engine/math/inverse_map.hpp"

#include <doctest/doctest.h>

#include "engine/math/evaluator.hpp"

using namespace trellis;
using math::Affine;

namespace {

const Affine row = Affine::name("i"), column = Affine::name("j");

/// What the inverse is, and whether it gives back each of 20 x 20 points.
std::string inverse_of(const std::vector<Affine>& map) {
  const std::vector<std::string> variables{"i", "j"};
  std::vector<std::string> results;
  while (results.size() < map.size()) results.push_back("l" + std::to_string(results.size()));
  const auto back = math::inverse_map(map, variables, results);
  if (!back) return "none";
  for (std::int64_t a = 0; a < 20; ++a)
    for (std::int64_t b = 0; b < 20; ++b) {
      std::vector<std::int64_t> point{a, b}, image;
      for (const Affine& form : map) image.push_back(math::Evaluator(form, variables)(point));
      CHECK(math::Evaluator((*back)[0], results)(image) == a);
      CHECK(math::Evaluator((*back)[1], results)(image) == b);
    }
  return math::to_string((*back)[0]) + ", " + math::to_string((*back)[1]);
}

}  // namespace

TEST_CASE("inverse map: orders, shifts and skews") {
  CHECK(inverse_of({column, row}) == "l1, l0");
  CHECK(inverse_of({column - row, row}) == "l1, l0 + l1");
  CHECK(inverse_of({row + column - 3, -column}) == "l0 + l1 + 3, -l1");
  CHECK(inverse_of({row + 2 * column, column}) == "l0 - 2*l1, l1");
}

TEST_CASE("inverse map: digits, in any order of the levels") {
  CHECK(inverse_of({Affine::div(row, 4), Affine::div(column, 2), Affine::mod(row, 4), Affine::mod(column, 2)}) ==
        "4*l0 + l2, 2*l1 + l3");
  CHECK(inverse_of({Affine::mod(row, 4), column, Affine::div(row, 4)}) == "l0 + 4*l2, l1");
  // Three digits: those of the quotient, and those of the remainder.
  const Affine low = Affine::mod(row, 8);
  CHECK(inverse_of({Affine::div(row, 8), Affine::div(low, 2), Affine::mod(row, 2), column}) == "8*l0 + 2*l1 + l2, l3");
  // Digits of what is skewed.
  CHECK(inverse_of({Affine::div(row + column, 4), Affine::mod(row + column, 4), column}) == "4*l0 + l1 - l2, l2");
}

TEST_CASE("inverse map: none where something is lost") {
  CHECK(inverse_of({row + column, Affine(0)}) == "none");
  CHECK(inverse_of({Affine::div(row, 2), column}) == "none");
  CHECK(inverse_of({Affine::div(row, 4), Affine::mod(row, 3), column}) == "none");
  CHECK(inverse_of({2 * row, column}) == "none");
}
