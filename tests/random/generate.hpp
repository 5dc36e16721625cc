#pragma once
// Random programs: one to four equations over one to three results, with offsets, triangles, diagonals, parities,
// boundary equations, reductions of every kind, guards, gathers and all element types. Biased towards programs that are
// well defined (reads in range, of what was computed before), without promising it.

#include <cstdint>
#include <random>

#include "engine/lang/schedule.hpp"
#include "tests/random/draft.hpp"

namespace trellis::randomised {

/// The same numbers everywhere for a seed, unlike the distributions of the standard library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  int below(int bound) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(bound)); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

Draft generate(Dice& dice);

/// A random order of these variables: some descend, and now and then one is left out.
lang::Order random_order(Dice& dice, std::vector<std::string> variables);
/// The same, of which now and then some variables have tiles, all of one size.
lang::Order random_tiled_order(Dice& dice, std::vector<std::string> variables);

}  // namespace trellis::randomised
