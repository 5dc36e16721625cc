#pragma once
// How much a random test does: `--random N --seed S` on the command line, or what is usual.

#include "tests/options.hpp"

namespace trellis::randomised {

/// How many programs: `--random N`, or else the usual number, a twelfth of it under sanitizers.
inline int wanted(int usually) {
#ifdef __SANITIZE_ADDRESS__
  usually = (usually + 11) / 12;  // each takes ten times as long
#endif
  return testing::options().random ? testing::options().random : usually;
}

/// Of a series that a program goes through, such as layouts and orders, every second one under sanitizers.
inline bool is_taken([[maybe_unused]] int number) {
#ifdef __SANITIZE_ADDRESS__
  return number % 2 == 0;
#else
  return true;
#endif
}

/// Where their seeds start: `--seed S`, or else there.
inline std::uint64_t first_seed(std::uint64_t usually) { return testing::options().seed.value_or(usually); }

}  // namespace trellis::randomised
