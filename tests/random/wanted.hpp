#pragma once
// How much a random test does: `--random N --seed S` on the command line, or what is usual.

#include "tests/options.hpp"

namespace trellis::randomised {

/// How many programs: `--random N`, or else half of the usual number, a forty-eighth of it under sanitizers.
inline int wanted(int usually) {
#ifdef __SANITIZE_ADDRESS__
  usually = (usually + 47) / 48;  // each takes ten times as long
#else
  usually = (usually + 1) / 2;
#endif
  return testing::options().random ? testing::options().random : usually;
}

/// Of a series that a program goes through, such as layouts and orders, every third one, every twelfth under
/// sanitizers: all of them where more programs are asked for.
inline bool is_taken(int number) {
  if (testing::options().random) return true;
#ifdef __SANITIZE_ADDRESS__
  return number % 12 == 0;
#else
  return number % 3 == 0;
#endif
}

/// Where their seeds start: `--seed S`, or else there.
inline std::uint64_t first_seed(std::uint64_t usually) { return testing::options().seed.value_or(usually); }

}  // namespace trellis::randomised
