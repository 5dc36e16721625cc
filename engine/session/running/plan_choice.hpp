#pragma once
// What a kernel runs as, beside what else was looked at, to look at: `plan`, the window and the report show this value.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/state/state.hpp"

namespace trellis::session {

struct PlanChoice {
  std::string kernel;
  std::string as_written;  ///< why it runs as its equations stand, where nothing was looked at; else empty
  struct Way {
    std::string what;  ///< "order i j, A_csc instead of A"
    double ms = 0;     ///< estimated, with what laying out takes
  };
  /// Those that were compiled and estimated: what it runs as, then the others, the least first. Another one has to take
  /// a fifth less than what is written, one that rounds half.
  std::vector<Way> ways;
  std::optional<double> measured_ms = {};  ///< of its last run
  std::string backend = {};                ///< of that
  /// What its sparse results store behind that.
  std::vector<std::pair<std::string, std::int64_t>> stored = {};
  /// "as written, order i j would win with some 500 entries of A instead of 2000", "… with n = 64 instead of 512".
  std::vector<std::string> flips = {};
};

/// By what its operands store now; `flips` where they are wanted.
PlanChoice plan_choice(State& state, const lang::Kernel& kernel, bool flips);

/// A line for each way, with a bar that is as long as its time is, of the longest one.
std::string to_string(const PlanChoice& choice);
/// {"as_written", "ways": [{"what", "ms"}], "measured_ms", "backend", "stored": {result: entries}, "flips"}
nlohmann::ordered_json to_json(const PlanChoice& choice);

}  // namespace trellis::session
