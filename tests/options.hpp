#pragma once
// Options of `trellis-tests` beside doctest's own. `--served`: kernels run in a process of their own (run/server.hpp).

#include <cstdint>
#include <optional>
#include <string>

namespace trellis::testing {

struct Options {
  /// `--random N`: how many random programs each randomised test tries; 0: its own number.
  int random = 0;
  /// `--seed S`: where they start.
  std::optional<std::uint64_t> seed;
  /// `--mutate SECONDS`: how long each test of mutated inputs tries, from a fresh seed or `--seed S` on; else its own
  /// number.
  std::optional<int> mutate;
  /// `--bless [PATH]`: rewrite golden files (all, or those under PATH) instead of checking them.
  std::optional<std::string> bless;
  /// `--matrix [PART]`: the whole matrix of trials, or what has PART in its title (tests/matrix/).
  std::optional<std::string> matrix;
};

const Options& options();

}  // namespace trellis::testing
