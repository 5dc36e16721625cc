// Recurrences under masks: random patterns, closed under fill-in or not, by rows, by columns or both; results in every
// layout; all orders. Results have their masks' entries, loops are led by masks, look-ups march, temporaries start
// under masks.
#include <doctest/doctest.h>

#include <functional>

#include "tests/random/generate.hpp"
#include "tests/random/in_orders.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

/// A square matrix of zeros and ones, or of small numbers where the pattern has a one, as `fill_with` takes it.
std::string rows_of(int n, const std::function<std::string(int, int)>& element) {
  std::string rows;
  for (int i = 0; i < n; ++i) {
    std::string row;
    for (int j = 0; j < n; ++j) row += (j > 0 ? ", " : "") + element(i, j);
    rows += (i > 0 ? ", [" : "[") + row + "]";
  }
  return "[" + rows + "]";
}

struct Recurrence {
  const char* name;
  const char* equations;
  bool lower, upper;  ///< which triangles the result has, beside its diagonal, by which some divide
};

// In numbers whose sums and products are exact, but for the quotients and roots.
const std::vector<Recurrence> masked_recurrences = {
    {"Cholesky",
     "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
     "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n",
     true, false},
    {"without roots",
     "L(i,j) = A(i,j) - sum(k)(L(i,k) * L(j,k)) : k < j < i\n"
     "L(i,i) = A(i,i) : 0 <= i\n",
     true, false},
    {"LU",
     "L(i,j) = A(i,j) - sum(k)(L(i,k) * L(k,j)) : k < i <= j\n"
     "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(k,j))) / L(j,j) : k < j < i\n",
     true, true},
    {"a product", "L(i,j) = sum(k)(A(i,k) * A(k,j)) : 0 <= i\n", true, true},
};

std::string program_of(Dice& dice, const Recurrence& one, const std::string& layout, int masks) {
  const int n = 1 + dice.below(6);
  std::vector<std::vector<bool>> pattern(static_cast<std::size_t>(n), std::vector<bool>(static_cast<std::size_t>(n)));
  const auto at = [&](int i, int j) { return pattern[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      pattern[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          i == j || (i > j && one.lower && dice.chance(45)) || (i < j && one.upper && dice.chance(45));
  const std::string truths = rows_of(n, [&](int i, int j) { return at(i, j) ? "1" : "0"; });
  const std::string values =
      rows_of(n, [&](int i, int j) { return std::to_string(i == j ? 40 + dice.below(9) : dice.below(3)); });
  const std::string stored = dice.pick(std::vector<std::string>{"", ", pattern"});
  std::string program = "tensor A(" + std::to_string(n) + ", " + std::to_string(n) +
                        "): " + dice.pick(std::vector<std::string>{"f64", "csr", "csc"}) + "\n";
  program += "tensor L(" + std::to_string(n) + ", " + std::to_string(n) + "): " + layout + "\n";
  const auto mask = [&](const std::string& name, const std::string& order) {
    program += "tensor " + name + "(" + std::to_string(n) + ", " + std::to_string(n) + "): {dense, compressed" +
               stored + "}" + order + " bool\nfill_with " + name + " " + truths + "\nmask L " + name + "\n";
  };
  program += "fill_with A " + values + "\n" + one.equations;
  if (masks != 2) mask("M", " @ (1, 0)");
  if (masks != 1) mask("R", "");
  return program;
}

}  // namespace

TEST_CASE("random masks: recurrences agree with the reference in every layout and order") {
  const std::uint64_t seed = first_seed(300000);
  const int programs = wanted(4);
  for (int k = 0; k < programs; ++k)
    for (const Recurrence& one : masked_recurrences)
      for (const std::string layout : {"csc", "csr", "f64", "dcsr"}) {
        Dice dice(seed + static_cast<std::uint64_t>(k));
        check_in_orders(program_of(dice, one, layout, dice.below(3)), orders_of_three);
      }
}

}  // namespace trellis::randomised
