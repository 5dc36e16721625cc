// Factorisations and solves without masks, on random matrices: temporaries that grow while they are walked, in every
// layout and legal order.
#include <doctest/doctest.h>

#include <set>

#include "tests/folder.hpp"
#include "tests/random/generate.hpp"
#include "tests/random/in_orders.hpp"
#include "tests/random/wanted.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::randomised {
namespace {

struct GrowingRecurrence {
  const char* name;
  const char* declared;  ///< of the layout `@`
  const char* equations;
};

const std::vector<GrowingRecurrence> growing_recurrences = {
    {"LU", "tensor L(n, n): @\ntensor U(n, n): @\n",
     "L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i\n"
     "U(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j)) : k < i <= j\n"},
    {"Cholesky", "tensor L(n, n): @\n",
     "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
     "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n"},
    {"where Cholesky fills in", "tensor L(n, n): @ bool\n",
     "L(i,j) = A(i,j) != 0 || any(k)(L(i,k) && L(j,k)) : k < j <= i\n"},
    {"a solve", "tensor x(n): compressed\n", "x(i) = (b(i) - sum(j)(A(i,j) * x(j))) / A(i,i) : j < i\n"},
    {"a solve backwards", "tensor x(n): compressed(decreasing)\n",
     "x(i) = (b(i) - sum(j)(A(i,j) * x(j))) / A(i,i) : j > i\n"},
    {"what is reached at two rates", "tensor x(n): compressed\n",
     "x(i) = b(i) + sum(j)(A(i,j) * x(j)) + sum(k)(A(k,i) * x(k)) : j < i, k < i\n"},
    {"the nearest", "tensor x(n): compressed fill inf\ntensor D(n, n): @ fill inf\n",
     "x(i) = min(b(i), min(j)(D(i,j) + x(j))) : j < i\n"},
};

std::string replaced(std::string text, const std::string& layout) {
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@')) text.replace(at, 1, layout);
  return text;
}

/// Small numbers, few off the diagonal.
std::string square(Dice& dice, int n, bool symmetric, int percent) {
  std::vector<std::vector<int>> rows(static_cast<std::size_t>(n), std::vector<int>(static_cast<std::size_t>(n)));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      int& here = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      here = i == j ? 40 + dice.below(9) : dice.chance(percent) ? 1 + dice.below(2) : 0;
      if (symmetric && j < i) rows[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = here;
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (const int element : row) line += (line.empty() ? "" : ", ") + std::to_string(element);
    text += (text.empty() ? "[" : ", [") + line + "]";
  }
  return "[" + text + "]";
}

std::string program_of(Dice& dice, const GrowingRecurrence& one, const std::string& layout) {
  const int n = 1 + dice.below(9);
  const std::string matrix = square(dice, n, std::string(one.name) == "Cholesky", 25);
  std::string program = "param n = " + std::to_string(n) +
                        "\ntensor A(n, n): " + dice.pick(std::vector<std::string>{"csr", "csc", "csc", "dcsc"}) + "\n";
  program += "tensor b(n): " + dice.pick(std::vector<std::string>{"compressed", "compressed", "f64"}) + "\n";
  program += replaced(one.declared, layout) + "fill_with A " + matrix + "\n";
  std::string right;
  for (int i = 0; i < n; ++i) right += (i > 0 ? ", " : "") + std::to_string(dice.chance(25) ? 3 : 0);
  program += "fill_with b [" + right + "]\n";
  if (testing::contains(program, "tensor D")) program += "fill_with D " + matrix + "\n";
  return program + one.equations;
}

/// Entries at jumps of all sizes, below the diagonal or above it, as a file.
std::string jumps(Dice& dice, int n, bool above) {
  std::set<std::pair<int, int>> entries;
  for (int k = 0; k < 400; ++k) {
    const int far = dice.below(1 << (1 + dice.below(19))), j = dice.below(n), i = j + 1 + far;
    if (i < n) entries.insert(above ? std::pair(j, i) : std::pair(i, j));
  }
  const std::string size = std::to_string(n), count = std::to_string(entries.size());
  std::string text = "%%MatrixMarket matrix coordinate real general\n" + size + " " + size + " " + count + "\n";
  for (const auto& [i, j] : entries) text += std::to_string(i + 1) + " " + std::to_string(j + 1) + " 2\n";
  return text;
}

}  // namespace

TEST_CASE("random growing temporaries: the nearest entry is found however far it is") {
  const std::uint64_t seed = first_seed(820000);
  const int programs = wanted(2);
  for (int k = 0; k < programs; ++k)
    for (const bool above : {false, true})
      for (const int n : {63, 64, 65, 4096, 4097, 300000, 700000}) {
        Dice dice(seed + static_cast<std::uint64_t>(k));
        const testing::Folder folder;
        const std::string file = folder.file("A.mtx", jumps(dice, n, above));
        const std::string size = std::to_string(n), limit = above ? "j > i; order j- i" : "j < i; order j i";
        const std::string x = above ? "compressed(decreasing)" : "compressed";
        const std::string start = std::to_string(above ? n - 1 - dice.below(n / 2) : dice.below(n / 2));
        const std::string program = "tensor A(" + size + ", " + size + "): csc\nload A \"" + file + "\"\ntensor x(" +
                                    size + "): " + x + "\ntensor b(" + size + "): compressed\ntensor d(" + size +
                                    ")\ntensor same: bool\n" + "kernel first { b(" + start + ") = 1 }\n" +
                                    "kernel sparse { x(i) = b(i) + sum(j)(A(i,j) * x(j)) : " + limit + " }\n" +
                                    "kernel dense { d(i) = b(i) + sum(j)(A(i,j) * d(j)) : " + limit + " }\n" +
                                    "kernel compare { same = all(i)(x(i) == d(i)) }\nrun\n";
        testing::Transcript session;
        const auto said = session.say(program);
        CAPTURE(program);
        REQUIRE_MESSAGE(said.ok(), said.messages());
        CHECK(session.value("same") == "true");
      }
}

TEST_CASE("random growing temporaries: recurrences without masks agree with the reference in every order") {
  const std::uint64_t seed = first_seed(810000);
  const int programs = wanted(4);
  int number = 0;
  for (int k = 0; k < programs; ++k)
    for (const GrowingRecurrence& one : growing_recurrences)
      for (const std::string layout : {"csc", "csr", "dcsc"}) {
        if (!is_taken(number++)) continue;
        Dice dice(seed + static_cast<std::uint64_t>(k));
        const std::string program = program_of(dice, one, layout);
        const bool twice = testing::contains(program, "sum(k)(A"), down = testing::contains(program, "j > i");
        const std::vector<std::string> of_two = {down    ? "i- j"
                                                 : twice ? "i j k"
                                                         : "i j",
                                                 down    ? "j- i"
                                                 : twice ? "j k i"
                                                         : "j i"};
        check_in_orders(program, testing::contains(program, "(k)(L") ? orders_of_three : of_two);
      }
}

}  // namespace trellis::randomised
