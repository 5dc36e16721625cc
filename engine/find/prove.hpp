#pragma once
// Whether a way to find is valid, proven or refuted with an example: two iterations of the loops around a look-up, the
// earlier and the later one, and no quantifiers (docs/design/layouts.md#proofs).
//
// Where no index tensor is applied that is a question about integer points, which isl decides (math/solver.hpp).
// Otherwise it is Z3's, which is told what is promised of each pair of values that occurs; it may use so many units of
// work of its own, as a busy machine must not decide otherwise than an idle one. `unknown` counts as no.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/find/query.hpp"

namespace trellis::find {

enum class Verdict { proven, refuted, unknown };

/// Two iterations that tell against it.
struct Example {
  std::vector<std::pair<std::string, std::int64_t>> sizes, first, second;  ///< of loops, outermost first
  std::vector<std::pair<std::string, std::int64_t>> values;                ///< "p(0)", 3
  std::int64_t asked_first = 0, asked_second = 0;
};
/// "asked for 3 at i=0, then for 1 at i=1, where p(0)=3, p(1)=1".
std::string in_words(const Example& example);

struct Answer {
  Verdict verdict = Verdict::unknown;
  std::optional<Example> example = {};  ///< where it is refuted
  std::string by = {};                  ///< "isl", "Z3"; empty: nobody could be asked
  double milliseconds = 0;              ///< that it took, when it was asked first
  bool cached = false;
};

/// While the outermost `same` loops stand still, a fiber is never asked for less than it was before.
Answer never_falls(const Query& query, std::size_t same);

/// Is there one that knows about index tensors?
bool has_prover_of_functions();

}  // namespace trellis::find
