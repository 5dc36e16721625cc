// `mask X auto` on random matrices: the pattern is the twin's least solution, whichever way it was found, and holds
// just the elements that differ from zero when no values cancel.
#include <doctest/doctest.h>

#include "tests/random/generate.hpp"
#include "tests/random/in_orders.hpp"
#include "tests/random/wanted.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::randomised {
namespace {

struct Factorisation {
  const char* name;
  std::vector<std::string> results;
  const char* equations;  ///< of `A`; each result X is written as `{X}`, so that it can be written twice
  bool symmetric;         ///< A is
  const char* found;      ///< what `run` says of the pattern's kernel
};

const char* const by_tree = "by the elimination tree";
const char* const by_columns = "column by column, pruned";
const char* const general = "";  // as its twin's loops do

const std::vector<Factorisation> factorisations = {
    {"Cholesky",
     {"L"},
     "{L}(i,j) = (A(i,j) - sum(k)({L}(i,k) * {L}(j,k))) / {L}(j,j) : k < j < i\n"
     "{L}(i,i) = sqrt(A(i,i) - sum(k)({L}(i,k)^2)) : k < i\n",
     true,
     by_tree},
    {"upper Cholesky",
     {"U"},
     "{U}(j,i) = (A(i,j) - sum(k)({U}(k,i) * {U}(k,j))) / {U}(j,j) : k < j < i\n"
     "{U}(i,i) = sqrt(A(i,i) - sum(k)({U}(k,i)^2)) : k < i\n",
     true,
     by_tree},
    {"Cholesky from the last row on",
     {"L"},
     "{L}(i,j) = (A(i,j) - sum(k)({L}(i,k) * {L}(j,k))) / {L}(j,j) : k > j, j > i\n"
     "{L}(i,i) = sqrt(A(i,i) - sum(k)({L}(i,k)^2)) : k > i\n",
     true,
     by_tree},
    {"LU",
     {"L", "U"},
     "{U}(i,j) = A(i,j) - sum(k)({L}(i,k) * {U}(k,j)) : k < i <= j\n"
     "{L}(i,j) = (A(i,j) - sum(k)({L}(i,k) * {U}(k,j))) / {U}(j,j) : k < j < i\n",
     false,
     by_columns},
    {"LU in one matrix",
     {"F"},
     "{F}(i,j) = A(i,j) - sum(k)({F}(i,k) * {F}(k,j)) : k < i <= j\n"
     "{F}(i,j) = (A(i,j) - sum(k)({F}(i,k) * {F}(k,j))) / {F}(j,j) : k < j < i\n",
     false,
     by_columns},
    {"LU with U transposed",
     {"L", "V"},
     "{L}(i,j) = A(i,j) - sum(k)({L}(i,k) * {V}(j,k)) : k < j <= i\n"
     "{V}(j,i) = (A(i,j) - sum(k)({L}(i,k) * {V}(j,k))) / {L}(i,i) : k < i < j\n",
     false,
     by_columns},
    {"nearly one", {"L"}, "{L}(i,j) = A(i,j) - sum(k)({L}(i,k) * {L}(j,k)) : k < j, j < i, k >= 1\n", true, general},
    {"a chain", {"L"}, "{L}(i,j) = A(i,j) + {L}(i-1,j) * A(i,i) : 1 <= i\n", false, general},
};

std::string written(std::string equations, const std::string& mark) {
  for (std::size_t at = equations.find('{'); at != std::string::npos; at = equations.find('{')) {
    equations.replace(equations.find('}'), 1, mark);
    equations.erase(at, 1);
  }
  return equations;
}

/// Where all indices run from the last to the first.
std::string downwards(std::string order, const Factorisation& one) {
  if (!testing::contains(one.name, "from the last row on")) return order;
  for (std::size_t at = 1; at <= order.size(); at += 3) order.insert(at, "-");
  return order;
}

/// Where the diagonal is not zero, and else in a quarter of the places, numbers that nothing cancels.
std::string matrix(Dice& dice, int n, bool symmetric) {
  std::vector<std::vector<std::string>> rows(static_cast<std::size_t>(n),
                                             std::vector<std::string>(static_cast<std::size_t>(n), "0"));
  const auto at = [&](int i, int j) -> std::string& {
    return rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (i == j) at(i, j) = "40." + std::to_string(101 + dice.below(800));
      else if ((i > j || !symmetric) && dice.chance(28)) at(i, j) = "0.1" + std::to_string(1001 + dice.below(8000));
      if (symmetric && i > j) at(j, i) = at(i, j);
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (const std::string& element : row) line += (line.empty() ? "" : ", ") + element;
    text += (text.empty() ? "[" : ", [") + line + "]";
  }
  return "[" + text + "]";
}

std::string program_of(Dice& dice, const Factorisation& one, const std::string& layout, const std::string& order) {
  const std::string n = std::to_string(1 + dice.below(9)), shape = "(" + n + ", " + n + ")";
  std::string program = "tensor A" + shape + ": " + dice.pick(std::vector<std::string>{"csr", "csc", "coo"}) + "\n";
  std::string same, masks;
  for (const std::string& result : one.results) {
    program += "tensor " + result + shape + ": " + layout + "\ntensor " + result + "_full" + shape + "\n";
    program += "tensor same_" + result + ": bool\n";
    same += "same_" + result + " = all(i,j)((" + result + "_full(i,j) != 0) == " + result + "_mask(i,j))\n";
    masks += "mask " + result + " auto\n";
  }
  program += "fill_with A " + matrix(dice, std::stoi(n), one.symmetric) + "\n";
  program += "kernel sparse { " + written(one.equations, "") + masks + order + "}\n";
  program += "kernel full { " + written(one.equations, "_full") + "}\n";
  return program + "kernel compare { " + same + "}\nrun\ncheck\n";
}

}  // namespace

TEST_CASE("random patterns: entries are found where no elements are zero, and the results agree") {
  const std::uint64_t seed = first_seed(700000);
  const int programs = wanted(6);
  for (int k = 0; k < programs; ++k)
    for (const Factorisation& one : factorisations)
      for (const std::string layout : {"csc", "csr"}) {
        Dice dice(seed + static_cast<std::uint64_t>(k));
        const std::string program = program_of(dice, one, layout, "");
        testing::Transcript session;
        const auto said = session.say(program);
        CAPTURE(program);
        REQUIRE_MESSAGE(said.ok(), said.messages());
        // So small a square may be that of a factorisation, whatever the equations are.
        const bool tiny = testing::contains(program, "A(1, 1)") || testing::contains(program, "A(2, 2)");
        for (const session::Reply& reply : said.replies)
          if (const auto* ran = std::get_if<session::Ran>(&reply.result))
            for (const auto& kernel : ran->kernels)
              if (kernel.kernel == "sparse_pattern" && !tiny) CHECK(kernel.how == one.found);
        for (const std::string& result : one.results) CHECK(session.value("same_" + result) == "true");
      }
}

TEST_CASE("random patterns: factors agree in every order, whose look-ups march, or are by maps and tables") {
  const std::uint64_t seed = first_seed(710000);
  const int programs = wanted(2);
  int number = 0;
  for (int k = 0; k < programs; ++k)
    for (const Factorisation& one : factorisations)
      for (const std::string layout : {"csc", "csr"})
        for (const std::string& order : orders_of_three) {
          if (one.found == general || !is_taken(number++)) continue;
          Dice dice(seed + static_cast<std::uint64_t>(k));
          const std::string program = program_of(dice, one, layout, "order " + downwards(order, one) + "\n");
          testing::Transcript session;
          const auto said = session.say(program);
          CAPTURE(program);
          const bool refused = testing::contains(said.codes, "E0101");
          REQUIRE_MESSAGE((said.ok() || refused), said.messages());
          if (!refused)
            for (const std::string& result : one.results) CHECK(session.value("same_" + result) == "true");
        }
}

}  // namespace trellis::randomised
