#pragma once
// What became of trials: each in a process of its own, bounded in time.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tests/matrix/trials.hpp"

namespace trellis::matrix {

struct Outcome {
  /// `right`: results are those of dense tensors, and `check` says so. `refused`: with an error of the program's.
  enum class Kind { right, refused, wrong, crashed, endless } kind = Kind::right;
  std::string what = "";  ///< the code of the refusal, or what is wrong
};
const char* name_of(Outcome::Kind kind);

/// Computes in this process; what the same program gives with dense tensors is kept for the trials behind it.
Outcome outcome_of(const Trial& trial);

/// Tells of each as it is known, in any order.
void outcomes_of(const std::vector<Trial>& all, int processes,
                 const std::function<void(std::size_t number, const Outcome&)>& tell);

}  // namespace trellis::matrix
