// Parallel loops whose iterations wait for each other: recurrences under masks and dense ones, forwards and backwards,
// in every order whose outermost loop can wait. Threads compute bit for bit what one loop does.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/random/generate.hpp"
#include "tests/random/in_orders.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

struct WaitingRecurrence {
  const char* name;
  const char* equations;  ///< of n and X, with upper case for what is computed
  std::vector<std::string> orders;
};

const std::vector<WaitingRecurrence> waiting_recurrences = {
    {"Cholesky by columns",
     "X(i,j) = (A(i,j) - sum(k)(X(i,k) * X(j,k))) / X(j,j) : k < j < i\n"
     "X(j,j) = sqrt(A(j,j) - sum(k)(X(j,k)^2)) : k < j\n",
     {"j k i", "j i k", "i j k"}},
    {"Cholesky from the end",
     "X(i,j) = (A(i,j) - sum(k)(X(k,i) * X(k,j))) / X(j,j) : k > j > i\n"
     "X(j,j) = sqrt(A(j,j) - sum(k)(X(k,j)^2)) : k > j\n",
     {"j- k i", "j- k- i-"}},
    {"LU by columns",
     "X(i,j) = A(i,j) - sum(k)(X(i,k) * X(k,j)) : k < i <= j\n"
     "X(i,j) = (A(i,j) - sum(k)(X(i,k) * X(k,j))) / X(j,j) : k < j < i\n",
     {"j k i", "i k j", "k i j"}},
    {"a triangular solve for rows", "X(i,j) = B(i,j) - sum(k)(A(i,k) * X(k,j)) : k < i\n", {"i k j", "i j k"}},
};

std::string matrix(Dice& dice, int n, int percent, int diagonal) {
  std::string rows;
  std::vector<std::vector<int>> all(static_cast<std::size_t>(n), std::vector<int>(static_cast<std::size_t>(n)));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      const int value = i == j ? diagonal : dice.chance(percent) ? 1 + dice.below(2) : 0;
      all[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = value;
      all[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = value;
    }
  for (const auto& row : all) {
    std::string line;
    for (const int value : row) line += (line.empty() ? "" : ", ") + std::to_string(value);
    rows += (rows.empty() ? "[" : ", [") + line + "]";
  }
  return "[" + rows + "]";
}

std::string of_result(std::string equations, char result) {
  std::ranges::replace(equations, 'X', result);
  return equations;
}

}  // namespace

TEST_CASE("random loops that wait: on threads they compute what one after the other does") {
  const std::uint64_t seed = first_seed(930000);
  const int programs = wanted(3);
  int accepted = 0;
  for (int k = 0; k < programs; ++k)
    for (const WaitingRecurrence& one : waiting_recurrences) {
      Dice dice(seed + static_cast<std::uint64_t>(k));
      const int n = dice.pick(std::vector<int>{0, 1, 2, 7, 16, 24});
      const bool masked = dice.chance(70);
      const std::string layout = masked ? dice.pick(std::vector<std::string>{"csc", "csr"}) : "f64",
                        size = std::to_string(n);
      std::string program = "param n = " + size + "\ntensor A(n, n)\ntensor B(n, n)\ntensor S(n, n): " + layout +
                            "\ntensor P(n, n): " + layout + "\ntensor same: bool\n";
      if (n > 0) program += "fill_with A " + matrix(dice, n, 10, 90) + "\nfill_with B " + matrix(dice, n, 30, 1) + "\n";
      const std::string mask = masked ? "mask @ auto\n" : "";
      const std::string order = dice.pick(one.orders), outer(1, order.front());
      program += "kernel serial { " + of_result(one.equations + mask, 'S') + "order " + order + " }\n";
      std::ranges::replace(program, '@', 'S');
      program +=
          "kernel apart { " + of_result(one.equations + mask, 'P') + "order " + order + "\nparallel " + outer + " }\n";
      std::ranges::replace(program, '@', 'P');
      program +=
          "kernel compare { same = all(i,j)(S(i,j) == P(i,j)) }\nrun\ncheck apart\nrun apart native threads 3\ncheck "
          "apart\nrun compare\n";
      testing::Transcript session;
      const auto said = session.say(program);
      CAPTURE(program);
      const bool refused =
          said.codes.find("E0107") != std::string::npos || said.codes.find("E0101") != std::string::npos;
      REQUIRE_MESSAGE((said.ok() || refused), said.messages());
      if (refused) continue;
      ++accepted;
      CHECK(session.value("same") == "true");
    }
  CHECK(accepted > programs);
}

}  // namespace trellis::randomised
