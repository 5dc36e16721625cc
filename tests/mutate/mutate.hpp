#pragma once
// Inputs that are damaged at random, as many as are usual or for as long as `--mutate SECONDS` says.

#include <cstdint>
#include <functional>
#include <string>

namespace trellis::mutate {

/// What is tried, and what is wrong with the answer; nothing when it is right. The input is there before the answer is
/// asked for: a crash shows it.
struct Trial {
  std::string input;
  std::string objection;
};
using Attempt = std::function<void(std::uint64_t seed, Trial& trial)>;

/// Trials from seed to seed up to the first objection: a failed check with the input, and with the command line that
/// repeats it. What crashes or does not end says the same. With `--mutate SECONDS` they begin at a seed of the clock,
/// which is printed, and last so long; else there are `usually` of them, from 0. Returns how many there were.
int mutate(const char* test_case, int usually, const Attempt& attempt);

}  // namespace trellis::mutate
