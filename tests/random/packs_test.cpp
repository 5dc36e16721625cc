// Tiles in registers, and what they read in strips: recurrences in random tiles of random orders against the reference.
#include <doctest/doctest.h>

#include "engine/compile.hpp"
#include "engine/text/text.hpp"
#include "tests/random/candidates.hpp"

namespace trellis::randomised {
namespace {

struct Blocked {
  const char* source;
  const char *related, *other;  ///< tiles of the first have one size
  std::vector<const char*> packs;
};

const Blocked blocked_recurrences[] = {
    {"C(i,j) = sum(k)(A(i,k)*B(k,j))\n", "", "ijk", {"A", "B"}},
    {"C(i,j) = sum(k)(A(k,i)*A(k,j))\n", "", "ijk", {"A"}},
    {"L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))/2 : k < j < i\nL(i,i) = A(i,i) - sum(k)(L(i,k)*L(i,k)) : k < i\n",
     "ijk",
     "",
     {"L"}},
    {"U(i,j) = A(i,j) - sum(k)(L(i,k)*U(k,j)) : k < i, i <= j\n"
     "L(i,j) = (A(i,j) - sum(k)(L(i,k)*U(k,j)))/2 : k < j, j < i\n",
     "ijk",
     "",
     {"L", "U"}},
    {"X(i,j) = B(i,j) - sum(k)(A(i,k)*X(k,j)) : k < i\n", "ik", "j", {"A", "X"}},
    {"X(i,j) = B(i,j) - sum(k)(A(k,i)*X(k,j)) : k > i\n", "ik", "j", {"A", "X"}},
    {"C(i,j) = min(k)(A(i,k) + B(k,j))\n", "", "ijk", {"A", "B"}},
};

constexpr const char* square_tensors =
    "tensor A(n,n)\ntensor B(n,n)\ntensor C(n,n)\ntensor L(n,n)\ntensor U(n,n)\ntensor X(n,n)\n";

/// Coarse tiles in any order, then those in registers, then what is summed over, then the tile.
std::string random_schedule(Dice& dice, const Blocked& r) {
  const std::int64_t fine = 1 + dice.below(4), factor = 1 + dice.below(2);
  const bool turned = dice.chance(50);
  const std::string rows = turned ? "j" : "i", columns = turned ? "i" : "j";
  std::vector<std::string> coarse;
  const std::int64_t shared = fine * factor * (1 + dice.below(2));
  for (const char* v = r.related; *v; ++v)
    if (*v != 'i' || dice.chance(60)) coarse.push_back(lang::tile_text(std::string(1, *v), shared));
  for (const char* v = r.other; *v; ++v)
    if (dice.chance(50)) coarse.push_back(lang::tile_text(std::string(1, *v), 1 + dice.below(5)));
  std::string order = "order";
  const bool down = std::string(r.source).find("k > i") != std::string::npos;
  while (!coarse.empty()) {
    const auto at = coarse.begin() + dice.below(static_cast<int>(coarse.size()));
    const bool turns = down && at->front() != 'j';
    order += " " + (turns ? at->substr(0, 1) + "-" + at->substr(1) : *at);
    coarse.erase(at);
  }
  const auto loop = [&](const std::string& v, const std::string& tile) {
    const std::string text = " " + v + (down && v != "j" ? "-" : "") + tile;
    return (order + " ").find(text + " ") == std::string::npos ? text : "";  // coarse tiles may have that size
  };
  order += loop(columns, "/" + std::to_string(fine * factor)) + loop(rows, "/" + std::to_string(fine));
  order += loop("k", "") + loop(rows, "") + loop(columns, "") + "\nregisters " + rows + " " + columns + "\n";
  for (const char* tensor : r.packs)
    if (dice.chance(70)) order += std::string("pack ") + tensor + "\n";
  return order;
}

TEST_CASE("random programs: tiles in registers and strips change no result") {
  const int wanted = randomised::wanted(40);
  const std::uint64_t seed = first_seed(1);
  int tried = 0, refused = 0;
  for (std::uint64_t number = seed; tried < wanted && refused < 20 * wanted; ++number) {
    Dice dice(number);
    const Blocked& r =
        blocked_recurrences[static_cast<std::size_t>(dice.below(static_cast<int>(std::size(blocked_recurrences))))];
    std::string source = std::string(square_tensors) + r.source + random_schedule(dice, r);
    auto program = read_case(source);
    if (!program) {  // a coarse tile inside of a finer one
      ++refused;
      continue;
    }
    CAPTURE(number);
    CAPTURE(source);
    text::Diagnostics diagnostics;
    Compilation compiled = compile(program->program, program->kernel(), diagnostics);
    if (compiled.rejected || !diagnostics.all().empty()) {
      // An order that is not legal, or whose tiles are not where a loop adds to them: never a strip that is not right.
      ++refused;
      continue;
    }
    ++tried;
    const Candidate candidate{number, {}, std::move(*program), {}, std::move(compiled)};
    CHECK_MESSAGE(dispute(candidate, run::Backend::jit) == "", source);
  }
  CHECK(tried == wanted);
}

}  // namespace
}  // namespace trellis::randomised
